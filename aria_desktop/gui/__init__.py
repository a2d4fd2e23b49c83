"""The window, and the only importer of PySide6. `state/` computes what is shown and knows no Qt; the rest paints it."""
