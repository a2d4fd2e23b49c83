"""Opening, reading and replacing by folder descriptors: each function goes exactly one name deep.

What is decided here is decided on the open file itself (`fstat`), never on what lay under its name a moment
before; the look before opening only serves to say in words what is wrong, and to leave devices alone.
"""

from __future__ import annotations

import errno
import os
import shutil
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import BinaryIO, ClassVar

from aria_desktop.core.errors import AriaError, DiskFull, PathRefused, ToolFailed
from aria_desktop.safety.leftovers import second_name_is_ours, temporary_name
from aria_desktop.safety.names import PathOutside, quoted
from aria_desktop.safety.opening import open_in
from aria_desktop.safety.renaming import rename_new
from aria_desktop.safety.texts import SIZE_LIMIT

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC
_NEW_FILE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_NEW_MODE = 0o666
"""Less what the process's umask takes away."""


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
        inner = open_in(outer, part, _FOLDER)
    except FileNotFoundError:
        raise
    except OSError as error:
        if error.errno in (errno.ENOTDIR, errno.ELOOP):
            refuse_link(os.lstat(part, dir_fd=outer), name, part)
            raise PathNotRegular(f"{quoted(part)} in {quoted(name)} is not a folder.") from error
        if error.errno == errno.EXDEV:
            raise _another_disk(name, part) from error
        raise readable(error, name) from error
    if os.fstat(inner).st_dev != device:
        os.close(inner)
        raise _another_disk(name, part)
    return inner


def _another_disk(name: str, part: str) -> PathOutside:
    return PathOutside(f"{quoted(name)} is refused: {quoted(part)} is another disk.")


def read_file(inside: int, part: str, name: str, device: int) -> tuple[bytes, int]:
    """Content and permission bits of the regular file `part`. Raises FileNotFoundError, else readable errors."""
    descriptor, found = open_file(inside, part, name, device)
    try:
        return _content(descriptor, found, name), kept_rights(found)
    except OSError as error:
        raise readable(error, name) from error
    finally:
        os.close(descriptor)


def kept_rights(found: os.stat_result) -> int:
    """Permission bits that new bytes in the place of a file get: never those that make it run with the rights of its
    owner or group."""
    return stat.S_IMODE(found.st_mode) & 0o777


def open_file(inside: int, part: str, name: str, device: int) -> tuple[int, os.stat_result]:
    """A descriptor of the regular file `part` for reading, and its state. Raises like `read_file`."""
    try:
        return _open_file(inside, part, name, device)
    except FileNotFoundError:
        raise
    except OSError as error:
        raise readable(error, name) from error


def _open_file(inside: int, part: str, name: str, device: int) -> tuple[int, os.stat_result]:
    refuse_irregular(inside, os.lstat(part, dir_fd=inside), name, part, device)
    try:
        descriptor = open_in(inside, part, _FILE)
    except OSError as error:
        if error.errno == errno.EXDEV:
            raise _another_disk(name, part) from error
        raise
    try:
        found = os.fstat(descriptor)
        refuse_irregular(inside, found, name, part, device)
    except BaseException:
        os.close(descriptor)
        raise
    return descriptor, found


def put_file(inside: int, part: str, content: bytes, mode: int | None) -> None:
    """Write a whole file: beside the old one first, then in its place. Raises OSError, with nothing changed.

    Args:
        mode: permission bits of the file that is replaced; None to make a new file, which fails with
            FileExistsError when there is one by now.
    """
    with _written_beside(inside, _NEW_MODE if mode is None else mode) as (temporary, file):
        if mode is not None:
            os.fchmod(file.fileno(), mode)
        file.write(content)
        _on_disk(file)
        if mode is None:
            rename_new(inside, temporary, inside, part)
        else:
            os.replace(temporary, part, src_dir_fd=inside, dst_dir_fd=inside)
    sync_folder(inside)


def put_copy(inside: int, part: str, source: int, unchanged: Callable[[], bool]) -> None:
    """Copy an open file with its permission bits to a name that is not taken. Raises OSError, with nothing changed,
    and ToolFailed when the source was changed under the copying.

    Args:
        source: a descriptor at the file's beginning.
        unchanged: asked after all was read.
    """
    mode = kept_rights(os.fstat(source))
    with _written_beside(inside, mode) as (temporary, file), os.fdopen(os.dup(source), "rb") as original:
        os.fchmod(file.fileno(), mode)
        shutil.copyfileobj(original, file)
        _on_disk(file)
        if not unchanged():
            raise ToolFailed("The file was changed while it was copied; nothing was kept of the copy.")
        rename_new(inside, temporary, inside, part)
    sync_folder(inside)


@contextmanager
def _written_beside(inside: int, mode: int) -> Iterator[tuple[str, BinaryIO]]:
    """A new file under a name of ours, which is gone afterwards, whatever happens."""
    temporary = temporary_name()
    descriptor = os.open(temporary, _NEW_FILE, mode, dir_fd=inside)
    try:
        with os.fdopen(descriptor, "wb") as file:
            yield temporary, file
    finally:
        with suppress(FileNotFoundError):
            os.unlink(temporary, dir_fd=inside)


def _on_disk(file: BinaryIO) -> None:
    file.flush()
    os.fsync(file.fileno())


def sync_folder(inside: int) -> None:
    """Make names in the folder last through a power cut, where its file system can do that."""
    with suppress(OSError):
        os.fsync(inside)


def _content(descriptor: int, found: os.stat_result, name: str) -> bytes:
    content = b""
    if found.st_size <= SIZE_LIMIT:
        with os.fdopen(os.dup(descriptor), "rb") as file:
            content = file.read(SIZE_LIMIT + 1)
    if max(found.st_size, len(content)) > SIZE_LIMIT:
        raise ToolFailed(f"{quoted(name)} is too large: {found.st_size:,} bytes, and {SIZE_LIMIT:,} are the limit.")
    return content


def refuse_irregular(inside: int, found: os.stat_result, name: str, part: str, device: int) -> None:
    refuse_link(found, name, part)
    if stat.S_ISDIR(found.st_mode):
        raise PathNotRegular(f"{quoted(name)} is a folder, not a file.")
    if not stat.S_ISREG(found.st_mode):
        raise PathNotRegular(f"{quoted(name)} is a device or the like, not a file.")
    if found.st_nlink > 1 and not second_name_is_ours(inside, found):
        raise PathAliased(
            f"{quoted(name)} is refused: it has a second name (a hard link), which may lie outside the workspace.",
            "A copy of the file in its place can be used.",
        )
    if found.st_dev != device:
        raise PathOutside(f"{quoted(name)} is refused: it lies on another disk.")


def refuse_link(found: os.stat_result, name: str, part: str) -> None:
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
