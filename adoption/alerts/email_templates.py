"""Emails to the operator about alerts. Each function returns a subject and a text."""

from datetime import datetime

from flask import current_app

from adoption.alerts.models import OperatorAlert
from adoption.mail.text_layout import join_paragraphs
from adoption.time_zones import UTC_NAME, date_in, time_in


def opened_email(alert: OperatorAlert) -> tuple[str, str]:
    cause = alert.kind
    return f"{platform()}: {cause.title}", join_paragraphs(
        f"{cause.title}, since {format_utc_time(alert.opened_at)}.",
        alert.detail,
        cause.fix,
        "We email you once a day as long as this lasts, and once when it is over.",
    )


def solved_email(alert: OperatorAlert) -> tuple[str, str]:
    cause = alert.kind
    return f"{platform()}: {cause.solved}", join_paragraphs(
        f"{cause.solved}. The problem began on {format_utc_time(alert.opened_at)}.",
        "You do not have to do anything.",
    )


def platform() -> str:
    host: str = current_app.config["HOMEWARD"].platform_host
    return host


def format_utc_time(when: datetime) -> str:
    return f"{date_in(UTC_NAME, when)} at {time_in(UTC_NAME, when)}"
