"""Opening, reading and replacing by folder descriptors: each function goes exactly one name deep.

What is decided here is decided on the open file itself (`fstat`), never on what lay under its name a moment
before; the look before opening only serves to say in words what is wrong, and to leave devices alone.
"""

from __future__ import annotations

import errno
import os
import stat
import uuid
from contextlib import suppress
from typing import ClassVar

from aria_desktop.core.errors import AriaError, DiskFull, PathRefused, ToolFailed
from aria_desktop.safety.names import PathOutside, quoted
from aria_desktop.safety.texts import SIZE_LIMIT

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC
_NEW_FILE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_NEW_MODE = 0o666
"""Less what the process's umask takes away."""
_NO_HARD_LINKS = frozenset({errno.EPERM, errno.ENOTSUP, errno.EOPNOTSUPP, errno.EMLINK, errno.ENOSYS})


class PathIsLink(PathRefused):
    code: ClassVar[str] = "path_symlink"


class PathAliased(PathRefused):
    """The file has a second name somewhere."""

    code: ClassVar[str] = "path_aliased"


class PathNotRegular(PathRefused):
    """Something else than a file, or than a folder, where one is needed."""

    code: ClassVar[str] = "path_not_regular"


def reopened(folder: int, name: str) -> int:
    """Another descriptor of the same folder, with a reading position of its own."""
    try:
        if os.fstat(folder).st_nlink == 0:
            raise AriaError("The workspace folder is gone.", "Choose another folder, or make it again and start anew.")
        return os.open(".", _FOLDER, dir_fd=folder)
    except OSError as error:
        raise readable(error, name) from error


def open_folder(outer: int, part: str, name: str, device: int) -> int:
    """The descriptor of the folder `part` in `outer`. Raises FileNotFoundError, else readable errors.

    Args:
        name: the whole path, for messages.
        device: number of the file system that the folder has to be on.
    """
    try:
        inner = os.open(part, _FOLDER, dir_fd=outer)
    except FileNotFoundError:
        raise
    except OSError as error:
        if error.errno in (errno.ENOTDIR, errno.ELOOP):
            _refuse_link(os.lstat(part, dir_fd=outer), name, part)
            raise PathNotRegular(f"{quoted(part)} in {quoted(name)} is not a folder.") from error
        raise readable(error, name) from error
    if os.fstat(inner).st_dev != device:
        os.close(inner)
        raise PathOutside(f"{quoted(name)} is refused: {quoted(part)} is another disk.")
    return inner


def read_file(inside: int, part: str, name: str, device: int) -> tuple[bytes, int]:
    """Content and permission bits of the regular file `part`. Raises FileNotFoundError, else readable errors."""
    try:
        _refuse_irregular(os.lstat(part, dir_fd=inside), name, part, device)
        descriptor = os.open(part, _FILE, dir_fd=inside)
        try:
            found = os.fstat(descriptor)
            _refuse_irregular(found, name, part, device)
            return _content(descriptor, found, name), stat.S_IMODE(found.st_mode)
        finally:
            os.close(descriptor)
    except FileNotFoundError:
        raise
    except OSError as error:
        raise readable(error, name) from error


def put_file(inside: int, part: str, content: bytes, mode: int | None) -> None:
    """Write a whole file: beside the old one first, then in its place. Raises OSError, with nothing changed.

    Args:
        mode: permission bits of the file that is replaced; None to make a new file, which fails with
            FileExistsError when there is one by now.
    """
    temporary = f".aria-{uuid.uuid4().hex[:12]}.tmp"
    descriptor = os.open(temporary, _NEW_FILE, _NEW_MODE if mode is None else mode, dir_fd=inside)
    try:
        with os.fdopen(descriptor, "wb") as file:
            if mode is not None:
                os.fchmod(descriptor, mode)
            file.write(content)
            file.flush()
            os.fsync(descriptor)
        if mode is None:
            _name_new(inside, temporary, part)
        else:
            os.replace(temporary, part, src_dir_fd=inside, dst_dir_fd=inside)
    finally:
        with suppress(FileNotFoundError):
            os.unlink(temporary, dir_fd=inside)
    sync_folder(inside)


def sync_folder(inside: int) -> None:
    """Make names in the folder last through a power cut, where its file system can do that."""
    with suppress(OSError):
        os.fsync(inside)


def _name_new(inside: int, temporary: str, part: str) -> None:
    """Give the file its name unless that is taken. A rename would silently replace; a link fails instead.

    Where the file system has no hard links (memory sticks), the check and the rename are two steps.
    """
    try:
        os.link(temporary, part, src_dir_fd=inside, dst_dir_fd=inside, follow_symlinks=False)
    except OSError as error:
        if error.errno not in _NO_HARD_LINKS:
            raise
        if _taken(inside, part):
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), part) from error
        os.rename(temporary, part, src_dir_fd=inside, dst_dir_fd=inside)


def _taken(inside: int, part: str) -> bool:
    try:
        os.lstat(part, dir_fd=inside)
    except FileNotFoundError:
        return False
    return True


def _content(descriptor: int, found: os.stat_result, name: str) -> bytes:
    content = b""
    if found.st_size <= SIZE_LIMIT:
        with os.fdopen(os.dup(descriptor), "rb") as file:
            content = file.read(SIZE_LIMIT + 1)
    if max(found.st_size, len(content)) > SIZE_LIMIT:
        raise ToolFailed(f"{quoted(name)} is too large: {found.st_size:,} bytes, and {SIZE_LIMIT:,} are the limit.")
    return content


def _refuse_irregular(found: os.stat_result, name: str, part: str, device: int) -> None:
    _refuse_link(found, name, part)
    if stat.S_ISDIR(found.st_mode):
        raise PathNotRegular(f"{quoted(name)} is a folder, not a file.")
    if not stat.S_ISREG(found.st_mode):
        raise PathNotRegular(f"{quoted(name)} is a device or the like, not a file.")
    if found.st_nlink > 1:
        raise PathAliased(
            f"{quoted(name)} is refused: it has a second name (a hard link), which may lie outside the workspace.",
            "A copy of the file in its place can be used.",
        )
    if found.st_dev != device:
        raise PathOutside(f"{quoted(name)} is refused: it lies on another disk.")


def _refuse_link(found: os.stat_result, name: str, part: str) -> None:
    if stat.S_ISLNK(found.st_mode):
        raise PathIsLink(f"{quoted(name)} is refused: {quoted(part)} is a link, and links are not followed.")


def readable(error: OSError, name: str) -> AriaError:
    """An operating system's error in words, sorted by whether the model or the user has to know it."""
    match error.errno:
        case errno.ENOSPC | errno.EDQUOT:
            return DiskFull(f"There is no space left to write {quoted(name)}.", "Free some space and try again.")
        case errno.EEXIST:
            return ToolFailed(f"{quoted(name)} was made by somebody else meanwhile; nothing was written.")
        case errno.ENOENT | errno.ESTALE | errno.EBADF:
            return ToolFailed(f"{quoted(name)} can't be reached: the folder is gone.")
        case errno.EACCES | errno.EPERM | errno.EROFS:
            return ToolFailed(f"{quoted(name)} can't be used: the system does not permit it.")
        case _:
            return ToolFailed(f"{quoted(name)} can't be used: {error.strerror or 'unknown reason'}.")
