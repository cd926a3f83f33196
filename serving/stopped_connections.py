"""Closing of stalled connections, so that none occupies its thread for ever.

Granian waits without a timeout for the rest of a body, and for a client that stopped reading.
"""

import socket
import struct
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path

LIMIT = 90.0
"""Seconds. It is longer than the 60 seconds that the edge may wait for a response without any data."""
CHECK_EVERY = 10.0
LAST_SENT, LAST_RECEIVED = 44, 52
"""Offsets in Linux's ``struct tcp_info`` of the milliseconds since data was last sent and received."""


def close_stopped_connections(port: int, limit: float = LIMIT, check_every: float = CHECK_EVERY) -> None:
    """Start a thread that closes this process's stalled connections to a port. It works only on Linux."""
    if sys.platform == "linux":
        watching = (port, limit, check_every)
        threading.Thread(target=keep_closing, args=watching, name="stopped-connections", daemon=True).start()


def keep_closing(port: int, limit: float, check_every: float) -> None:
    while True:
        time.sleep(check_every)
        close_stopped(port, limit)


def close_stopped(port: int, limit: float) -> None:
    """Close this process's connections to a port without any data for ``limit`` seconds."""
    for file in Path("/proc/self/fd").iterdir():
        with suppress(OSError):  # closed meanwhile, or not a connection
            # The descriptor is not duplicated: closing a duplicate would release SQLite's locks of its file.
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
