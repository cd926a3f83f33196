"""The filters of the staff's inbox, as addresses carry them from the list to an application and back."""

from typing import Any

from flask import g, request, url_for

from adoption.accounts import members
from adoption.accounts.members import Membership
from adoption.accounts.project_access import ProjectAccess
from adoption.orders.inbox_filters import BOXES, UNASSIGNED, InboxFilter
from portal.current_user import signed_in_person
from portal.url_converters import parse_id

WORDS_LONGEST = 100
MINE, NOBODYS = "me", "none"
"""Values of the parameter ``who`` beside the ids of members."""


def sought_now() -> InboxFilter:
    """Return what the request's address asks for."""
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


def own_membership() -> Membership:
    return next(each for each in team() if each.user_id == signed_in_person().user_id)


def team() -> list[Membership]:
    """Return the members of the account that is shown, read once a request."""
    if "team" not in g:
        access: ProjectAccess = g.access
        g.team = members.members_of(access.account.id)
    found: list[Membership] = g.team
    return found


def filter_parameters(sought: InboxFilter, **changes: Any) -> dict[str, Any]:
    """Return the parameters of an address that asks for this, without those that are the default."""
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
    """Return the address of an application's page, or of another page about it, with the list's filters."""
    return url_for(endpoint or ".application", ref=ref, **filter_parameters(sought_now()), **words)
