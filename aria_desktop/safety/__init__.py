"""May this happen? Pure decisions, and the one door to the user's files."""
