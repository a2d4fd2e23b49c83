#!/bin/sh
# Says plainly when the Python that was given is none, too old, or can't make environments.
python=$1
if ! command -v "$python" >/dev/null; then
    echo "There is no $python. ARIA needs Python 3.11 or newer: make PYTHON=/path/to/python3.12 ..." >&2
    exit 1
fi
if ! "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))'; then
    echo "ARIA needs Python 3.11 or newer, and $python is $("$python" --version 2>&1)." >&2
    echo "Name another one: make PYTHON=/path/to/python3.12 ..." >&2
    exit 1
fi
if ! "$python" -c 'import ensurepip, venv' 2>/dev/null; then
    echo "$python can't make environments: its venv module is missing (on Debian and Ubuntu: python3-venv)." >&2
    exit 1
fi
