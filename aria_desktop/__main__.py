"""`python -m aria_desktop`, and the entry of a frozen program."""

from __future__ import annotations

import multiprocessing
import sys

from aria_desktop.cli import main

if __name__ == "__main__":
    multiprocessing.freeze_support()
    sys.exit(main())
