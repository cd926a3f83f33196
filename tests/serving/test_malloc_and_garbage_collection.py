"""Threads of a worker free their memory."""

import gc
import subprocess
import sys
import weakref
from pathlib import Path

from serving.malloc_and_garbage_collection import free_memory, prepare_fork

SCRIPT = """
import os, re, threading
from pathlib import Path

from serving.malloc_and_garbage_collection import free_memory
from adoption.accounts.password_hashes import PASSWORDS
from wsgi import create_server

def memory():
    return int(re.search(r"VmRSS:\\s+(\\d+)", Path("/proc/self/status").read_text())[1])

def hash_passwords():
    for _ in range(3):
        PASSWORDS.hash("a password")
    done.wait()
    done.wait()

create_server()
before, done = memory(), threading.Barrier(6)
threads = [threading.Thread(target=hash_passwords) for _ in range(5)]
for each in threads:
    each.start()
done.wait()
print(memory() - before, flush=True)
os._exit(0)
"""


def test_threads_free_the_memory_of_password_hashing(tmp_path: Path) -> None:
    environ = {"HOMEWARD_INSTANCE": str(tmp_path), "PATH": "/usr/bin:/bin"}
    ran = subprocess.run([sys.executable, "-c", SCRIPT], env=environ, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    assert int(ran.stdout.split()[-1]) < 19_456  # the memory of one hash, in kB


def test_a_job_leaves_no_garbage_that_only_refers_to_itself() -> None:
    class Row:
        pass

    row = Row()
    row.itself = row  # type: ignore[attr-defined]
    left = weakref.ref(row)
    gc.disable()
    try:
        del row
        assert left() is not None
        free_memory()
        assert left() is None
    finally:
        gc.enable()


def test_objects_before_a_fork_are_left_out_of_the_search_for_cycles() -> None:
    before = [[]]
    try:
        prepare_fork()
        assert not any(each is before for each in gc.get_objects())
    finally:
        gc.unfreeze()
