"""The operator's hook: a command that sets and removes TXT records."""

import logging
import os
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress

from adoption.setting_values import PREFIX

log = logging.getLogger("homeward.certificates")

SET, REMOVE = "set", "remove"
SECONDS = 20.0
REST_SECONDS = 120.0
"""How long a hook that did not end is not run again. Orders that need no hook wait behind each run."""
OUTPUT_LONGEST = 1_000
RESTING: dict[tuple[str, ...], float] = {}
"""Until when each command is not run, by the clock that only goes forward."""


class HookFailed(Exception):
    """The hook did not do its work. The message says why, with what the hook printed."""


class DnsHook:
    """Run as ``COMMAND set NAME VALUE`` and ``COMMAND remove NAME VALUE``, without a shell."""

    def __init__(self, command: Sequence[str], seconds: float = SECONDS) -> None:
        self.command = tuple(command)
        self.seconds = seconds

    def set(self, name: str, value: str) -> None:
        """Add a TXT record; other records with the name stay. Raise HookFailed."""
        self.run(SET, name, value)

    def remove(self, name: str, value: str) -> None:
        """Remove a TXT record, which may be gone already. Raise HookFailed."""
        self.run(REMOVE, name, value)

    def run(self, verb: str, name: str, value: str) -> None:
        words = f"{verb} {name} {value}"
        if time.monotonic() < RESTING.get(self.command, 0):
            raise HookFailed(f"The hook did not end the last time, so it is not run for a moment ({words}).")
        try:
            # A session of its own, so that what the hook itself has started ends with it.
            running = subprocess.Popen(  # noqa: S603 - the operator's own command, without a shell
                [*self.command, verb, name, value],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                env=without_settings(os.environ),
                start_new_session=True,
            )
        except OSError as error:
            raise HookFailed(f"The hook could not be started ({words}): {error.strerror}.") from error
        with running:
            try:
                output, _ = running.communicate(timeout=self.seconds)
            except subprocess.TimeoutExpired as error:
                with suppress(ProcessLookupError):
                    os.killpg(running.pid, signal.SIGKILL)
                RESTING[self.command] = time.monotonic() + REST_SECONDS
                raise HookFailed(
                    f"The hook did not end within {self.seconds:g} seconds ({words})."
                ) from error
        said = legible(output)
        if running.returncode:
            raise HookFailed(
                f"The hook ended with code {running.returncode} ({words}): {said or 'no output'}"
            )
        log.info("hook: %s%s", words, f": {said}" if said else "")


def without_settings(environ: Mapping[str, str]) -> dict[str, str]:
    """Return the environment without our own settings, some of which are secrets."""
    return {name: value for name, value in environ.items() if not name.startswith(PREFIX)}


def legible(output: bytes) -> str:
    """Return the end of what a command printed, as one line."""
    text = " ".join(output.decode("utf-8", "replace").split())
    shown = "".join(letter if letter.isprintable() else "�" for letter in text)
    return shown if len(shown) <= OUTPUT_LONGEST else f"…{shown[-OUTPUT_LONGEST:]}"
