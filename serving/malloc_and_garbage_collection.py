"""Memory that is returned to the system or shared by processes."""

import ctypes
import gc

LARGE_BLOCK = 1_048_576
MMAP_THRESHOLD = -3
"""``M_MMAP_THRESHOLD`` of glibc's malloc.h."""


def return_large_blocks() -> None:
    """Configure the C library to return large blocks of memory to the system as soon as they are freed.

    Otherwise each thread that has hashed a password keeps 19 MB, the memory for hashing. Only glibc has this
    setting.
    """
    if mallopt := getattr(ctypes.CDLL(None), "mallopt", None):
        mallopt(MMAP_THRESHOLD, LARGE_BLOCK)


def free_memory() -> None:
    """Free objects in reference cycles, and return the memory to the system.

    Python looks for cycles only after many new objects, so a few large texts may stay. After several imports
    of 50 MB each, the queue's process had 204 MB instead of 86 MB.
    """
    gc.collect()
    if trim := getattr(ctypes.CDLL(None), "malloc_trim", None):
        trim(0)


def prepare_fork() -> None:
    """Make the next children share the memory of the present objects with this process.

    Python's search for reference cycles writes to each object that is not frozen, so the system would copy
    the objects for each child. Without this function, a web worker under load had 82 MB instead of 72 MB.
    """
    gc.collect()
    gc.freeze()
