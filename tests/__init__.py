"""Engines that a test runs in its own process wait for their threads as they do in a worker's process."""

import os

from aria_desktop.workers.child import SURROUNDINGS

os.environ["OMP_WAIT_POLICY"] = SURROUNDINGS["OMP_WAIT_POLICY"]
