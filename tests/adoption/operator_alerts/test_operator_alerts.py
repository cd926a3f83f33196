"""Alerts to the operator: a log line and an email when a problem begins and when it ends."""

import logging
from datetime import timedelta

import pytest
from apiflask import APIFlask

from adoption.operator_alerts.causes import AUTHORITY_UNREACHABLE, CAUSES, PLATFORM_CERTIFICATE
from adoption.operator_alerts.opening_and_closing import close_alert, open_alert
from tests.factories import NOW
from tests.mailbox import emails_to

OPERATOR = "operator@homeward.example"
MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)
TITLE, SOLVED = CAUSES[PLATFORM_CERTIFICATE].title, CAUSES[PLATFORM_CERTIFICATE].solved


@pytest.fixture
def operator(app: APIFlask, monkeypatch: pytest.MonkeyPatch) -> None:
    known = app.config["HOMEWARD"].model_copy(update={"operator_email": OPERATOR})
    monkeypatch.setitem(app.config, "HOMEWARD", known)


@pytest.fixture
def lines(caplog: pytest.LogCaptureFixture) -> pytest.LogCaptureFixture:
    caplog.set_level(logging.INFO, "homeward.alerts")
    return caplog


def subjects() -> list[str]:
    return [each.subject.partition(": ")[2] for each in emails_to(OPERATOR)]


@pytest.mark.usefixtures("operator")
def test_a_problem_is_emailed_once_a_day_and_when_it_is_solved(app: APIFlask) -> None:
    for hours in range(30):
        open_alert(PLATFORM_CERTIFICATE, "It ends on 5 December 2026.", NOW + hours * HOUR)
    assert subjects() == [TITLE, TITLE]
    [first, _] = emails_to(OPERATOR)
    assert "It ends on 5 December 2026." in first.text
    assert "since 28 November 2026 at 00:00 UTC" in first.text
    assert CAUSES[PLATFORM_CERTIFICATE].fix[:9] in first.text
    close_alert(PLATFORM_CERTIFICATE, NOW + 31 * HOUR)
    close_alert(PLATFORM_CERTIFICATE, NOW + 32 * HOUR)
    assert subjects() == [TITLE, TITLE, SOLVED]


@pytest.mark.usefixtures("operator")
def test_a_recurring_problem_is_emailed_at_most_once_a_day(app: APIFlask) -> None:
    for minutes in range(0, 600, 10):
        open_alert(PLATFORM_CERTIFICATE, "It ends.", NOW + minutes * MINUTE)
        close_alert(PLATFORM_CERTIFICATE, NOW + (minutes + 5) * MINUTE)
    assert subjects() == [TITLE, SOLVED]
    open_alert(PLATFORM_CERTIFICATE, "It ends.", NOW + DAY)
    assert subjects() == [TITLE, SOLVED, TITLE]


@pytest.mark.usefixtures("operator")
def test_a_problem_that_returns_for_an_hour_is_emailed_again(
    app: APIFlask,
) -> None:
    open_alert(PLATFORM_CERTIFICATE, "It ends.", NOW)
    close_alert(PLATFORM_CERTIFICATE, NOW + 5 * MINUTE)
    for minutes in range(120):
        open_alert(PLATFORM_CERTIFICATE, "It ends again.", NOW + HOUR + minutes * MINUTE)
        assert subjects() == [TITLE, SOLVED, TITLE][: 2 + (minutes >= 60)]


def test_start_and_end_are_logged_without_an_operator_email(
    app: APIFlask, lines: pytest.LogCaptureFixture
) -> None:
    for minutes in range(90):
        open_alert(AUTHORITY_UNREACHABLE, "It could not be reached.", NOW + minutes * MINUTE)
    close_alert(AUTHORITY_UNREACHABLE, NOW + 2 * HOUR)
    close_alert(AUTHORITY_UNREACHABLE, NOW + 3 * HOUR)
    start, end = lines.messages
    assert start == (
        "The certificate authority does not answer, since 2026-11-28T00:00:00Z: It could not be reached."
    )
    assert end == "The certificate authority answers again. The problem began at 2026-11-28T00:00:00Z."
    assert [(each.event, each.cause) for each in lines.records] == [
        ("alert_opened", AUTHORITY_UNREACHABLE),
        ("alert_closed", AUTHORITY_UNREACHABLE),
    ]


@pytest.mark.usefixtures("operator")
def test_an_interruption_of_seconds_is_neither_logged_nor_emailed(
    app: APIFlask, lines: pytest.LogCaptureFixture
) -> None:
    seconds = timedelta(seconds=1)
    for begin in range(0, 600, 30):
        open_alert(AUTHORITY_UNREACHABLE, "It could not be reached.", NOW + begin * seconds)
        close_alert(AUTHORITY_UNREACHABLE, NOW + (begin + 20) * seconds)
    open_alert(AUTHORITY_UNREACHABLE, "It could not be reached.", NOW + HOUR)
    open_alert(AUTHORITY_UNREACHABLE, "It could not be reached.", NOW + 6 * HOUR)
    assert (lines.messages, subjects()) == ([], []), "two interruptions hours apart are not one long one"
    for minutes in range(61):
        open_alert(AUTHORITY_UNREACHABLE, "It could not be reached.", NOW + 6 * HOUR + minutes * MINUTE)
        assert len(subjects()) == (minutes == 60)
    assert len(lines.messages) == 1
