"""The audit log: who did what to which thing, when, and from where. It is read here and changed nowhere."""

import csv
import io
from collections.abc import Sequence
from typing import Any, NamedTuple

from flask import Response, make_response, render_template, request, url_for

from adoption.accounts.access import Place
from adoption.animals.spreadsheets.exports import shielded
from adoption.audit.models import AuditEntry
from adoption.audit.trail import ACTIONS, KINDS, Wanted, actors_of, entries_of
from adoption.database import reading
from portal.answers import CSV, attached
from portal.instants import stamp
from portal.numbers import id_in
from portal.staff import may, staff

PAGE = 50
CSV_MOST = 20_000
"""Entries in one file."""
KIND_LABELS = {
    "animals": "Animals and photos",
    "applications": "Applications",
    "site": "The site",
    "domains": "Domains",
    "keys": "API keys",
    "team": "The team",
    "account": "Account and plan",
}


class Row(NamedTuple):
    who: str
    did: str
    thing: str
    detail: str
    address: str
    when: Any


@staff.get("/audit")
@may("audit.see")
def audit(place: Place) -> Response:
    wanted = wanted_by_reader()
    with reading() as session:
        entries = entries_of(session, place.account.id, wanted, PAGE + 1)
        actors = actors_of(session, place.account.id)
    narrowed: dict[str, Any] = {"actor": wanted.actor or None, "kind": wanted.kind or None}
    older = entries[PAGE - 1].id if len(entries) > PAGE else None
    words = {
        "rows": [row_of(entry) for entry in entries[:PAGE]],
        "wanted": wanted,
        "actors": actors,
        "kinds": KIND_LABELS,
        "older": older and url_for(".audit", before=older, **narrowed),
        "newest": url_for(".audit", **narrowed) if wanted.before else None,
        "file": url_for(".audit_file", **narrowed),
    }
    return make_response(render_template("staff/audit/index.html", **words))


@staff.get("/audit.csv")
@may("audit.see")
def audit_file(place: Place) -> Response:
    """The same as a spreadsheet reads it: RFC 4180, in UTF-8."""
    with reading() as session:
        entries = entries_of(session, place.account.id, wanted_by_reader()._replace(before=None), CSV_MOST)
    return attached(make_response(text_of(entries)), f"audit-{place.project.slug}.csv", CSV)


def text_of(entries: Sequence[AuditEntry]) -> str:
    text = io.StringIO()
    lines = csv.writer(text)
    lines.writerow(["when", "who", "action", "thing", "detail", "address"])
    for one in entries:
        cells = (one.actor, ACTIONS.get(one.action, one.action), one.thing, one.detail, one.address)
        lines.writerow([f"{one.created_at:%Y-%m-%dT%H:%M:%SZ}", *map(shielded, cells)])
    return "\ufeff" + text.getvalue()


def wanted_by_reader() -> Wanted:
    """What the address asks for; what cannot be meant is as if it were not there."""
    kind = request.args.get("kind", "")
    return Wanted(
        request.args.get("actor", "").replace("\x00", "")[:254],
        kind if kind in KINDS else "",
        id_in(request.args.get("before", "")),
    )


def row_of(entry: AuditEntry) -> Row:
    return Row(
        entry.actor,
        ACTIONS.get(entry.action, entry.action),
        entry.thing,
        entry.detail,
        entry.address,
        stamp(entry.created_at, f"{entry.created_at.day} {entry.created_at:%b %Y, %H:%M} UTC"),
    )
