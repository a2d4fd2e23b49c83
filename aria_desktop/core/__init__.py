"""The vocabulary of the program: frozen values and protocols. No I/O, no threads, no logging."""
