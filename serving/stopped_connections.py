"""Connections on which nothing moves any more are closed, so that none keeps its thread for ever.

Granian waits without a limit for the rest of a body, and for a client that has stopped reading.
"""

import socket
import struct
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path

LIMIT = 90.0
"""Seconds. The edge waits up to 60 for an answer, and nothing moves meanwhile."""
CHECK_EVERY = 10.0
LAST_SENT, LAST_RECEIVED = 44, 52
"""Where Linux's ``struct tcp_info`` has the milliseconds since data was sent and received last."""


def close_stopped_connections(port: int, limit: float = LIMIT, check_every: float = CHECK_EVERY) -> None:
    """Watch over this process's connections to a port, in a thread of its own. Only Linux reports on them."""
    if sys.platform == "linux":
        watching = (port, limit, check_every)
        threading.Thread(target=keep_closing, args=watching, name="stopped-connections", daemon=True).start()


def keep_closing(port: int, limit: float, check_every: float) -> None:
    while True:
        time.sleep(check_every)
        close_stopped(port, limit)


def close_stopped(port: int, limit: float) -> None:
    """End those of this process's connections to a port on which nothing has moved for ``limit`` seconds."""
    for file in Path("/proc/self/fd").iterdir():
        with suppress(OSError):  # closed meanwhile, or no connection
            # No copy: closing the copy of a file would end SQLite's locks of that file.
            connection = socket.socket(fileno=int(file.name))
            try:
                end_if_stopped(connection, port, limit)
            finally:
                connection.detach()  # its owner closes it


def end_if_stopped(connection: socket.socket, port: int, limit: float) -> None:
    if connection.getsockname()[1:2] != (port,) or is_listening(connection):
        return
    report = connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, LAST_RECEIVED + 4)
    moved = min(struct.unpack_from("I", report, at)[0] for at in (LAST_SENT, LAST_RECEIVED))
    if moved > limit * 1_000:
        connection.shutdown(socket.SHUT_RDWR)


def is_listening(connection: socket.socket) -> bool:
    return bool(connection.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN))
