"""What the window shows, as values computed from events. Nothing here imports Qt, reads a file or starts a thread."""
