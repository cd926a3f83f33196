"""Emails about certificates: the failures that are emailed, and digests about several domains."""

import pytest

from adoption.certificates import email_digests
from adoption.certificates.authority_interface import AuthorityRefused, AuthorityUnreached, OrderStage
from adoption.certificates.order_queue import ORDERS_OF_ONE_ACCOUNT_MOST
from adoption.domains import removals
from adoption.mail import outbox
from adoption.projects.models import Project
from tests import certificates
from tests.adoption.certificates.conftest import OWNER, Simulation, certificate_of, subjects, verified_domain
from tests.authority import FakeAuthority
from tests.factories import NOW
from tests.mailbox import emails_to

pytestmark = pytest.mark.settings("embedded")

CAA = AuthorityRefused("caa", "CAA record prevents issuance")


class RefusingAuthority(FakeAuthority):
    """An authority that refuses hosts that begin with ``bad``."""

    def order(self, host: str) -> str:
        if host.startswith("bad"):
            self.record("refused", host)
            raise CAA
        return super().order(host)


def test_several_domains_that_go_live_or_fail_are_one_email(elm: Project) -> None:
    simulation = Simulation(ca=RefusingAuthority(now=NOW))
    good = [f"n{number}.elm.example" for number in range(2 * ORDERS_OF_ONE_ACCOUNT_MOST)]
    bad = ["bad1.elm.example", "bad2.elm.example"]
    for host in (*good, *bad):
        verified_domain(elm, host)
    for _ in range(4):
        simulation.run(minutes=1)
    assert subjects() == ["Your domains: 10 live, 2 without a certificate"]
    [email] = emails_to(OWNER)
    text = " ".join(email.text.split())
    assert all(f"https://{host}/" in text for host in good)
    for host in bad:
        assert (
            f"{host}: Let's Encrypt, which issues our certificates, says: {CAA.detail} Allow Let's Encrypt "
            "in the CAA" in text
        )


def test_news_waits_at_most_ten_minutes_for_other_news(elm: Project, simulation: Simulation) -> None:
    verified_domain(elm, "adopt.elm.example")
    other = verified_domain(elm, "slow.elm.example")
    certificates.add_acme_order(other, NOW)  # an order that stays under way for years
    simulation.run()
    simulation.run(minutes=8)
    assert subjects() == []
    simulation.run(minutes=2)
    assert subjects() == ["adopt.elm.example is live"]
    simulation.run(minutes=20)
    assert len(subjects()) == 1


def test_news_does_not_wait_for_postponed_orders(elm: Project, simulation: Simulation) -> None:
    other = verified_domain(elm, "slow.elm.example")
    certificates.add_acme_order(other, NOW, postponed_at=NOW, unreached=3)
    verified_domain(elm, "adopt.elm.example")
    simulation.run()
    assert subjects() == ["adopt.elm.example is live"]


@pytest.mark.settings("embedded", "scaled")
def test_a_crash_loses_no_news_and_repeats_none(
    elm: Project, simulation: Simulation, monkeypatch: pytest.MonkeyPatch
) -> None:
    def crash(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    verified_domain(elm, "adopt.elm.example")
    with monkeypatch.context() as patch:
        patch.setattr(outbox, "add_email", crash)
        with pytest.raises(KeyboardInterrupt):
            simulation.run()
    assert subjects() == []
    simulation.run(minutes=1)
    assert subjects() == ["adopt.elm.example is live"]
    assert not email_digests.send_next_news(simulation.now)


def test_news_that_is_no_longer_true_is_not_emailed(elm: Project, simulation: Simulation) -> None:
    other = verified_domain(elm, "slow.elm.example")
    certificates.add_acme_order(other, NOW)
    renewed, removed = verified_domain(elm, "adopt.elm.example"), verified_domain(elm, "bad.elm.example")
    certificates.add_certificate(renewed, NOW, renew_at=NOW)
    simulation.ca.refusal = CAA
    simulation.run()
    removals.remove_domain(elm.id, removed)
    simulation.ca.refusal = None
    simulation.run(minutes=6)
    assert certificate_of(renewed).issued_at > NOW
    simulation.run(minutes=6)
    assert subjects() == []


@pytest.mark.parametrize(
    ("codes", "is_renewal", "news"),
    [
        (["caa"], False, True),
        (["caa", "caa"], False, False),
        (["orderLost"], False, False),
        (["orderLost"] * 3, False, True),
        (["orderLost"] * 4, False, False),
        (["rateLimited"] * 9, False, False),
        (["rateLimited"] * 4, True, True),
        (["unreached"], False, True),
        (["accountRefused"] * 3, False, False),
        (["accountRefused"] * 4, False, True),
        (["accountRefused"] * 3 + ["caa"], False, True),
        (["caa"] + ["accountRefused"] * 4, False, False),
    ],
)
def test_failures_in_a_row_are_emailed_once(codes: list[str], is_renewal: bool, news: bool) -> None:
    assert email_digests.is_worth_email(codes, is_renewal) is news


def test_orders_that_the_authority_lost_are_repeated_without_an_email(
    elm: Project, simulation: Simulation
) -> None:
    made = [verified_domain(elm, f"n{number}.elm.example") for number in range(3)]
    for each in made:
        certificates.add_acme_order(each, NOW, address="https://ca.test/order/99", next_step_at=NOW)

    class Restarted(FakeAuthority):
        def stage(self, order: str, kind: str = "") -> OrderStage:
            if order not in self.status:
                raise AuthorityRefused("orderLost", "The certificate authority does not know the order.")
            return super().stage(order, kind)

    simulation.ca = Restarted(now=simulation.now)
    simulation.run()
    assert {simulation.status(each).code for each in made} == {"orderLost"}
    for _ in range(7):
        simulation.run(minutes=1)
    assert {simulation.status(each).state for each in made} == {"live"}
    assert subjects() == ["Your domains: 3 live"]


def test_an_outage_of_days_is_at_most_one_email_per_account(elm: Project, simulation: Simulation) -> None:
    for number in range(12):
        verified_domain(elm, f"n{number}.elm.example")
    simulation.ca.error = AuthorityUnreached("The certificate authority could not be reached.")
    for _ in range(50):
        simulation.run(hours=1)
    assert subjects() == []
    simulation.ca.error = None
    for _ in range(20):
        simulation.run(minutes=1)
    assert subjects() == ["Your domains: 12 live"]
