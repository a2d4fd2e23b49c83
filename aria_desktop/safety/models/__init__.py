"""Model files looked at in Python before native code reads them: what they promise must be there and make sense."""
