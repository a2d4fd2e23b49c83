"""The talk key, heard on the whole desktop, in a process of its own: a crash of a key hook takes no window along."""
