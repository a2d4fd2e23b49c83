"""Sound in and out of the computer: devices, files, sinks. No model library, nothing of the conversation."""
