"""`aria bench`: measurements of the running program, each with its goals, on the user's own machine."""
