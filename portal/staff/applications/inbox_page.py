"""The inbox of applications: its parts, filters and pages."""

from datetime import UTC, datetime
from typing import Any

from flask import Response, g, make_response, render_template, url_for

from adoption.accounts.project_access import ProjectAccess
from adoption.orders import animals_with_applications, inbox
from adoption.orders.animals_with_applications import AnimalWithApplications
from adoption.orders.inbox import InboxCounts, InboxPage
from adoption.orders.inbox_filters import InboxFilter
from adoption.translations import gettext, ngettext
from portal import htmx
from portal.staff import may, staff
from portal.staff.applications.filters import filter_parameters, list_address, sought_now
from portal.staff.applications.inbox_rows import inbox_row
from portal.staff.applications.labels import (
    BOXES,
    EMPTY,
    species_label,
)
from portal.staff.applications.team_members import team_words

TABS = ("waiting", "approved", "held", "decided", "all")


MATCHES_SHOWN = 12
"""The maximum number of matching animals that the filter lists. For the rest, only the number is shown."""


@staff.context_processor
def inbox_counts() -> dict[str, Any]:
    """Return the function that counts applications. Only pages with a navigation call it."""
    access: ProjectAccess | None = g.get("access")
    return {
        "in_inbox": lambda: inbox.count_for_navigation(access.project.id) if access else InboxCounts(0, 0)
    }


@staff.get("/applications")
@may("applications.see")
def applications(access: ProjectAccess) -> Response:
    sought, now = sought_now(), datetime.now(UTC)
    found = inbox.inbox_page(access.project.id, sought)
    counts = inbox.count_boxes(access.project.id)
    words = {
        "rows": [inbox_row(entry, now) for entry in found.entries],
        "sought": sought,
        "asked": filter_parameters(sought),
        "tabs": inbox_tabs(counts, sought),
        "held": counts["held"],
        "held_address": list_address(InboxFilter(box="held")),
        "empty": EMPTY[sought.box],
        "narrowed": sought._replace(box="", oldest_first=False, after=None, before=None)
        != InboxFilter(box=""),
        "total": found.total,
        "range": range_of(found),
        "next": url_for(".applications", **filter_parameters(sought), after=found.next)
        if found.next
        else None,
        "previous": url_for(".applications", **filter_parameters(sought), before=found.previous)
        if found.previous
        else None,
        "first": list_address(sought) if sought.after or sought.before else None,
        **animal_filter_values(access, sought),
        **team_words(),
    }
    if htmx.target_id() == "inbox":
        text = render_template("staff/applications/_inbox.html", **words)
        address = url_for(
            ".applications", **filter_parameters(sought), after=sought.after, before=sought.before
        )
        return htmx.announced_fragment(text, words["range"] or gettext("No applications"), address)
    return make_response(render_template("staff/applications/index.html", **words))


def range_of(page: InboxPage) -> str:
    """Return which applications the page shows, such as "26 to 50 of 956 applications".

    Empty if there are none.
    """
    if not page.entries:
        return ""
    total = f"{page.total:,}"
    if page.total == len(page.entries):
        return ngettext("%(num)s application", "%(num)s applications", page.total, num=total)
    return gettext(
        "%(first)s to %(last)s of %(total)s applications",
        first=f"{page.first:,}",
        last=f"{page.first + len(page.entries) - 1:,}",
        total=total,
    )


def animal_filter_values(access: ProjectAccess, sought: InboxFilter) -> dict[str, Any]:
    """Return the template values of the filter by animal: the chosen animal, and the matching animals."""
    chosen = (
        animals_with_applications.find_animal_with_applications(access.project.id, sought.animal_id)
        if sought.animal_id
        else None
    )
    matches = animals_with_applications.search_animals(access.project.id, sought.pet) if sought.pet else []
    return {
        "chosen": chosen and animal_label(chosen),
        "unchosen_address": list_address(sought, animal_id=None),
        "matches": [
            (animal_label(each), each.open, list_address(sought, animal_id=each.id, pet=""))
            for each in matches[:MATCHES_SHOWN]
        ],
        "matching": len(matches),
        "more_matches": max(0, len(matches) - MATCHES_SHOWN),
    }


def animal_label(animal: AnimalWithApplications) -> str:
    about = [each for each in (animal.code, species_label(animal.category_id)) if each]
    return f"{animal.name} ({', '.join(about)})"


def inbox_tabs(counts: dict[str, int], sought: InboxFilter) -> list[dict[str, Any]]:
    return [
        {
            "label": gettext(BOXES[box][0]),
            "icon": BOXES[box][1],
            "count": counts.get(box, 0),
            "address": list_address(sought, box=box),
            "current": box == sought.box,
        }
        for box in TABS
    ]


@staff.app_template_filter("capped")
def capped(count: int) -> str:
    """Return a count in words, such as "12", or "99+" if the count reached its limit. Empty for 0."""
    return f"{count - 1}+" if count >= inbox.COUNTED_MOST else str(count) if count else ""
