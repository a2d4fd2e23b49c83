"""The second user of every security test: root is not stopped by permissions and keeps what others lack, so what
holds for one says nothing about the other."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

NOBODY = 65534
UIDS = (0, NOBODY) if os.geteuid() == 0 else (os.geteuid(),)
"""Whom a test runs as. Only root can become another user, so anybody else tries it as themselves."""


@contextmanager
def acting_as(uid: int) -> Iterator[None]:
    """The whole process, all its threads, is this user in the body, without any capability in effect.

    What is imported or opened by path in the body has to be readable for that user; see `folder_for`.
    """
    if uid == os.geteuid():
        yield
        return
    groups = os.getgroups()
    os.setgroups([])
    os.setresgid(uid, uid, 0)
    os.setresuid(uid, uid, 0)
    try:
        yield
    finally:
        os.setresuid(0, 0, 0)
        os.setresgid(0, 0, 0)
        os.setgroups(groups)


@contextmanager
def folder_for(uid: int) -> Iterator[Path]:
    """A new folder that this user owns and reaches, which pytest's own are not; gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="aria-safety-") as made:
        folder = Path(made).resolve()
        os.chown(folder, uid, -1)
        yield folder


@contextmanager
def home_of(uid: int) -> Iterator[Path]:
    """A new folder that is this user's, who the whole process is as long as it lasts."""
    with folder_for(uid) as folder, acting_as(uid):
        yield folder
