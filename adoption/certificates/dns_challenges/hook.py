"""The operator's hook: a command that sets and removes TXT records."""

import logging
import math
import os
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import NamedTuple

from adoption.settings_parsing import PREFIX

log = logging.getLogger("homeward.certificates")

SECONDS = 20.0
FIRST_REST, LONGEST_REST = 120.0, 3_600.0
"""The shortest and the longest pause after a timeout of the hook, in seconds. The pause doubles with each
timeout in a row. Without a pause, a hanging hook would delay all orders, because orders wait while the hook
runs."""
OUTPUT_LONGEST = 1_000


class Rest(NamedTuple):
    """A pause after a hook timed out."""

    seconds: float
    ends: float
    """The end of the pause on a monotonic clock."""


RESTS: dict[tuple[str, ...], Rest] = {}
"""The current pauses, by the command of the hook."""


class HookFailed(Exception):
    """The hook failed. The message contains the reason and the hook's output."""


class DnsHook:
    """The hook, run as ``COMMAND set NAME VALUE`` or ``COMMAND remove NAME VALUE``, without a shell."""

    def __init__(
        self,
        command: Sequence[str],
        seconds: float = SECONDS,
        clock: Callable[[], float] = time.monotonic,
        machine: str = "",
    ) -> None:
        self.command = tuple(command)
        self.seconds, self.clock = seconds, clock
        self.machine = machine or socket.gethostname()

    def set(self, name: str, value: str) -> None:
        """Add a TXT record, and keep other records with the name. Raises HookFailed if the hook fails."""
        self.run("set", name, value)

    def remove(self, name: str, value: str) -> None:
        """Remove a TXT record, even if it no longer exists. Raises HookFailed if the hook fails."""
        self.run("remove", name, value)

    def run(self, *arguments: str) -> None:
        words = " ".join(arguments)
        self.check_rest(words)
        code, output = self.result_of(arguments)
        RESTS.pop(self.command, None)
        if code:
            raise HookFailed(f"The hook ended with code {code} ({words}): {output or 'no output'}")
        log.info("hook: %s%s", words, f": {output}" if output else "")

    def check_rest(self, words: str) -> None:
        """Raise HookFailed if the hook is in a pause after a timeout."""
        rest = RESTS.get(self.command)
        if rest and self.clock() < rest.ends:
            minutes = math.ceil((rest.ends - self.clock()) / 60)
            raise HookFailed(
                f"The hook timed out last time. The service runs it again in {minutes} min ({words})."
            )

    def result_of(self, arguments: Sequence[str]) -> tuple[int, str]:
        """Run the command. Return its exit code and output. Raises HookFailed if the command times out."""
        words = " ".join(arguments)
        try:
            # A separate session, so that a timeout also kills the processes that the hook started.
            running = subprocess.Popen(  # noqa: S603 - the operator's own command, without a shell
                [*self.command, *arguments],
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
                self.rest_longer()
                raise HookFailed(
                    f"The hook did not end within {self.seconds:g} seconds ({words})."
                ) from error
        return running.returncode, last_output(output)

    def rest_longer(self) -> None:
        before = RESTS.get(self.command)
        seconds = min(before.seconds * 2, LONGEST_REST) if before else FIRST_REST
        RESTS[self.command] = Rest(seconds, self.clock() + seconds)


def without_settings(environ: Mapping[str, str]) -> dict[str, str]:
    """Return the environment without our settings, because some of them are secrets."""
    return {name: value for name, value in environ.items() if not name.startswith(PREFIX)}


def last_output(output: bytes) -> str:
    """Return the end of a command's output, as one line."""
    text = " ".join(output.decode("utf-8", "replace").split())
    shown = "".join(letter if letter.isprintable() else "�" for letter in text)
    return shown if len(shown) <= OUTPUT_LONGEST else f"…{shown[-OUTPUT_LONGEST:]}"
