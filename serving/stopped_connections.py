"""Connections on which nothing moves any more are closed, so that none keeps its thread for ever.

Granian waits without a limit for the rest of a body, and for a client that has stopped reading.
"""

import os
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
        for file in Path("/proc/self/fd").iterdir():
            with suppress(OSError):  # closed meanwhile, or no connection
                close_if_stopped(int(file.name), port, limit)


def close_if_stopped(number: int, port: int, limit: float) -> None:
    """End a connection, which stays its owner's to close. Raise OSError if this is no connection."""
    with copy_of(number) as connection:
        if connection.getsockname()[1:2] != (port,) or is_listening(connection):
            return
        report = connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, LAST_RECEIVED + 4)
        moved = min(struct.unpack_from("I", report, at)[0] for at in (LAST_SENT, LAST_RECEIVED))
        if moved > limit * 1_000:
            connection.shutdown(socket.SHUT_RDWR)


def copy_of(number: int) -> socket.socket:
    """Return another name for a connection. It stays the same one even if the number gets another."""
    copied = os.dup(number)
    try:
        return socket.socket(fileno=copied)
    except OSError:
        os.close(copied)
        raise


def is_listening(connection: socket.socket) -> bool:
    return bool(connection.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN))
