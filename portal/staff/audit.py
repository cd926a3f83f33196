"""The page of the audit log, and its CSV file."""

import csv
import io
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from flask import Response, make_response, render_template, request, url_for
from sqlalchemy.orm import Session

from adoption.accounts.display_names import ActorNames, names_of_actors, names_of_users
from adoption.accounts.project_access import ProjectAccess
from adoption.audit.action_labels import ACTIONS, KINDS
from adoption.audit.actors import FORGOTTEN
from adoption.audit.models import AuditEntry
from adoption.audit.trail import AuditFilter, actor_of, actors_of, audit_entries
from adoption.spreadsheets.exports.own_format import shield_formula
from adoption.storage.database import reading
from adoption.translations import gettext, message
from portal.dates import full_date_and_time, rfc3339
from portal.responses import CSV, as_download
from portal.staff import may, staff
from portal.url_converters import parse_id

PAGE = 50
CSV_MOST = 20_000
"""The most entries in one CSV file."""
KIND_LABELS = {
    "animals": message("Animals and photos"),
    "applications": message("Applications"),
    "site": message("The site"),
    "domains": message("Domains"),
    "keys": message("API keys"),
    "team": message("The team"),
    "account": message("Account and plan"),
}


class AuditRow(NamedTuple):
    who: str
    """The name of the person or API key that acted."""
    email: str
    """The person's email address. Empty if ``who`` already contains the address."""
    did: str
    thing: str
    detail: str
    address: str
    when: Any


@staff.get("/audit")
@may("audit.see")
def audit(access: ProjectAccess) -> Response:
    with reading() as session:
        wanted = wanted_by_reader(session, access)
        entries = audit_entries(session, access.account.id, wanted, PAGE + 1)
        actors = actors_of(session, access.account.id)
        names = names_of_actors(session, access.account.id, actors)
        rows = audit_rows(session, access.account.id, entries[:PAGE])
    narrowed: dict[str, Any] = {"actor": actors.get(wanted.actor), "kind": wanted.kind or None}
    older = entries[PAGE - 1].id if len(entries) > PAGE else None
    words = {
        "rows": rows,
        "wanted": wanted,
        "actors": [
            (actors[actor], label, actor == wanted.actor) for actor, label in actor_labels(actors, names)
        ],
        "kinds": KIND_LABELS,
        "older": older and url_for(".audit", before=older, **narrowed),
        "newest": url_for(".audit", **narrowed) if wanted.before else None,
        "file": url_for(".audit_file", **narrowed),
    }
    return make_response(render_template("staff/audit/index.html", **words))


@staff.get("/audit.csv")
@may("audit.see")
def audit_file(access: ProjectAccess) -> Response:
    """Return the entries as a CSV file (RFC 4180), in UTF-8.

    The file is not translated, because programs read it.
    """
    with reading() as session:
        wanted = wanted_by_reader(session, access)._replace(before=None)
        entries = audit_entries(session, access.account.id, wanted, CSV_MOST)
        names = names_of_actors(session, access.account.id, {entry.actor for entry in entries})
        text = entries_as_csv(entries, names, people_of(session, entries))
    return as_download(make_response(text), f"audit-{access.project.slug}.csv", CSV)


def entries_as_csv(entries: Sequence[AuditEntry], names: ActorNames, people: dict[int, str]) -> str:
    text = io.StringIO()
    lines = csv.writer(text)
    lines.writerow(["when", "who", "name", "action", "thing", "detail", "address"])
    for one in entries:
        action = ACTIONS.get(one.action, one.action)
        cells = (one.actor, entry_name(one, names, people), action, one.thing, one.detail, one.address)
        lines.writerow([rfc3339(one.created_at), *map(shield_formula, cells)])
    return "\ufeff" + text.getvalue()


def wanted_by_reader(session: Session, access: ProjectAccess) -> AuditFilter:
    """Return the filters in the address. Invalid filters are ignored."""
    kind = request.args.get("kind", "")
    return AuditFilter(
        actor_of(session, access.account.id, parse_id(request.args.get("actor", ""))),
        kind if kind in KINDS else "",
        parse_id(request.args.get("before", "")),
    )


def actor_labels(actors: Iterable[str], names: ActorNames) -> list[tuple[str, str]]:
    """Return each actor with its label, sorted by label."""
    labels = [(actor, actor_label(actor, names[actor])) for actor in actors]
    return sorted(labels, key=lambda pair: pair[1].casefold())


def actor_label(actor: str, name: str) -> str:
    return f"{name} ({actor})" if "@" in actor and name != actor else name


def audit_rows(session: Session, account_id: int, entries: Sequence[AuditEntry]) -> list[AuditRow]:
    """Return the entries as rows of the table."""
    names = names_of_actors(session, account_id, {entry.actor for entry in entries})
    people = people_of(session, entries)
    return [audit_row(entry, names, people) for entry in entries]


def people_of(session: Session, entries: Sequence[AuditEntry]) -> dict[int, str]:
    """Return the names of people by user id.

    Only some people are needed: their email address was deleted from the log, but they still have an account.
    """
    return names_of_users(session, {entry.user_id for entry in entries if entry.actor == FORGOTTEN})


def entry_name(entry: AuditEntry, names: ActorNames, people: dict[int, str]) -> str:
    return people.get(entry.user_id or 0) or names[entry.actor]


def audit_row(entry: AuditEntry, names: ActorNames, people: dict[int, str]) -> AuditRow:
    name = entry_name(entry, names, people)
    return AuditRow(
        name,
        entry.actor if "@" in entry.actor and entry.actor != name else "",
        gettext(ACTIONS.get(entry.action, entry.action)),
        entry.thing,
        entry.detail,
        entry.address or (gettext("Not kept") if entry.actor == FORGOTTEN else gettext("System")),
        full_date_and_time(entry.created_at),
    )
