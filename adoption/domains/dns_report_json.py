"""Reports of DNS checks as JSON: the format in the database, and the format that commands print."""

import json
from typing import Any

from adoption.domains.caa_checks import NONE, Permission
from adoption.domains.dns_records import CheckedRecord, Report

EMPTY = Report((), Permission(True, NONE))


def dump_report(report: Report) -> str:
    rows, warnings = ([list(record) for record in records] for records in (report.records, report.warnings))
    return json.dumps([rows, list(report.caa), warnings])


def load_report(text: str) -> Report:
    """Return the report in a stored text. An empty text means an empty report."""
    if not text:
        return EMPTY
    records, caa, *warnings = json.loads(text)
    ok, code, at, found, *words = caa
    permission = Permission(ok, code, at, tuple(found), *words)
    return Report(
        tuple(map(load_record, records)),
        permission,
        warnings=tuple(map(load_record, *warnings)) if warnings else (),
    )


def load_record(row: list[Any]) -> CheckedRecord:
    kind, name, found, expected, ok, code, fix, why, *values = row
    return CheckedRecord(kind, name, tuple(found), expected, ok, code, fix, why, *map(tuple, values))


def report_as_json(report: Report) -> dict[str, Any]:
    """Return the report's records and CAA for ``homeward domain verify --json``."""
    caa = report.caa
    return {
        "records": list(map(record_as_json, report.records)),
        "warnings": list(map(record_as_json, report.warnings)),
        "caa": {"ok": caa.ok, "at": caa.at, "code": caa.code, "found": list(caa.found), "hint": caa.hint},
    }


def record_as_json(record: CheckedRecord) -> dict[str, Any]:
    return {
        "type": record.type,
        "name": record.name,
        "found": list(record.found),
        "expected": record.expected,
        "ok": record.ok,
        "code": record.code,
        "hint": record.hint,
    }
