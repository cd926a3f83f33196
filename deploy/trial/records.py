"""The DNS records of a trial, read from a file that people edit while the name server runs."""

import sys
from pathlib import Path

from dnslib import DNSRecord
from dnslib.server import DNSHandler

from deploy.trial.name_server import KINDS, Records, caa

TYPES = {**KINDS, "CAA": caa}
EXPLANATION = """\
# The DNS records of this trial. A line is a name, a type and a value. It applies once you save.
# Types: {types}. A name may begin with *. for all names below it.
"""


class RecordsFile(Records):
    """Records from a file. The file is read again after each change."""

    def __init__(self, path: Path, *lines: str) -> None:
        super().__init__()
        self.path = path
        explanation = EXPLANATION.format(types=", ".join(sorted(TYPES)))
        path.write_text(explanation + "".join(f"{line}\n" for line in lines))
        self.read_at = 0

    def resolve(self, request: DNSRecord, handler: DNSHandler) -> DNSRecord:
        self.read_if_changed()
        return super().resolve(request, handler)

    def read_if_changed(self) -> None:
        try:
            changed_at = self.path.stat().st_mtime_ns
        except FileNotFoundError:
            return  # an editor is saving it
        if changed_at != self.read_at:
            self.read_at = changed_at
            self.read(self.path.read_text())

    def read(self, text: str) -> None:
        """Replace all records with the records in a text. Invalid lines are reported and ignored."""
        records: dict[tuple[str, str], list[str]] = {}
        for number, line in enumerate(text.splitlines(), 1):
            if not line.strip() or line.lstrip().startswith("#"):
                continue
            try:
                name, kind, value = parse_record(line)
            except ValueError as error:
                print(f"{self.path}, line {number}: {error}", file=sys.stderr)
                continue
            records.setdefault((name, kind), []).append(value)
        self.records = records


def parse_record(line: str) -> tuple[str, str, str]:
    """Return the name, type and value of a line. Raises ValueError, with the mistake, if the line is
    invalid."""
    name, kind, value, *_ = [*line.split(None, 2), "", "", ""]
    name, kind, value = name.lower().removesuffix("."), kind.upper(), value.strip()
    if kind not in TYPES:
        raise ValueError(
            f"write NAME TYPE VALUE, such as: www.example.org CNAME sites.example.net ({line!r})"
        )
    try:
        TYPES[kind](value)
    except Exception as error:  # dnslib's parsers raise various errors
        raise ValueError(f"{value!r} is not a valid value for {kind}") from error
    return name, kind, value
