"""The certificate of the platform's own host: ordered and renewed by the service, or watched at the edge."""

from datetime import timedelta

import pytest
from apiflask import APIFlask

from adoption.alerts.causes import AUTHORITY_UNREACHABLE
from adoption.alerts.queries import opened_at
from adoption.certificates.certificate_authority import PROCESSING, Refused, Stage, Unreached
from adoption.certificates.lookup import challenge_answer, platform_certificate_for
from adoption.certificates.platform import expiry
from adoption.certificates.tls_probe import NotOffered
from adoption.certificates.x509 import CertificateFacts, read_certificate
from adoption.commands.certificate_server import Listener
from adoption.storage.database import reading
from tests.adoption.certificates.conftest import World
from tests.factories import NOW
from tests.mailbox import letters_to

pytestmark = pytest.mark.settings("embedded")

HOST = "homeward.example"
OPERATOR = "operator@homeward.example"
DAY = timedelta(days=1)


@pytest.fixture(autouse=True)
def operator(app: APIFlask, monkeypatch: pytest.MonkeyPatch) -> None:
    known = app.config["HOMEWARD"].model_copy(update={"platform_host": HOST, "operator_email": OPERATOR})
    monkeypatch.setitem(app.config, "HOMEWARD", known)


@pytest.fixture
def platform(world: World) -> World:
    """A service that orders the certificate of the platform's own host."""
    world.platform_host = HOST
    return world


def serial(host: str = HOST) -> str:
    kept = platform_certificate_for(host, HOST)
    return read_certificate(kept.chain).serial if kept else ""


def subjects() -> list[str]:
    return [letter.subject for letter in letters_to(OPERATOR)]


def test_the_platforms_own_certificate_is_ordered_and_renewed(platform: World) -> None:
    platform.round()
    first = serial()
    assert first
    assert serial(f"www.{HOST}") == ""
    platform.round(days=59)
    assert serial() == first
    platform.round(days=1, minutes=5)
    assert serial() not in ("", first)
    assert platform.ca.count("order") == 2


def test_nothing_is_ordered_where_the_edge_has_the_certificate_in_files(world: World) -> None:
    world.round()
    assert world.ca.asked == []


def test_the_platforms_host_answers_the_challenge_while_it_is_ordered(platform: World) -> None:
    answers = []

    def begin_validation(order: str, kind: str = "") -> None:
        answers.append([challenge_answer(host, "token-of-1") for host in (HOST, "other.example")])
        platform.ca.status[order] = "ready"

    platform.ca.begin_validation = begin_validation  # type: ignore[method-assign]
    platform.round()
    assert answers == [["answer-of-1", None]]
    assert challenge_answer(HOST, "token-of-1") is None
    assert challenge_answer(HOST, "") is None


def test_a_failed_order_keeps_the_certificate_emails_the_operator_once_and_is_repeated(
    platform: World, caplog: pytest.LogCaptureFixture
) -> None:
    platform.round()
    first = serial()
    platform.ca.refusal = Refused("connection", "Timeout during connect")
    platform.round(days=60)
    assert subjects() == []
    platform.round(minutes=1)
    platform.round(minutes=6)
    assert platform.ca.count("order") == 4
    assert serial() == first
    [told] = letters_to(OPERATOR)
    assert told.subject == f"{HOST}: The platform's own certificate cannot be ordered"
    assert f"The code of {HOST} is connection: Timeout during connect" in told.text
    assert "failed: connection" in caplog.text
    platform.ca.refusal = None
    platform.round(minutes=16)
    assert serial() != first
    assert subjects()[1:] == [f"{HOST}: The platform's own certificate was ordered"]


def test_an_authority_that_cannot_be_reached_for_a_day_is_a_failure(platform: World) -> None:
    platform.ca.trouble = Unreached("The certificate authority could not be reached.")
    platform.round()
    platform.round(hours=23)
    assert subjects() == []
    platform.round(hours=2)
    assert subjects() == [f"{HOST}: The platform's own certificate cannot be ordered"]
    platform.ca.trouble = None
    platform.round(minutes=2)
    assert serial()


def test_the_authority_is_not_asked_again_before_it_wants_to_be(platform: World) -> None:
    wanted = NOW + timedelta(minutes=10)
    platform.ca.trouble = Unreached("Maintenance", not_before=wanted)
    platform.round()
    platform.round(minutes=8)
    assert platform.ca.count("order") == 1
    platform.ca.trouble = None
    busy = Stage(PROCESSING, (), wanted + timedelta(minutes=10))
    platform.ca.stage = lambda order, kind="": platform.ca.note("stage", order) or busy  # type: ignore[method-assign]
    platform.round(minutes=2)
    platform.round(minutes=8)
    assert (platform.ca.count("order"), platform.ca.count("stage")) == (2, 1)


def test_a_certificate_that_cannot_be_read_is_no_outage_of_the_authority(platform: World) -> None:
    platform.ca.chain = lambda order: "no certificate"  # type: ignore[method-assign]
    platform.round()
    assert platform.ca.count("finalize") == 1
    with reading() as session:
        assert opened_at(session, AUTHORITY_UNREACHABLE) is None


def test_edges_get_the_platforms_certificate_and_a_lost_key_is_replaced(
    platform: World, app: APIFlask, monkeypatch: pytest.MonkeyPatch
) -> None:
    platform.round()
    settings = app.config["HOMEWARD"].model_copy(update={"orders_platform_certificate": True})
    monkeypatch.setitem(app.config, "HOMEWARD", settings)
    first, host = serial(), HOST
    status, _, pem = Listener(app, platform.vault, lambda: platform.now).certificate(host)
    assert (status, pem.count(b"BEGIN")) == ("200 OK", 2)
    for other in (f"www.{HOST}", f"not{HOST}"):
        assert Listener(app, platform.vault).certificate(other)[0] == "204 No Content"
    lost = Listener(app, World().vault, lambda: platform.now + 2 * DAY)
    assert lost.certificate(host)[0] == "204 No Content"
    platform.round(days=2, minutes=1)
    assert serial() not in ("", first)


def test_the_operator_is_warned_21_days_before_the_platforms_certificate_ends(
    caplog: pytest.LogCaptureFixture,
) -> None:
    ends = NOW + 90 * DAY

    def look(day: float) -> int:
        expiry.check_expiry(HOST, lambda _host: CertificateFacts("1a", NOW, ends, (HOST,)), NOW + day * DAY)
        return len(letters_to(OPERATOR))

    assert [look(day) for day in (60, 68.9, 69.1, 69.2, 90.5)] == [0, 0, 1, 1, 2]
    first, last = letters_to(OPERATOR)
    assert first.subject == f"{HOST}: The platform's own certificate ends soon"
    assert f"The certificate that the edge shows for {HOST} is valid until" in first.text
    assert f"The certificate that the edge shows for {HOST} ended on" in last.text
    assert "The platform's own certificate ends soon" in caplog.text
    ends += 90 * DAY
    assert [look(day) for day in (91, 158, 160)] == [3, 3, 4]


def test_an_edge_that_shows_no_certificate_for_the_platform_is_logged(
    caplog: pytest.LogCaptureFixture,
) -> None:
    def refuse(_host: str) -> CertificateFacts:
        raise NotOffered("The server for HTTPS does not offer it to visitors yet.")

    expiry.check_expiry(HOST, refuse, NOW)
    assert f"certificate of {HOST} not seen at the edge" in caplog.text
