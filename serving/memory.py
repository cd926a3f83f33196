"""Memory that goes back to the system when it is no longer needed."""

import ctypes

LARGE_BLOCK = 1_048_576
MMAP_THRESHOLD = -3
"""``M_MMAP_THRESHOLD`` of glibc's malloc.h."""


def return_large_blocks() -> None:
    """Have the C library return large blocks of memory to the system as soon as they are freed.

    Otherwise glibc keeps what a password's hash needs, 19 MB, in each thread that ever made one. Other C
    libraries have no such setting.
    """
    if mallopt := getattr(ctypes.CDLL(None), "mallopt", None):
        mallopt(MMAP_THRESHOLD, LARGE_BLOCK)
