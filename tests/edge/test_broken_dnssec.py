"""A domain whose DNSSEC is broken: its zone answers, but resolvers that validate refuse its records."""

import re
from datetime import UTC, datetime
from html import unescape

import pytest
from sqlalchemy import func, select, update

from adoption.accounts.actions import set_plan
from adoption.certificates.models import AcmeOrder
from adoption.domains.models import Domain
from adoption.storage import queue
from adoption.storage.database import reading, transaction
from tests import factories
from tests.cast import PASSWORD
from tests.edge.environment import PLATFORM, World
from tests.waiting import wait_for

pytestmark = pytest.mark.parametrize("world", ["embedded"], indirect=True)

SITE = f"https://{PLATFORM}"
WHO_ACTS = (
    "Ask your DNS provider to repair DNSSEC for {zone}, or to turn it off. DNSSEC signs your records. Other "
    "DNS servers refuse your records (SERVFAIL), because their signature is wrong. Many visitors cannot "
    "reach you, and no certificate can be issued until this is fixed."
)
TOKEN = re.compile(r'name="csrf_token" value="([^"]+)"')


class Shelter:
    """A shelter with one domain, and its owner's browser."""

    def __init__(self, world: World, name: str) -> None:
        self.world, self.zone = world, f"{name}.example"
        self.host = f"adopt.{self.zone}"
        with world.app.app_context():
            made = factories.project(name, owner=f"owner@{self.zone}", password=PASSWORD)
            set_plan(made.slug, "pro")
        self.slug, self.client = made.slug, world.app.test_client()
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
        self.world.zone.bogus.add(self.zone)

    def repair_dnssec(self) -> None:
        self.world.zone.bogus.remove(self.zone)

    def pass_pauses(self) -> None:
        """Have the next automatic check, and the next order, be due now instead of in some minutes."""
        now = datetime.now(UTC)
        with self.world.app.app_context():
            with transaction() as session:
                own = select(Domain.id).where(Domain.host == self.host)
                failed = update(AcmeOrder).where(
                    AcmeOrder.domain_id.in_(own), AcmeOrder.next_try_at.is_not(None)
                )
                session.execute(failed.values(next_try_at=now))
                session.execute(update(Domain).where(Domain.host == self.host).values(next_check_at=now))
            queue.start("check_domains")

    def checks(self) -> datetime | None:
        """Return when DNS was last checked."""
        with self.world.app.app_context(), reading() as session:
            return session.scalar(select(Domain.checked_at).where(Domain.host == self.host))

    def orders(self) -> int:
        """Return how many orders there are, failed ones included."""
        own = select(func.count(AcmeOrder.id)).join(Domain, Domain.id == AcmeOrder.domain_id)
        with self.world.app.app_context(), reading() as session:
            return session.scalar(own.where(Domain.host == self.host)) or 0


def test_a_domain_whose_dnssec_is_broken_is_not_ordered_until_it_is_repaired(world: World) -> None:
    shelter = Shelter(world, "bogus-before")
    host = world.add(shelter.host, shelter.slug)
    world.put_right(host)
    shelter.break_dnssec()
    told = world.verify(host)
    assert (told["dns"], [each["code"] for each in told["warnings"]]) == ("unverified", ["dnssec_broken"])
    page = shelter.page()
    assert WHO_ACTS.format(zone=shelter.zone) in page
    assert "DNSSEC needs a fix" in page
    assert "DNS check failed DNSSEC to fix, see below." in page
    world.live()  # which came after it and is done
    assert (shelter.orders(), world.certificate(host)["state"]) == (0, "none")
    shelter.repair_dnssec()
    shelter.pass_pauses()
    world.become("live", host)
    assert "DNSSEC" not in shelter.page()
    assert world.visit(host).status == 200


def test_dnssec_that_breaks_after_verification_is_named_once_the_authority_refuses(world: World) -> None:
    shelter = Shelter(world, "bogus-after")
    world.authority.hold()
    try:
        host = world.verified(shelter.host, shelter.slug)
        wait_for("the order", lambda: world.order(host))
        shelter.break_dnssec()
    finally:
        world.authority.let_go()
    world.become("failed", host)
    assert "could not resolve URL" in world.certificate(host)["detail"]
    # Nobody presses: the refusal itself has DNS checked.
    wait_for("the page to name DNSSEC", lambda: "DNSSEC needs a fix" in shelter.page())
    page = shelter.page()
    assert WHO_ACTS.format(zone=shelter.zone) in page
    assert "Certificate waits Other DNS servers refuse your record, see below" in page
    before = shelter.checks()
    shelter.pass_pauses()
    wait_for("another check", lambda: shelter.checks() != before)
    world.live()  # which came after it and is done
    assert shelter.orders() == 1, "nothing is ordered while the authority would refuse it"
    shelter.repair_dnssec()
    shelter.pass_pauses()
    world.become("live", host)
    assert "DNSSEC" not in shelter.page()
    assert world.visit(host).status == 200
