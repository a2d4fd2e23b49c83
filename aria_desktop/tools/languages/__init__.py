"""What code itself says to the user, in each language that it speaks: a file of sentences per language."""
