"""The certificate of the platform's own host: its order and renewal, and its expiry at the edge."""

from datetime import timedelta

import pytest
from apiflask import APIFlask

from adoption.certificates.authority_interface import (
    PROCESSING,
    AuthorityRefused,
    AuthorityUnreached,
    OrderStage,
)
from adoption.certificates.certificate_lookup import platform_certificate_for
from adoption.certificates.challenge_answers import challenge_answer
from adoption.certificates.platform import expiry_alert
from adoption.certificates.tls_probe import CertificateNotOffered
from adoption.certificates.x509 import CertificateFacts, read_certificate
from adoption.commands.certificate_server import Listener
from adoption.operator_alerts.causes import AUTHORITY_UNREACHABLE
from adoption.operator_alerts.queries import alert_opened_at
from adoption.storage.database import reading
from tests.adoption.certificates.conftest import Simulation
from tests.factories import NOW
from tests.mailbox import emails_to

pytestmark = pytest.mark.settings("embedded")

HOST = "homeward.example"
OPERATOR = "operator@homeward.example"
DAY = timedelta(days=1)


@pytest.fixture(autouse=True)
def operator(app: APIFlask, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = app.config["HOMEWARD"].model_copy(update={"platform_host": HOST, "operator_email": OPERATOR})
    monkeypatch.setitem(app.config, "HOMEWARD", settings)


@pytest.fixture
def platform(simulation: Simulation) -> Simulation:
    """A service that orders the certificate of the platform's own host."""
    simulation.platform_host = HOST
    return simulation


def serial(host: str = HOST) -> str:
    kept = platform_certificate_for(host, HOST)
    return read_certificate(kept.chain).serial if kept else ""


def subjects() -> list[str]:
    return [letter.subject for letter in emails_to(OPERATOR)]


def test_the_platforms_own_certificate_is_ordered_and_renewed(platform: Simulation) -> None:
    platform.run()
    first = serial()
    assert first
    assert serial(f"www.{HOST}") == ""
    platform.run(days=59)
    assert serial() == first
    platform.run(days=1, minutes=5)
    assert serial() not in ("", first)
    assert platform.ca.count("order") == 2


def test_no_certificate_is_ordered_if_the_edge_loads_its_own_from_files(simulation: Simulation) -> None:
    simulation.run()
    assert simulation.ca.requests == []


def test_the_platforms_host_answers_the_challenge_during_validation(platform: Simulation) -> None:
    answers = []

    def begin_validation(order: str, kind: str = "") -> None:
        answers.append([challenge_answer(host, "token-of-1") for host in (HOST, "other.example")])
        platform.ca.status[order] = "ready"

    platform.ca.begin_validation = begin_validation  # type: ignore[method-assign]
    platform.run()
    assert answers == [["answer-of-1", None]]
    assert challenge_answer(HOST, "token-of-1") is None
    assert challenge_answer(HOST, "") is None


def test_a_failed_order_keeps_the_certificate_emails_the_operator_once_and_is_repeated(
    platform: Simulation, caplog: pytest.LogCaptureFixture
) -> None:
    platform.run()
    first = serial()
    platform.ca.refusal = AuthorityRefused("connection", "Timeout during connect")
    platform.run(days=60)
    assert subjects() == []
    platform.run(minutes=1)
    platform.run(minutes=6)
    assert platform.ca.count("order") == 4
    assert serial() == first
    [email] = emails_to(OPERATOR)
    assert email.subject == f"{HOST}: The platform's own certificate cannot be ordered"
    assert f"The error code for {HOST} is connection: Timeout during connect" in email.text
    assert "failed: connection" in caplog.text
    platform.ca.refusal = None
    platform.run(minutes=16)
    assert serial() != first
    assert subjects()[1:] == [f"{HOST}: The platform's own certificate was ordered"]


def test_an_authority_that_cannot_be_reached_for_a_day_is_a_failure(platform: Simulation) -> None:
    platform.ca.error = AuthorityUnreached("The certificate authority could not be reached.")
    platform.run()
    platform.run(hours=23)
    assert subjects() == []
    platform.run(hours=2)
    assert subjects() == [f"{HOST}: The platform's own certificate cannot be ordered"]
    platform.ca.error = None
    platform.run(minutes=2)
    assert serial()


def test_retry_after_of_the_authority_is_respected(platform: Simulation) -> None:
    wanted = NOW + timedelta(minutes=10)
    platform.ca.error = AuthorityUnreached("Maintenance", not_before=wanted)
    platform.run()
    platform.run(minutes=8)
    assert platform.ca.count("order") == 1
    platform.ca.error = None
    busy = OrderStage(PROCESSING, (), wanted + timedelta(minutes=10))
    platform.ca.stage = lambda order, kind="": platform.ca.record("stage", order) or busy  # type: ignore[method-assign]
    platform.run(minutes=2)
    platform.run(minutes=8)
    assert (platform.ca.count("order"), platform.ca.count("stage")) == (2, 1)


def test_an_unreadable_certificate_is_not_an_outage_of_the_authority(platform: Simulation) -> None:
    platform.ca.chain = lambda order: "no certificate"  # type: ignore[method-assign]
    platform.run()
    assert platform.ca.count("finalize") == 1
    with reading() as session:
        assert alert_opened_at(session, AUTHORITY_UNREACHABLE) is None


def test_edges_get_the_platforms_certificate_and_a_lost_key_is_replaced(
    platform: Simulation, app: APIFlask, monkeypatch: pytest.MonkeyPatch
) -> None:
    platform.run()
    settings = app.config["HOMEWARD"].model_copy(update={"orders_platform_certificate": True})
    monkeypatch.setitem(app.config, "HOMEWARD", settings)
    first, host = serial(), HOST
    status, _, pem = Listener(app, platform.vault, lambda: platform.now).certificate(host)
    assert (status, pem.count(b"BEGIN")) == ("200 OK", 2)
    for other in (f"www.{HOST}", f"not{HOST}"):
        assert Listener(app, platform.vault).certificate(other)[0] == "204 No Content"
    lost = Listener(app, Simulation().vault, lambda: platform.now + 2 * DAY)
    assert lost.certificate(host)[0] == "204 No Content"
    platform.run(days=2, minutes=1)
    assert serial() not in ("", first)


def test_the_operator_is_warned_21_days_before_the_platforms_certificate_ends(
    caplog: pytest.LogCaptureFixture,
) -> None:
    ends = NOW + 90 * DAY

    def look(day: float) -> int:
        expiry_alert.check_expiry(
            HOST, lambda _host: CertificateFacts("1a", NOW, ends, (HOST,)), NOW + day * DAY
        )
        return len(emails_to(OPERATOR))

    assert [look(day) for day in (60, 68.9, 69.1, 69.2, 90.5)] == [0, 0, 1, 1, 2]
    first, last = emails_to(OPERATOR)
    assert first.subject == f"{HOST}: The platform's own certificate expires soon"
    assert f"The certificate that the edge shows for {HOST} is valid until" in first.text
    assert f"The certificate that the edge shows for {HOST} ended on" in last.text
    assert "The platform's own certificate expires soon" in caplog.text
    ends += 90 * DAY
    assert [look(day) for day in (91, 158, 160)] == [3, 3, 4]


def test_an_edge_that_shows_no_certificate_for_the_platform_is_logged(
    caplog: pytest.LogCaptureFixture,
) -> None:
    def refuse(_host: str) -> CertificateFacts:
        raise CertificateNotOffered("The server for HTTPS does not offer the certificate to visitors yet.")

    expiry_alert.check_expiry(HOST, refuse, NOW)
    assert f"certificate of {HOST} not seen at the edge" in caplog.text
