"""What this machine has that matters to models: processor, memory, graphics card or why there is none, disk.

Nothing native is loaded to find out: a broken driver must not take the program along. The card is asked through the
driver's own tool, and what the engines were built with is read off their files.
"""

from __future__ import annotations

import importlib.util
import os
import platform
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import psutil

from aria_desktop.catalog.fit import Room

DRIVER_TOOL = "nvidia-smi"
DRIVER_FOLDER = Path("/proc/driver/nvidia")
TOOL_TIMEOUT_S = 5.0
_QUERY = ("--query-gpu=name,memory.total,memory.free", "--format=csv,noheader,nounits")


@dataclass(frozen=True, slots=True)
class Gpu:
    name: str
    memory_total: int
    """Bytes."""
    memory_free: int


@dataclass(frozen=True, slots=True)
class Machine:
    processor: str
    cores: int
    """Usable by this process."""
    memory_total: int
    memory_free: int
    """What a new process can get without swapping."""
    gpus: tuple[Gpu, ...]
    no_gpu_reason: str
    """In words, where `gpus` is empty."""
    language_on_gpu: bool
    """The language engine is built for CUDA."""

    @property
    def room(self) -> Room:
        usable = max((gpu.memory_total for gpu in self.gpus), default=0) if self.language_on_gpu else 0
        return Room(self.memory_total, self.memory_free, self.cores, usable)


def look() -> Machine:
    """Takes up to `TOOL_TIMEOUT_S` where a driver doesn't answer."""
    memory = psutil.virtual_memory()
    gpus, reason = find_gpus()
    return Machine(
        processor=processor_name(),
        cores=usable_cores(),
        memory_total=memory.total,
        memory_free=memory.available,
        gpus=gpus,
        no_gpu_reason=reason,
        language_on_gpu=built_for_cuda(),
    )


def usable_cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def processor_name() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text("utf-8", "replace").splitlines()
    except OSError:
        lines = []
    names = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(names, "") or platform.processor() or platform.machine()


def find_gpus(tool: str = DRIVER_TOOL, driver: Path = DRIVER_FOLDER) -> tuple[tuple[Gpu, ...], str]:
    """The CUDA cards, or none and why."""
    if platform.system() == "Darwin":
        return (), "CUDA does not exist on macOS"
    if (program := shutil.which(tool)) is None:
        loaded = driver.exists()
        return (), f"the NVIDIA driver is loaded, but {tool} is missing" if loaded else "no NVIDIA driver is installed"
    try:
        answer = subprocess.run(
            (program, *_QUERY), capture_output=True, text=True, timeout=TOOL_TIMEOUT_S, stdin=subprocess.DEVNULL
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return (), f"{tool} does not answer ({type(error).__name__})"
    gpus = parse_gpus(answer.stdout) if answer.returncode == 0 else ()
    words = (answer.stdout + answer.stderr).strip().splitlines()
    return gpus, "" if gpus else f"{tool} finds no card" + (f": {words[0]}" if words else "")


def parse_gpus(table: str) -> tuple[Gpu, ...]:
    """From lines of name, total and free memory in MiB; a line that is anything else is left out."""
    gpus = []
    for line in table.splitlines():
        name, *sizes = (field.strip() for field in line.rsplit(",", 2))
        if len(sizes) == 2 and all(size.isdigit() for size in sizes):
            total, free = (int(size) << 20 for size in sizes)
            gpus.append(Gpu(name, total, free))
    return tuple(gpus)


def built_for_cuda(package: str = "llama_cpp") -> bool:
    """Whether the package carries the CUDA part of its library; it is not imported."""
    found = importlib.util.find_spec(package)
    folders = found.submodule_search_locations if found else None
    return any(any(Path(folder, "lib").glob("*ggml-cuda*")) for folder in folders or ())
