"""The history of an application, as a timeline on its page."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, NamedTuple

from adoption.orders.history import OrderStep
from adoption.orders.models import APPLICANT, HOMEWARD
from adoption.translations import gettext, message
from portal.dates import day_and_time

STEPS = {
    "placed": (message("Applied"), "done"),
    "approved": (message("Approved"), "done"),
    "completed": (message("Adopted"), "done"),
    "declined": (message("Declined"), "closed"),
    "withdrawn": (message("Withdrawn"), "closed"),
    "returned": (message("Returned"), "closed"),
    "assigned": (message("Assigned"), "done"),
}


class ShownEvent(NamedTuple):
    """A step of the timeline."""

    title: str
    by: str
    when: Any
    state: str


def shown_history(steps: list[OrderStep], names: Mapping[str, str], now: datetime) -> list[ShownEvent]:
    shown, before = [], ""
    for step in steps:
        title, state = event_title(step, before, names), STEPS[step.event][1]
        shown.append(
            ShownEvent(title, by_whom(step.actor, names), day_and_time(step.at, now, capitalised=True), state)
        )
        before = before if step.event == "assigned" else step.event
    return shown


def by_whom(actor: str, names: Mapping[str, str]) -> str:
    if actor in ("", HOMEWARD):
        return ""
    if actor == APPLICANT:
        return gettext("by the applicant")
    return gettext("by %(name)s", name=names[actor])


def event_title(step: OrderStep, before: str, names: Mapping[str, str]) -> str:
    """Return the title of a step. It depends on ``before``, the event of the decision before the step."""
    if step.event == "assigned":
        if not step.detail:
            return gettext("Assigned to no one")
        return gettext("Assigned to %(name)s", name=names[step.detail])
    if before == "declined" and step.event in ("placed", "approved"):
        return gettext("Decline undone")
    if step.event == "placed" and before:
        return gettext("Approval undone")
    if step.event == "placed" and step.actor not in ("", APPLICANT):
        return gettext("Marked as not spam")
    if step.event == "withdrawn" and step.actor == HOMEWARD:
        return gettext("Closed, since it was not decided in time")
    if step.event == "declined" and step.actor == HOMEWARD:
        return gettext("Declined because another home was chosen")
    return gettext(STEPS[step.event][0])
