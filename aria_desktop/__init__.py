"""ARIA Desktop: a voice assistant that acts on this computer and never talks to the internet."""

__version__ = "0.1.0"
