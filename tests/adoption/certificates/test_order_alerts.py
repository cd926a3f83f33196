"""Log lines and operator alerts about certificate orders."""

import logging
from datetime import timedelta

import pytest
from apiflask import APIFlask

from adoption.certificates import order_alerts
from adoption.certificates.authority_interface import AuthorityRefused, AuthorityUnreached
from adoption.certificates.edge_outages import update_edge_alert
from adoption.certificates.tls_probe import CertificateNotOffered, CertificateUnseen
from adoption.operator_alerts.causes import (
    AUTHORITY_REFUSES,
    AUTHORITY_UNREACHABLE,
    CAUSES,
    EDGE_UNREACHABLE,
    ORDERS_FAIL,
)
from adoption.projects.models import Project
from tests import certificates, factories
from tests.adoption.certificates.conftest import Simulation, subjects, verified_domain
from tests.factories import NOW
from tests.mailbox import emails_to

OPERATOR = "operator@homeward.example"
MINUTE, HOUR = timedelta(minutes=1), timedelta(hours=1)

pytestmark = pytest.mark.settings("embedded")


@pytest.fixture(autouse=True)
def operator(app: APIFlask, monkeypatch: pytest.MonkeyPatch) -> None:
    known = app.config["HOMEWARD"].model_copy(update={"operator_email": OPERATOR})
    monkeypatch.setitem(app.config, "HOMEWARD", known)


@pytest.fixture(autouse=True)
def log_records(caplog: pytest.LogCaptureFixture) -> pytest.LogCaptureFixture:
    caplog.set_level(logging.INFO, "homeward")
    return caplog


def events(log_records: pytest.LogCaptureFixture) -> list[tuple[str, ...]]:
    """Return the logged events. Each has its cause, or its host, its code and who has to act."""
    names = ("cause", "host", "code", "who")
    return [
        (each.event, *(getattr(each, name) for name in names if hasattr(each, name)))
        for each in log_records.records
        if hasattr(each, "event")
    ]


def titles() -> list[str]:
    return [each.subject.partition(": ")[2] for each in emails_to(OPERATOR)]


def shelters(count: int) -> list[int]:
    """Return verified domains of this many accounts."""
    made = [factories.project(f"Shelter {n}", plan="pro", owner=f"o{n}@example.org") for n in range(count)]
    return [verified_domain(each, f"adopt.shelter{n}.org") for n, each in enumerate(made)]


def test_each_finished_order_is_one_log_line(
    simulation: Simulation, elm: Project, log_records: pytest.LogCaptureFixture
) -> None:
    verified_domain(elm, "adopt.example.org")
    simulation.run()
    assert events(log_records) == [("order_issued", "adopt.example.org")]
    verified_domain(elm, "www.example.net")
    simulation.ca.refusal = AuthorityRefused("caa", "CAA record forbids it")
    simulation.run()
    assert events(log_records)[1:] == [("order_failed", "www.example.net", "caa", "shelter")]


def test_an_outage_of_the_authority_and_its_end_are_logged_once(
    simulation: Simulation, elm: Project, log_records: pytest.LogCaptureFixture
) -> None:
    verified_domain(elm, "adopt.example.org")
    simulation.ca.error = AuthorityUnreached("It could not be reached.")
    for _ in range(90):
        simulation.run(minutes=1)
    assert events(log_records) == [("alert_opened", AUTHORITY_UNREACHABLE)]
    assert titles() == [CAUSES[AUTHORITY_UNREACHABLE].title]
    simulation.ca.error = None
    for _ in range(16):
        simulation.run(minutes=1)
    assert events(log_records)[1:] == [
        ("alert_closed", AUTHORITY_UNREACHABLE),
        ("order_issued", "adopt.example.org"),
    ]
    assert titles()[1:] == [CAUSES[AUTHORITY_UNREACHABLE].solved]


def test_orders_for_the_platforms_host_are_logged_too(
    simulation: Simulation, app: APIFlask, log_records: pytest.LogCaptureFixture
) -> None:
    simulation.platform_host = "homeward.example"
    simulation.ca.error = AuthorityUnreached("It could not be reached.")
    for _ in range(5):
        simulation.run(minutes=1)
    assert events(log_records) == [("alert_opened", AUTHORITY_UNREACHABLE)]
    simulation.ca.error = AuthorityRefused("caa", "CAA record forbids it")
    simulation.run(minutes=5)
    assert events(log_records)[1:] == [
        ("order_failed", "homeward.example", "caa", "operator"),
        ("alert_closed", AUTHORITY_UNREACHABLE),
    ]
    simulation.ca.error = None
    simulation.run(minutes=5)
    assert events(log_records)[3:] == [("order_issued", "homeward.example")]


def test_an_unreachable_edge_is_an_alert_until_that_edge_answers(
    app: APIFlask, log_records: pytest.LogCaptureFixture
) -> None:
    def unreachable() -> None:
        raise CertificateUnseen("The server for HTTPS could not be reached.")

    def without_certificate() -> None:
        raise CertificateNotOffered("The server for HTTPS showed no certificate.")

    for minutes in range(20):
        update_edge_alert(unreachable, "192.0.2.1:443", NOW + minutes * MINUTE)
        update_edge_alert(without_certificate, "192.0.2.2:443", NOW + minutes * MINUTE)
    assert events(log_records) == [("alert_opened", EDGE_UNREACHABLE)]
    assert titles() == [CAUSES[EDGE_UNREACHABLE].title]
    update_edge_alert(without_certificate, "192.0.2.1:443", NOW + HOUR)
    assert titles()[1:] == [CAUSES[EDGE_UNREACHABLE].solved], "it answers, without a certificate"


def test_a_failure_caused_by_our_own_edge_is_the_operators_to_fix(
    simulation: Simulation, elm: Project, log_records: pytest.LogCaptureFixture
) -> None:
    verified_domain(elm, "adopt.example.org")
    simulation.ca.refusal = AuthorityRefused("connection", "Connection refused")
    simulation.edge = CertificateUnseen("The server for HTTPS could not be reached.")
    simulation.run()
    assert events(log_records) == [("order_failed", "adopt.example.org", "edgeDown", "operator")]
    assert subjects() == [], "owners have nothing to fix"
    verified_domain(elm, "www.example.net")
    simulation.edge = None
    simulation.run()
    assert events(log_records)[1:] == [("order_failed", "www.example.net", "connection", "shelter")]
    order_alerts.update_order_alerts(simulation.now)
    assert titles() == []


def test_failed_orders_of_several_accounts_alert_the_operator(app: APIFlask) -> None:
    domains = shelters(4)
    for each in domains[:2]:
        certificates.add_failed_order(each, NOW, "dns", "No valid A records found.")
    order_alerts.update_order_alerts(NOW)
    assert titles() == [], "two shelters with wrong DNS are no alert"
    certificates.add_failed_order(domains[2], NOW + MINUTE, "connection", "Timeout.")
    order_alerts.update_order_alerts(NOW + MINUTE)
    [email] = emails_to(OPERATOR)
    assert email.subject.endswith(CAUSES[ORDERS_FAIL].title)
    assert "orders failed for 3 domains of 3 accounts, and 0 certificates were issued" in " ".join(
        email.text.split()
    )
    assert "dns (2), connection (1)" in email.text
    assert "adopt.shelter2.org" in email.text
    order_alerts.update_order_alerts(NOW + 5 * HOUR)
    assert len(titles()) == 1, "they still fail, although the next tries are hours apart"
    certificates.add_certificate(domains[0], NOW + 5 * HOUR)
    order_alerts.update_order_alerts(NOW + 5 * HOUR)
    assert titles()[1:] == [CAUSES[ORDERS_FAIL].solved]


def test_a_few_failures_among_many_certificates_raise_no_alert(app: APIFlask) -> None:
    domains = shelters(7)
    for each in domains[:4]:
        certificates.add_certificate(each, NOW)
    for each in domains[4:]:
        certificates.add_failed_order(each, NOW, "dns", "No valid A records found.")
    order_alerts.update_order_alerts(NOW)
    assert titles() == []


@pytest.mark.parametrize("code", ["accountRefused", "externalAccountRequired", "someNewerProblem"])
def test_a_refusal_that_the_operator_has_to_fix_is_an_alert_until_a_certificate_is_issued(
    elm: Project, code: str
) -> None:
    domain = verified_domain(elm, "adopt.example.org")
    certificates.add_failed_order(domain, NOW, code, "Account is deactivated.")
    for hours in range(5):
        order_alerts.update_order_alerts(NOW + hours * HOUR)
    [email] = emails_to(OPERATOR)
    assert email.subject.endswith(CAUSES[AUTHORITY_REFUSES].title)
    assert code in email.text
    assert "Account is deactivated. Domains: adopt.example.org." in " ".join(email.text.split())
    certificates.add_certificate(domain, NOW + 5 * HOUR)
    order_alerts.update_order_alerts(NOW + 5 * HOUR)
    assert titles()[1:] == [CAUSES[AUTHORITY_REFUSES].solved]
