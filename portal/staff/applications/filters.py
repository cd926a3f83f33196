"""The filters of the inbox. They are in the address of the list and in the addresses of its applications."""

from typing import Any

from flask import Response, request, url_for

from adoption.orders.inbox_filters import BOXES, UNASSIGNED, InboxFilter
from portal.responses import see_other
from portal.staff.applications.team_members import own_membership
from portal.url_converters import parse_id

WORDS_LONGEST = 100
MINE, NOBODYS = "me", "none"
"""Values of the parameter ``who`` that are not a member's id. ``MINE`` finds the user's own applications, and
``NOBODYS`` finds unassigned applications."""


def sought_now() -> InboxFilter:
    """Return the filters in the address of the current request."""
    box = request.args.get("box", "waiting")
    return InboxFilter(
        box if box in BOXES else "waiting",
        parse_id(request.args.get("animal", "")),
        search_words_in("q"),
        request.args.get("order") == "oldest",
        parse_id(request.args.get("after", "")),
        parse_id(request.args.get("before", "")),
        search_words_in("pet"),
        assignee_in(request.args.get("who", "")),
    )


def search_words_in(name: str) -> str:
    return " ".join(request.args.get(name, "").replace("\0", " ").split())[:WORDS_LONGEST]


def assignee_in(text: str) -> int | None:
    if text == NOBODYS:
        return UNASSIGNED
    return own_membership().id if text == MINE else parse_id(text)


def filter_parameters(sought: InboxFilter, **changes: Any) -> dict[str, Any]:
    """Return these filters as parameters of an address. Default values are left out."""
    changed = sought._replace(**changes)
    words = {
        "box": changed.box if changed.box != "waiting" else None,
        "animal": changed.animal_id,
        "q": changed.words,
        "pet": changed.pet,
        "who": NOBODYS if changed.assignee == UNASSIGNED else changed.assignee,
        "order": "oldest" if changed.oldest_first else None,
    }
    return {name: value for name, value in words.items() if value}


def list_address(sought: InboxFilter, **changes: Any) -> str:
    """Return the address of the inbox with these filters."""
    return url_for("staff.applications", **filter_parameters(sought, **changes))


def case_address(ref: str, endpoint: str | None = None, **words: Any) -> str:
    """Return the address of a page about an application. The address also contains the filters of the list.

    Without ``endpoint``, the page is the page of the application.
    """
    return url_for(endpoint or ".application", ref=ref, **filter_parameters(sought_now()), **words)


def back_to_inbox() -> Response:
    return see_other(list_address(sought_now()))
