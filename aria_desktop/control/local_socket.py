"""A Unix socket that only the same user reaches, from both ends.

The folder of the socket is the user's alone (whoever starts the program makes it so), the socket itself is 0600
before anybody can connect, and each side asks the kernel who the other is: neither a stranger's client nor a
stranger's server that took the path is talked to. There is no network in it, and no other kind of socket; on a
system without Unix sockets there is no remote control.
"""

from __future__ import annotations

import contextlib
import os
import socket
import stat
import struct
import sys
from pathlib import Path

from aria_desktop.core.errors import DatabaseBusy, StorageError

_BACKLOG = 16


def supported() -> bool:
    """False where Python has no Unix sockets (Windows): there, only the process that owns the database serves."""
    return hasattr(socket, "AF_UNIX")


def listen(path: Path) -> socket.socket:
    """A listening socket at `path`, in place of one that a dead process left.

    Raises DatabaseBusy when somebody answers there, StorageError when the place is taken or can't be used.
    """
    if not supported():
        raise StorageError("This system has no local sockets, so other commands can't reach a running ARIA.")
    _clear(path)
    server = _unix_socket()
    try:
        server.bind(str(path))
        path.chmod(0o600)
        server.listen(_BACKLOG)
    except OSError as error:
        server.close()
        raise StorageError(f"Can't open the local socket {path}: {error.strerror or error}.") from error
    return server


def dial(path: Path) -> socket.socket | None:
    """A connection to who listens at `path`; None when nobody does, or somebody else than this user."""
    if not supported():
        return None
    connection = _unix_socket()
    try:
        connection.connect(str(path))
    except OSError:
        connection.close()
        return None
    if not is_same_user(connection):
        connection.close()
        return None
    return connection


def is_same_user(connection: socket.socket) -> bool:
    """Ask the kernel who is at the other end; no when it does not say. Where it can't be asked at all, the
    socket's rights have to do."""
    try:
        uid = _uid_at_other_end(connection)
    except OSError:
        return False
    return uid is None or uid == os.geteuid()


def _uid_at_other_end(connection: socket.socket) -> int | None:
    if sys.platform == "linux":
        _, uid, _ = struct.unpack("3i", connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12))
        return int(uid)
    if sys.platform == "darwin":
        sol_local, local_peercred = 0, 1
        _, uid = struct.unpack("2I", connection.getsockopt(sol_local, local_peercred, 8))
        return int(uid)
    return None


def shut(connection: socket.socket) -> None:
    """End a connection from any thread: whoever reads or writes it sees that at once. It is still to be closed."""
    with contextlib.suppress(OSError):
        connection.shutdown(socket.SHUT_RDWR)


def _unix_socket() -> socket.socket:
    return socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)


def _clear(path: Path) -> None:
    """Remove a dead process's socket; nothing else is ever removed."""
    try:
        mode = path.lstat().st_mode
    except FileNotFoundError:
        return
    except OSError as error:
        raise StorageError(f"Can't use the local socket {path}: {error.strerror or error}.") from error
    if not stat.S_ISSOCK(mode):
        raise StorageError(f"{path} is no local socket.", "Move it away.")
    with _unix_socket() as probe:
        try:
            probe.connect(str(path))
        except ConnectionRefusedError:
            path.unlink(missing_ok=True)
        except OSError as error:
            raise StorageError(f"Can't use the local socket {path}: {error.strerror or error}.") from error
        else:
            raise DatabaseBusy(f"Another ARIA answers at {path}.", "Use that one, or close it.")
