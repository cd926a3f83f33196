"""Domains with broken DNSSEC. Their zone answers, but validating resolvers refuse the zone's records."""

import re
from datetime import UTC, datetime
from html import unescape

import pytest
from sqlalchemy import func, select, update

from adoption.accounts.plan_changes import set_plan
from adoption.certificates.models import AcmeOrder
from adoption.domains.models import Domain
from adoption.storage import queue
from adoption.storage.database import reading, transaction
from tests import factories
from tests.cast import PASSWORD
from tests.edge.environment import PLATFORM, Environment
from tests.waiting import wait_for

pytestmark = pytest.mark.parametrize("environment", ["embedded"], indirect=True)

SITE = f"https://{PLATFORM}"
WHO_ACTS = (
    "Ask your DNS provider to repair DNSSEC for {zone}, or to turn it off. DNSSEC signs your records. Other "
    "DNS servers refuse your records (SERVFAIL), because their signature is wrong. Many visitors cannot "
    "reach you, and no certificate can be issued until this is fixed."
)
TOKEN = re.compile(r'name="csrf_token" value="([^"]+)"')


class Shelter:
    """A shelter with one domain, and the browser of its owner."""

    def __init__(self, environment: Environment, name: str) -> None:
        self.environment, self.zone = environment, f"{name}.example"
        self.host = f"adopt.{self.zone}"
        with environment.app.app_context():
            made = factories.project(name, owner=f"owner@{self.zone}", password=PASSWORD)
            set_plan(made.slug, "pro")
        self.slug, self.client = made.slug, environment.app.test_client()
        self.send("/sign-in", "/sign-in", email=f"owner@{self.zone}", password=PASSWORD)

    def send(self, form: str, path: str, **fields: str) -> None:
        """Send the form of a page."""
        [token, *_] = TOKEN.findall(self.client.get(form, base_url=SITE).text)
        answer = self.client.post(path, data={"csrf_token": token, **fields}, base_url=SITE)
        assert answer.status_code == 303, answer.text

    def page(self) -> str:
        """Return the text of the Domains page."""
        text = self.client.get(f"/projects/{self.slug}/domains", base_url=SITE).text
        text = re.sub(r"<template.*?</template>|<[^>]+>", " ", text, flags=re.DOTALL)
        return re.sub(r"\s+", " ", unescape(text))

    def break_dnssec(self) -> None:
        self.environment.zone.bogus.add(self.zone)

    def repair_dnssec(self) -> None:
        self.environment.zone.bogus.remove(self.zone)

    def skip_pauses(self) -> None:
        """Make the next automatic check and the next order due immediately."""
        now = datetime.now(UTC)
        with self.environment.app.app_context():
            with transaction() as session:
                own = select(Domain.id).where(Domain.host == self.host)
                failed = update(AcmeOrder).where(
                    AcmeOrder.domain_id.in_(own), AcmeOrder.next_try_at.is_not(None)
                )
                session.execute(failed.values(next_try_at=now))
                session.execute(update(Domain).where(Domain.host == self.host).values(next_check_at=now))
            queue.start_job("check_domains")

    def checks(self) -> datetime | None:
        """Return when DNS was last checked."""
        with self.environment.app.app_context(), reading() as session:
            return session.scalar(select(Domain.checked_at).where(Domain.host == self.host))

    def orders(self) -> int:
        """Return the number of orders, including failed ones."""
        own = select(func.count(AcmeOrder.id)).join(Domain, Domain.id == AcmeOrder.domain_id)
        with self.environment.app.app_context(), reading() as session:
            return session.scalar(own.where(Domain.host == self.host)) or 0


def test_no_certificate_is_ordered_while_dnssec_is_broken(environment: Environment) -> None:
    shelter = Shelter(environment, "bogus-before")
    host = environment.add(shelter.host, shelter.slug)
    environment.point_here(host)
    shelter.break_dnssec()
    result = environment.verify(host)
    assert (result["dns"], [each["code"] for each in result["warnings"]]) == ("unverified", ["dnssec_broken"])
    page = shelter.page()
    assert WHO_ACTS.format(zone=shelter.zone) in page
    assert "DNSSEC needs a fix" in page
    assert "DNS check failed DNSSEC to fix, see below." in page
    environment.add_live()  # added later, so an order of the first domain would have begun by now
    assert (shelter.orders(), environment.certificate(host)["state"]) == (0, "none")
    shelter.repair_dnssec()
    shelter.skip_pauses()
    environment.wait_for_state("live", host)
    assert "DNSSEC" not in shelter.page()
    assert environment.visit(host).status == 200


def test_dnssec_that_breaks_after_verification_is_named_after_the_refusal(environment: Environment) -> None:
    shelter = Shelter(environment, "bogus-after")
    environment.authority.pause()
    try:
        host = environment.add_verified(shelter.host, shelter.slug)
        wait_for("the order", lambda: environment.order_under_way(host))
        shelter.break_dnssec()
    finally:
        environment.authority.resume()
    environment.wait_for_state("failed", host)
    assert "could not resolve URL" in environment.certificate(host)["detail"]
    # The refusal itself starts a DNS check.
    wait_for("the page to name DNSSEC", lambda: "DNSSEC needs a fix" in shelter.page())
    page = shelter.page()
    assert WHO_ACTS.format(zone=shelter.zone) in page
    assert "Certificate waits Other DNS servers refuse your record, see below" in page
    before = shelter.checks()
    shelter.skip_pauses()
    wait_for("another check", lambda: shelter.checks() != before)
    environment.add_live()  # added later, so an order of the first domain would have begun by now
    assert shelter.orders() == 1, "nothing is ordered while the authority would refuse it"
    shelter.repair_dnssec()
    shelter.skip_pauses()
    environment.wait_for_state("live", host)
    assert "DNSSEC" not in shelter.page()
    assert environment.visit(host).status == 200
