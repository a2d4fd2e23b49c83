"""Doubles that ship with the program: engines and an approver that follow a script."""
