"""Engines that a test runs in its own process wait for their threads as they do in a worker's process."""

import os

from aria_desktop.workers.child import SURROUNDINGS

os.environ["GOMP_SPINCOUNT"] = SURROUNDINGS["GOMP_SPINCOUNT"]
