"""The only place that imports model libraries. Engines do not know each other."""
