"""A shelter with a domain in every state that the page of domains can show."""

from datetime import UTC, datetime, timedelta

from adoption.accounts.actions import set_plan
from adoption.domains.caa import Permission
from adoption.domains.checks import Record, Report
from adoption.domains.reports import EMPTY, kept
from tests import domains, factories

CONNECTED_OWNER, FREE_OWNER = "owner@willowbank.example", "owner@heron.example"
TARGET = "sites.homeward.example"

CONFLICT = Record(
    "A",
    "adoptions",
    ("198.51.100.7",),
    TARGET,
    False,
    "a_conflict",
    "Delete the A record for 198.51.100.7.",
    f"Where it stands there can be no CNAME. Then add the CNAME for adoptions to {TARGET}.",
)
TEXT = Record("TXT", "_homeward.adoptions", ("hw-verify=zq",), "hw-verify=zq", True, "txt_ok")
BLOCKED = Permission(
    False,
    "caa_blocks",
    "willowbank.example",
    ('0 issue "digicert.com"',),
    'Add a CAA record at willowbank.example with the value 0 issue "letsencrypt.org". The records there '
    "allow others alone to issue certificates. Keep those that another service of yours needs.",
)
MISSING = Record(
    "ALIAS",
    "@",
    (),
    TARGET,
    False,
    "missing",
    "Add the ALIAS record for @ at your DNS provider.",
    "There is none yet. New records can take up to 48 hours to be seen everywhere.",
)
MOVED = Record(
    "CNAME",
    "old",
    ("old.example.com",),
    TARGET,
    False,
    "cname_wrong",
    f"Edit the CNAME for old and replace its value with {TARGET}.",
    "It still names old.example.com.",
)


def connect(password: str) -> dict[str, str]:
    """Make it; gives the paths of its pages."""
    now = datetime.now(UTC)
    made = factories.project("Willowbank Rescue", owner=CONNECTED_OWNER, password=password)
    set_plan(made.slug, "pro")
    free = factories.project("Heron Rescue", owner=FREE_OWNER, password=password)
    seen = {"checked_at": now, "created_at": now}
    waits = {"verified_host": None, "state": "unverified", "watched_since": now, "created_at": now}
    waits["next_check_at"] = now + timedelta(days=1)

    def row(host: str, record: Record | None = None, caa: Permission = EMPTY.caa, **rest: object) -> int:
        report = kept(Report((record, TEXT) if record is CONFLICT else (record,), caa)) if record else ""
        return domains.row(made.id, f"{host}willowbank.example", report=report, **rest)

    primary = row("adopt.", primary_of=made.id, verified_at=now, **seen)
    other = row("www.", redirect_status=301, verified_at=now, **seen)
    row("adoptions.", CONFLICT, BLOCKED, redirect_status=301, **{**seen, **waits})
    row("", MISSING, **{**seen, **waits})
    why = "The DNS server did not answer in time. Nothing has changed, and we look again by ourselves."
    row("xn--bcher-kva.", unanswered_at=now, unanswered_why=why, **waits)
    row("old.", MOVED, state="attention", verified_at=now, **seen)
    here = f"/projects/{made.slug}/domains"
    paths = {"removal": f"/{primary}/removal", "redirect": f"/{other}/redirect"}
    return {
        "domains": here,
        "domains-plan": f"/projects/{free.slug}/domains",
        **{f"domain-{name}": f"{here}{path}" for name, path in paths.items()},
    }
