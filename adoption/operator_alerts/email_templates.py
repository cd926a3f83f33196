"""Emails to the operator about alerts. Each function returns a subject and a text."""

from datetime import datetime

from flask import current_app

from adoption.mail.text_layout import join_paragraphs
from adoption.operator_alerts.models import OperatorAlert
from adoption.time_zones import UTC_NAME, date_in, time_in
from adoption.translations import gettext


def opened_email(alert: OperatorAlert) -> tuple[str, str]:
    cause = alert.kind
    title = gettext(cause.title)
    return f"{platform_host()}: {title}", join_paragraphs(
        gettext("%(problem)s, since %(time)s.", problem=title, time=format_utc_time(alert.opened_at)),
        alert.detail,
        gettext(cause.fix),
        gettext("We email you once a day as long as this lasts, and once when it is over."),
    )


def solved_email(alert: OperatorAlert) -> tuple[str, str]:
    cause = alert.kind
    solved, began = gettext(cause.solved), format_utc_time(alert.opened_at)
    return f"{platform_host()}: {solved}", join_paragraphs(
        gettext("%(solved)s. The problem began on %(time)s.", solved=solved, time=began),
        gettext("You do not have to do anything."),
    )


def platform_host() -> str:
    host: str = current_app.config["HOMEWARD"].platform_host
    return host


def format_utc_time(when: datetime) -> str:
    return gettext("%(date)s at %(time)s", date=date_in(UTC_NAME, when), time=time_in(UTC_NAME, when))
