"""A shelter with a domain in every state that the page of domains can show."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from adoption.accounts.plan_changes import set_plan
from adoption.domains.caa_checks import Permission
from adoption.domains.dns_records import CheckedRecord, Report
from adoption.domains.dns_report_json import dump_report
from adoption.domains.early_certificates import challenge_target
from adoption.domains.models import Domain
from tests import certificates, domains, factories

CONNECTED_OWNER, FREE_OWNER = "owner@willowbank.example", "owner@heron.example"
TARGET = "sites.homeward.example"
EARLY_ZONE = "_acme.homeward.example"
DAY = timedelta(days=1)

CONFLICT = CheckedRecord(
    "A",
    "adoptions",
    ("198.51.100.7",),
    TARGET,
    False,
    "a_conflict",
    "Delete the A record named adoptions with the value 198.51.100.7.",
    "The A record sends visitors to another website, and no CNAME record can be added beside it.",
)
TEXT = CheckedRecord("TXT", "_homeward.adoptions", ("hw-verify=zq",), "hw-verify=zq", True, "txt_ok")
BLOCKED = Permission(
    False,
    "caa_blocks",
    "willowbank.example",
    ('0 issue "digicert.com"',),
    'Add a CAA record with the name @ and the value 0 issue "letsencrypt.org".',
    "CAA records say who may issue certificates, which browsers need for the padlock. Your domain allows "
    "only DigiCert. Our certificates come from Let's Encrypt. Keep the CAA records that are there.",
    '0 issue "letsencrypt.org"',
)
MISSING = CheckedRecord(
    "ALIAS",
    "@",
    (),
    TARGET,
    False,
    "missing",
    f"Add an ALIAS record with the name @ and the value {TARGET}.",
    "We have not found the record yet. A new record is usually there within minutes, but it can take up "
    "to 48 hours.",
)
MOVED = CheckedRecord(
    "CNAME",
    "old",
    ("old.example.com",),
    TARGET,
    False,
    "cname_wrong",
    f"Edit the CNAME record named old: replace its value with {TARGET}.",
    "The record still leads to old.example.com.",
)


GODADDY = "ns01.domaincontrol.com ns02.domaincontrol.com"
ALLOWED = Permission(True, "caa_none")
RIGHT = CheckedRecord("CNAME", "adopt", (TARGET,), TARGET, True, "cname_ok")
UNAUTHORIZED = "The key authorization file from the server did not match this challenge."
LIMITED = (
    "too many certificates (5) already issued for this exact set of identifiers in the last 168h0m0s, retry "
    "after 2026-12-05 10:14:00 UTC: see https://letsencrypt.org/docs/rate-limits/"
)


@dataclass
class Rows:
    """Adds domains of one project, each with the state of its certificate."""

    project_id: int
    now: datetime

    def add(
        self, name: str, record: CheckedRecord | None = RIGHT, caa: Permission = ALLOWED, **rest: Any
    ) -> int:
        mine = record._replace(name=name.rstrip(".")) if record is RIGHT else record
        records = (mine, TEXT) if record is CONFLICT else (mine,)
        report = dump_report(Report(records, caa)) if mine else ""
        seen = {"checked_at": self.now, "created_at": self.now, "caa_allows": caa.ok, "name_servers": GODADDY}
        return domains.add_verified_row(
            self.project_id, f"{name}willowbank.example", report=report, **seen | rest
        )

    def waiting(self, name: str, record: CheckedRecord | None = None, **rest: Any) -> int:
        """Add a domain whose DNS is not right yet."""
        until = {"verified_host": None, "state": "unverified", "next_check_at": self.now + DAY}
        return self.add(name, record, watched_since=self.now, **until | rest)

    def verified(self, name: str, minutes: int = 2, **rest: Any) -> int:
        """Add a domain whose DNS has been right for this long. It redirects its visitors."""
        since = self.now - timedelta(minutes=minutes)
        return self.add(name, verified_at=since, **{"redirect_status": 301, **rest})


def add_connected_shelters(password: str) -> dict[str, str]:
    """Add the shelters. Return the paths of their Domains pages."""
    now = datetime.now(UTC)
    made = factories.project("Willowbank Rescue", owner=CONNECTED_OWNER, password=password)
    free = factories.project("Heron Rescue", owner=FREE_OWNER, password=password)
    set_plan(made.slug, "pro")
    rows = Rows(made.id, now)
    primary = rows.verified("adopt.", primary_of=made.id, redirect_status=None)
    other = rows.verified("www.")
    for each in (primary, other):
        certificates.add_certificate(each, now - 20 * DAY)
    rows.waiting("adoptions.", CONFLICT, caa=BLOCKED, redirect_status=301)
    rows.waiting("", MISSING)
    why = "The DNS server did not answer in time. Nothing has changed, and we check again automatically."
    rows.waiting("xn--bcher-kva.", unanswered_at=now, unanswered_why=why, checked_at=None)
    moved = rows.add("old.", MOVED, state="attention", verified_at=now)
    certificates.add_certificate(moved, now - 20 * DAY)
    rows.verified("caa.", caa=BLOCKED, next_check_at=now + DAY)
    add_pending_certificates(rows)
    add_failed_certificates(rows)
    here = f"/projects/{made.slug}/domains"
    paths = {"removal": f"/{primary}/removal", "redirect": f"/{other}/redirect"}
    paths |= {"history": f"/{primary}/history", "https": f"/{primary}/https"}
    return {
        "domains": here,
        "domains-plan": f"/projects/{free.slug}/domains",
        **{f"domain-{name}": f"{here}{path}" for name, path in paths.items()},
    }


def add_pending_certificates(rows: Rows) -> None:
    """Add domains whose certificate is being ordered."""
    now = rows.now
    certificates.add_acme_order(rows.verified("ordered."), now)
    unreached = "The certificate authority could not be reached."
    certificates.add_acme_order(rows.verified("silent."), now, unreached=3, unreached_why=unreached)
    certificates.add_acme_order(rows.verified("checked."), now, state="validating")
    unseen = {"seen_at": None, "live_since": None, "next_look_at": now + certificates.FAR}
    certificates.add_certificate(rows.verified("issued."), now, **unseen)
    other = "The server for HTTPS still shows another certificate."
    certificates.add_certificate(rows.verified("unseen."), now, **unseen, unseen_why=other)
    certificates.add_acme_order(rows.verified("late.", minutes=45), now, state="validating")
    record = challenge_target(Domain(token="hw-verify=zq"), EARLY_ZONE)
    moving = rows.waiting("moving.", CONFLICT, challenge_found=record, challenge_ready=True)
    certificates.add_certificate(moving, now, **unseen)
    rows.waiting("misled.", CONFLICT, challenge_found="another.example")


def add_failed_certificates(rows: Rows) -> None:
    """Add domains whose certificate the authority refused to issue or renew."""
    now = rows.now
    certificates.add_failed_order(rows.verified("refused."), now, "unauthorized", UNAUTHORIZED)
    certificates.add_failed_order(rows.verified("limited.", minutes=45), now, "rateLimited", LIMITED)
    unrenewed, over = rows.verified("unrenewed."), rows.verified("over.", minutes=9000)
    certificates.add_certificate(unrenewed, now - 70 * DAY, renew_at=now + DAY)
    certificates.add_failed_order(
        unrenewed, now, "connection", "Fetching http://unrenewed: Timeout during connect"
    )
    certificates.add_certificate(over, now - 91 * DAY, renew_at=now - DAY)
    certificates.add_failed_order(over, now, "caa", "CAA record for willowbank.example prevents issuance")
