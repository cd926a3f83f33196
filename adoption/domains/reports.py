"""A report as it is kept with the domain, and as programs read it."""

import json
from typing import Any

from adoption.domains.caa import NONE, Permission
from adoption.domains.records import Record, Report

EMPTY = Report((), Permission(True, NONE))


def kept(report: Report) -> str:
    return json.dumps([[list(record) for record in report.records], list(report.caa)])


def read(text: str) -> Report:
    """The report that was kept; an empty one where there was none."""
    if not text:
        return EMPTY
    records, caa = json.loads(text)
    ok, code, at, found, *words = caa
    return Report(tuple(map(record_of, records)), Permission(ok, code, at, tuple(found), *words))


def record_of(row: list[Any]) -> Record:
    kind, name, found, expected, ok, code, fix, why, *right = row
    return Record(kind, name, tuple(found), expected, ok, code, fix, why, tuple(*right))


def told(report: Report) -> dict[str, Any]:
    """The records and CAA as ``homeward domain verify --json`` has them."""
    caa = report.caa
    return {
        "records": [
            {
                "type": record.type,
                "name": record.name,
                "found": list(record.found),
                "expected": record.expected,
                "ok": record.ok,
                "code": record.code,
                "hint": record.hint,
            }
            for record in report.records
        ],
        "caa": {"ok": caa.ok, "at": caa.at, "code": caa.code, "found": list(caa.found), "hint": caa.hint},
    }
