"""The local socket: another process of the same user asks the running assistant, and hears all that it tells."""
