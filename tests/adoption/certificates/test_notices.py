"""Emails about certificates: which failures are news, and many pieces of news in one email."""

import pytest

from adoption.certificates import notices
from adoption.certificates.certificate_authority import Refused, Stage, Unreached
from adoption.certificates.order_queue import SHARE
from adoption.domains import removals
from adoption.mail import outbox
from adoption.projects.models import Project
from tests import certificates
from tests.adoption.certificates.conftest import OWNER, World, held, subjects, verified
from tests.authority import Twin
from tests.factories import NOW
from tests.mailbox import letters_to

pytestmark = pytest.mark.settings("embedded")

CAA = Refused("caa", "CAA record prevents issuance")


class Choosy(Twin):
    """Refuses hosts that begin with ``bad``."""

    def order(self, host: str) -> str:
        if host.startswith("bad"):
            self.note("refused", host)
            raise CAA
        return super().order(host)


def test_many_domains_that_go_live_or_fail_together_are_one_email(elm: Project) -> None:
    world = World(ca=Choosy(now=NOW))
    good = [f"n{number}.elm.example" for number in range(2 * SHARE)]
    bad = ["bad1.elm.example", "bad2.elm.example"]
    for host in (*good, *bad):
        verified(elm, host)
    for _ in range(4):
        world.round(minutes=1)
    assert subjects() == ["Your domains: 10 live, 2 without a certificate"]
    [email] = letters_to(OWNER)
    text = " ".join(email.text.split())
    assert all(f"https://{host}/" in text for host in good)
    for host in bad:
        assert (
            f"{host}: Let's Encrypt, which issues our certificates, says: {CAA.detail} Allow Let's Encrypt "
            "in the CAA" in text
        )


def test_news_waits_ten_minutes_at_most_for_other_news(elm: Project, world: World) -> None:
    verified(elm, "adopt.elm.example")
    other = verified(elm, "slow.elm.example")
    certificates.order(other, NOW)  # on its way, for years
    world.round()
    world.round(minutes=8)
    assert subjects() == []
    world.round(minutes=2)
    assert subjects() == ["adopt.elm.example is live"]
    world.round(minutes=20)
    assert len(subjects()) == 1


def test_news_does_not_wait_for_orders_that_are_held_up(elm: Project, world: World) -> None:
    other = verified(elm, "slow.elm.example")
    certificates.order(other, NOW, postponed_at=NOW, unreached=3)
    verified(elm, "adopt.elm.example")
    world.round()
    assert subjects() == ["adopt.elm.example is live"]


@pytest.mark.settings("embedded", "scaled")
def test_a_crash_loses_no_news_and_repeats_none(
    elm: Project, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    def crash(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    verified(elm, "adopt.elm.example")
    with monkeypatch.context() as patch:
        patch.setattr(outbox, "add_email", crash)
        with pytest.raises(KeyboardInterrupt):
            world.round()
    assert subjects() == []
    world.round(minutes=1)
    assert subjects() == ["adopt.elm.example is live"]
    assert not notices.send_next(world.now)


def test_what_is_no_longer_true_is_not_emailed(elm: Project, world: World) -> None:
    other = verified(elm, "slow.elm.example")
    certificates.order(other, NOW)
    renewed, removed = verified(elm, "adopt.elm.example"), verified(elm, "bad.elm.example")
    certificates.held(renewed, NOW, renew_at=NOW)
    world.ca.refusal = CAA
    world.round()
    removals.remove_domain(elm.id, removed)
    world.ca.refusal = None
    world.round(minutes=6)
    assert held(renewed).issued_at > NOW
    world.round(minutes=6)
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
def test_failures_in_a_row_are_news_once(codes: list[str], is_renewal: bool, news: bool) -> None:
    assert notices.is_worth_email(codes, is_renewal) is news


def test_orders_that_the_authority_forgot_are_made_again_without_an_email(elm: Project, world: World) -> None:
    made = [verified(elm, f"n{number}.elm.example") for number in range(3)]
    for each in made:
        certificates.order(each, NOW, address="https://ca.test/order/99", next_step_at=NOW)

    class Restarted(Twin):
        def stage(self, order: str, kind: str = "") -> Stage:
            if order not in self.status:
                raise Refused("orderLost", "The certificate authority does not know the order.")
            return super().stage(order, kind)

    world.ca = Restarted(now=world.now)
    world.round()
    assert {world.standing(each).code for each in made} == {"orderLost"}
    for _ in range(7):
        world.round(minutes=1)
    assert {world.standing(each).state for each in made} == {"live"}
    assert subjects() == ["Your domains: 3 live"]


def test_an_outage_of_days_is_one_email_an_account_at_most(elm: Project, world: World) -> None:
    for number in range(12):
        verified(elm, f"n{number}.elm.example")
    world.ca.trouble = Unreached("The certificate authority could not be reached.")
    for _ in range(50):
        world.round(hours=1)
    assert subjects() == []
    world.ca.trouble = None
    for _ in range(20):
        world.round(minutes=1)
    assert subjects() == ["Your domains: 12 live"]
