"""What is kept on disk: where it lies, the settings, and the database of conversations with its owner's lock."""
