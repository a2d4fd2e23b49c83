"""Which models exist, which of them are here, and how they get here: fetched, copied in, checked, removed."""
