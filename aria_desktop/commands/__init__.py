"""One file per command: `add_arguments` declares, `run` imports what it needs and does it."""
