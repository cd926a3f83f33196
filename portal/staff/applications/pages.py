"""The inbox of applications, and the page of one application with its notes."""

from datetime import UTC, datetime
from typing import Any

from flask import Response, g, make_response, render_template, request, url_for
from wtforms import Form, TextAreaField

from adoption.accounts.project_access import ProjectAccess
from adoption.errors import Conflict, Invalid
from adoption.orders import animals_with_applications, inbox
from adoption.orders.animals_with_applications import AnimalWithApplications
from adoption.orders.application_cases import Ref, parse_ref
from adoption.orders.application_overview import ApplicationOverview, load_overview
from adoption.orders.inbox import InboxCounts, InboxPage
from adoption.orders.inbox_filters import InboxFilter
from adoption.orders.link_replacements import can_get_link
from adoption.orders.staff_notes import add_staff_note
from adoption.text_joining import join_names
from adoption.translations import gettext, ngettext
from portal import htmx
from portal.animal_labels import STATUSES
from portal.dates import day_and_time
from portal.flash import notice
from portal.phone_links import tel_number
from portal.responses import see_other
from portal.staff import may, staff
from portal.staff.applications.filters import case_address, filter_parameters, list_address, sought_now
from portal.staff.applications.history import shown_history
from portal.staff.applications.inbox_rows import inbox_row, thumb_of
from portal.staff.applications.labels import (
    BOXES,
    EMPTY,
    answers_for_staff,
    applicant_label,
    promise_sentence,
    species_label,
    state_mark,
)
from portal.staff.applications.team_members import own_membership, team_members
from portal.staff.change_authors import staff_member_of

TABS = ("waiting", "approved", "held", "decided", "all")
MATCHES_SHOWN = 12
"""The most matching animals that the filter lists. The rest are counted."""


class NoteForm(Form):
    note = TextAreaField()


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


def team_words() -> dict[str, Any]:
    return {"team": team_members(), "own_id": own_membership().id}


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


@staff.get("/applications/<ref>")
@may("applications.see")
def application(access: ProjectAccess, ref: str) -> Response:
    return case_page(access, ref)


@staff.post("/applications/<ref>/notes")
@may("applications.decide")
def add_note(access: ProjectAccess, ref: str) -> Response:
    form = NoteForm(request.form)
    try:
        add_staff_note(staff_member_of(access), parse_ref(ref), form.note.data or "")
    except Invalid as refusal:
        form.note.errors = [reason for _, reason in refusal.violations]
        return case_page(access, ref, form, status=422)
    except Conflict as refusal:
        return case_page(access, ref, form, refusal.sentence, 409)
    notice(gettext("Your note was added."))
    return see_other(case_address(ref, _anchor="notes"))


def case_page(
    access: ProjectAccess, ref: str, form: NoteForm | None = None, refusal: str = "", status: int = 200
) -> Response:
    """Return the page of one application. ``refusal`` is why the user's change was not made."""
    details = load_overview(access.account.id, access.project.id, parse_ref(ref))
    words = {**application_values(details, ref), **neighbour_links(access, details.case.ref), **team_words()}
    page = render_template("staff/applications/show.html", **words, form=form or NoteForm(), refusal=refusal)
    return make_response(page, status)


def neighbour_links(access: ProjectAccess, ref: Ref) -> dict[str, Any]:
    """Return the links to the list, and to the applications before and after this one in the list."""
    sought = sought_now()
    found = inbox.find_neighbours(access.project.id, sought, ref)
    previous, following = (found.previous, found.next) if found else (None, None)
    return {
        "list_address": list_address(sought),
        "list_name": gettext(BOXES[sought.box][0]),
        "previous": previous and case_address(str(previous)),
        "following": following and case_address(str(following)),
        "place_in_list": gettext(
            "%(number)s of %(total)s", number=f"{found.number:,}", total=f"{found.total:,}"
        )
        if found and found.number
        else "",
    }


def application_values(details: ApplicationOverview, ref: str) -> dict[str, Any]:
    case, now = details.case, datetime.now(UTC)
    application = case.application
    kept = application is not None and not application.forgotten_at
    return {
        "ref": ref,
        "kept_filters": filter_parameters(sought_now()),
        "state": case.state,
        "mark": state_mark(case.state),
        "application": application,
        "kept": kept,
        "can_get_link": can_get_link(application),
        "who": applicant_label(application),
        "animals": join_names(case.names),
        "number": len(case.names),
        "pets": [thumb_of(pet) for pet in details.pets],
        "answers": answers_for_staff(application) if application and kept else [],
        "dialled": tel_number(application.phone) if application else "",
        "sent": day_and_time((application or case.orders[0]).created_at, now),
        "assignee": details.assignee,
        "assignable": bool(case.orders),
        "history": shown_history(details.history, details.names, now),
        "notes": [
            (note, details.names[note.author], day_and_time(note.created_at, now)) for note in details.notes
        ],
        "messages": [(message, day_and_time(message.created_at, now)) for message in details.messages],
        "promises": [promise_sentence(each) for each in details.approved_rivals],
        "rivals": [inbox_row(entry, now)._replace(others=0) for entry in details.others_shown],
        "more_rivals": len(details.others.found) - len(details.others_shown),
        "rivals_address": list_address(InboxFilter(), animal_id=details.pets[0].id) if details.pets else "",
        "statuses": STATUSES,
        "same_address": [inbox_row(entry, now) for entry in details.same_address],
        "more_same": details.same_address_total - len(details.same_address),
    }
