"""What the window shows is computed without Qt: these modules work where PySide6 is not installed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

GUI = Path(__file__).resolve().parents[3] / "aria_desktop" / "gui"
PURE = [
    f"aria_desktop.gui.state.{path.stem}" for path in sorted((GUI / "state").glob("*.py")) if path.stem != "__init__"
]


def test_the_state_of_the_window_imports_no_qt() -> None:
    assert len(PURE) > 10
    lines = ["import sys", "sys.modules['PySide6'] = None", "import aria_desktop.gui.theme, aria_desktop.gui.options"]
    program = "\n".join(lines + [f"import {name}" for name in PURE])
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
