"""The process boundary: engines run in child processes and are talked to through a pipe."""
