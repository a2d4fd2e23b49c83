"""The pages of the window beside Talk: History, Models and Settings."""
