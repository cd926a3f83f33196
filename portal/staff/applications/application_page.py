"""The page of an application, with its notes."""

from datetime import UTC, datetime
from typing import Any

from flask import Response, make_response, render_template, request
from wtforms import Form, TextAreaField

from adoption.accounts.project_access import ProjectAccess
from adoption.errors import Conflict, Invalid
from adoption.orders import inbox
from adoption.orders.application_page_data import ApplicationOverview, load_overview
from adoption.orders.applications_with_orders import Ref, parse_ref
from adoption.orders.inbox_filters import InboxFilter
from adoption.orders.link_replacements import can_get_link
from adoption.orders.staff_notes import add_staff_note
from adoption.text_joining import join_names
from adoption.translations import gettext
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
    answers_for_staff,
    applicant_label,
    promise_sentence,
    state_mark,
)
from portal.staff.applications.team_members import team_words
from portal.staff.change_authors import staff_member_of


class NoteForm(Form):
    note = TextAreaField()


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
    """Return the page of one application. ``refusal`` is the reason why the user's change was refused."""
    details = load_overview(access.account.id, access.project.id, parse_ref(ref))
    words = {**application_values(details, ref), **neighbour_links(access, details.case.ref), **team_words()}
    page = render_template("staff/applications/show.html", **words, form=form or NoteForm(), refusal=refusal)
    return make_response(page, status)


def neighbour_links(access: ProjectAccess, ref: Ref) -> dict[str, Any]:
    """Return the links to the list, and to the previous and the next application in the list."""
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
