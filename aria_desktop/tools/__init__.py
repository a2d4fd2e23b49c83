"""What the model can do, one file per family. A tool is a typed function with a docstring."""
