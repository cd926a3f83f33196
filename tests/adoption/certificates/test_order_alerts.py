"""What the operator learns of certificate orders: log lines of their ends, and alerts."""

import logging
from datetime import timedelta

import pytest
from apiflask import APIFlask

from adoption.alerts.causes import (
    AUTHORITY_REFUSES,
    AUTHORITY_UNREACHABLE,
    CAUSES,
    EDGE_UNREACHABLE,
    ORDERS_FAIL,
)
from adoption.certificates import order_alerts
from adoption.certificates.certificate_authority import Refused, Unreached
from adoption.certificates.edge_alerts import update_edge_alert
from adoption.certificates.tls_probe import NotOffered, Unseen
from adoption.projects.models import Project
from tests import certificates, factories
from tests.adoption.certificates.conftest import World, subjects, verified
from tests.factories import NOW
from tests.mailbox import letters_to

OPERATOR = "operator@homeward.example"
MINUTE, HOUR = timedelta(minutes=1), timedelta(hours=1)

pytestmark = pytest.mark.settings("embedded")


@pytest.fixture(autouse=True)
def operator(app: APIFlask, monkeypatch: pytest.MonkeyPatch) -> None:
    known = app.config["HOMEWARD"].model_copy(update={"operator_email": OPERATOR})
    monkeypatch.setitem(app.config, "HOMEWARD", known)


@pytest.fixture(autouse=True)
def lines(caplog: pytest.LogCaptureFixture) -> pytest.LogCaptureFixture:
    caplog.set_level(logging.INFO, "homeward")
    return caplog


def events(lines: pytest.LogCaptureFixture) -> list[tuple[str, ...]]:
    """The events of all lines, each with its cause, or with its host, code and who acts."""
    names = ("cause", "host", "code", "who")
    return [
        (each.event, *(getattr(each, name) for name in names if hasattr(each, name)))
        for each in lines.records
        if hasattr(each, "event")
    ]


def titles() -> list[str]:
    return [each.subject.partition(": ")[2] for each in letters_to(OPERATOR)]


def shelters(count: int) -> list[int]:
    """Verified domains of so many accounts."""
    made = [factories.project(f"Shelter {n}", plan="pro", owner=f"o{n}@example.org") for n in range(count)]
    return [verified(each, f"adopt.shelter{n}.org") for n, each in enumerate(made)]


def test_the_end_of_each_order_is_one_log_line(
    world: World, elm: Project, lines: pytest.LogCaptureFixture
) -> None:
    verified(elm, "adopt.example.org")
    world.round()
    assert events(lines) == [("order_issued", "adopt.example.org")]
    verified(elm, "www.example.net")
    world.ca.refusal = Refused("caa", "CAA record forbids it")
    world.round()
    assert events(lines)[1:] == [("order_failed", "www.example.net", "caa", "shelter")]


def test_an_authority_that_does_not_answer_is_logged_once_and_so_is_its_return(
    world: World, elm: Project, lines: pytest.LogCaptureFixture
) -> None:
    verified(elm, "adopt.example.org")
    world.ca.trouble = Unreached("It could not be reached.")
    for _ in range(90):
        world.round(minutes=1)
    assert events(lines) == [("alert_opened", AUTHORITY_UNREACHABLE)]
    assert titles() == [CAUSES[AUTHORITY_UNREACHABLE].title]
    world.ca.trouble = None
    for _ in range(16):
        world.round(minutes=1)
    assert events(lines)[1:] == [
        ("alert_closed", AUTHORITY_UNREACHABLE),
        ("order_issued", "adopt.example.org"),
    ]
    assert titles()[1:] == [CAUSES[AUTHORITY_UNREACHABLE].solved]


def test_the_orders_of_the_platform_itself_are_logged_alike(
    world: World, app: APIFlask, lines: pytest.LogCaptureFixture
) -> None:
    world.platform_host = "homeward.example"
    world.ca.trouble = Unreached("It could not be reached.")
    for _ in range(5):
        world.round(minutes=1)
    assert events(lines) == [("alert_opened", AUTHORITY_UNREACHABLE)]
    world.ca.trouble = Refused("caa", "CAA record forbids it")
    world.round(minutes=5)
    assert events(lines)[1:] == [
        ("order_failed", "homeward.example", "caa", "operator"),
        ("alert_closed", AUTHORITY_UNREACHABLE),
    ]
    world.ca.trouble = None
    world.round(minutes=5)
    assert events(lines)[3:] == [("order_issued", "homeward.example")]


def test_an_edge_that_cannot_be_reached_is_an_alert_until_it_answers_whatever_another_does(
    app: APIFlask, lines: pytest.LogCaptureFixture
) -> None:
    def unreachable() -> None:
        raise Unseen("The server for HTTPS could not be reached.")

    def without_certificate() -> None:
        raise NotOffered("The server for HTTPS showed no certificate.")

    for minutes in range(20):
        update_edge_alert(unreachable, "192.0.2.1:443", NOW + minutes * MINUTE)
        update_edge_alert(without_certificate, "192.0.2.2:443", NOW + minutes * MINUTE)
    assert events(lines) == [("alert_opened", EDGE_UNREACHABLE)]
    assert titles() == [CAUSES[EDGE_UNREACHABLE].title]
    update_edge_alert(without_certificate, "192.0.2.1:443", NOW + HOUR)
    assert titles()[1:] == [CAUSES[EDGE_UNREACHABLE].solved], "it answers, which is another matter"


def test_an_order_that_fails_because_our_edge_is_down_is_the_operators(
    world: World, elm: Project, lines: pytest.LogCaptureFixture
) -> None:
    verified(elm, "adopt.example.org")
    world.ca.refusal = Refused("connection", "Connection refused")
    world.edge = Unseen("The server for HTTPS could not be reached.")
    world.round()
    assert events(lines) == [("order_failed", "adopt.example.org", "edgeDown", "operator")]
    assert subjects() == [], "owners have nothing to fix"
    verified(elm, "www.example.net")
    world.edge = None
    world.round()
    assert events(lines)[1:] == [("order_failed", "www.example.net", "connection", "shelter")]
    order_alerts.update_order_alerts(world.now)
    assert titles() == []


def test_orders_that_fail_at_several_accounts_at_once_are_emailed_to_the_operator(app: APIFlask) -> None:
    domains = shelters(4)
    for each in domains[:2]:
        certificates.failed(each, NOW, "dns", "No valid A records found.")
    order_alerts.update_order_alerts(NOW)
    assert titles() == [], "two shelters with wrong DNS are no news"
    certificates.failed(domains[2], NOW + MINUTE, "connection", "Timeout.")
    order_alerts.update_order_alerts(NOW + MINUTE)
    [email] = letters_to(OPERATOR)
    assert email.subject.endswith(CAUSES[ORDERS_FAIL].title)
    assert "orders of 3 domains of 3 accounts failed, and 0 certificates were issued" in " ".join(
        email.text.split()
    )
    assert "dns (2), connection (1)" in email.text
    assert "adopt.shelter2.org" in email.text
    order_alerts.update_order_alerts(NOW + 5 * HOUR)
    assert len(titles()) == 1, "they still fail, though the next tries are hours apart"
    certificates.held(domains[0], NOW + 5 * HOUR)
    order_alerts.update_order_alerts(NOW + 5 * HOUR)
    assert titles()[1:] == [CAUSES[ORDERS_FAIL].solved]


def test_a_few_failures_among_many_certificates_are_no_alert(app: APIFlask) -> None:
    domains = shelters(7)
    for each in domains[:4]:
        certificates.held(each, NOW)
    for each in domains[4:]:
        certificates.failed(each, NOW, "dns", "No valid A records found.")
    order_alerts.update_order_alerts(NOW)
    assert titles() == []


@pytest.mark.parametrize("code", ["accountRefused", "externalAccountRequired", "someNewerProblem"])
def test_one_refusal_that_is_the_operators_is_emailed_until_a_certificate_is_issued(
    elm: Project, code: str
) -> None:
    domain = verified(elm, "adopt.example.org")
    certificates.failed(domain, NOW, code, "Account is deactivated.")
    for hours in range(5):
        order_alerts.update_order_alerts(NOW + hours * HOUR)
    [email] = letters_to(OPERATOR)
    assert email.subject.endswith(CAUSES[AUTHORITY_REFUSES].title)
    assert code in email.text
    assert "Account is deactivated. Domains: adopt.example.org." in " ".join(email.text.split())
    certificates.held(domain, NOW + 5 * HOUR)
    order_alerts.update_order_alerts(NOW + 5 * HOUR)
    assert titles()[1:] == [CAUSES[AUTHORITY_REFUSES].solved]
