"""Voice activity detectors: small enough to run in the main process, on the thread that listens."""
