"""Assigning one or several applications to a member of the team."""

from flask import Response, request

from adoption.accounts.project_access import ProjectAccess
from adoption.errors import Invalid
from adoption.orders import assignments
from adoption.orders.applications_with_orders import parse_ref
from adoption.translations import gettext, ngettext
from portal.flash import notice
from portal.responses import see_other
from portal.sign_in.unsaved_forms import show_after_error
from portal.staff import may, staff
from portal.staff.applications.application_page import case_page
from portal.staff.applications.filters import back_to_inbox, case_address
from portal.staff.applications.team_members import name_of_member
from portal.staff.applications.ticked_applications import NONE_CHOSEN, ticked_applications
from portal.staff.change_authors import staff_member_of
from portal.url_converters import parse_id


@staff.post("/applications/assignees")
@may("applications.decide")
def assign_applications(access: ProjectAccess) -> Response:
    refs = [ref for ref, _ in ticked_applications()]
    text = request.form.get("assignee", "")
    chosen = parse_id(text)
    if not refs or not (chosen or text == "none"):
        fault = (
            gettext("Choose a member of your team first, then assign the applications.")
            if refs
            else gettext(NONE_CHOSEN)
        )
        if refs and (again := show_after_error(fault, 422)):
            return again
        notice(fault, "warn")
        return back_to_inbox()
    try:
        changed = assignments.assign_applications(staff_member_of(access), refs, chosen)
    except Invalid as refusal:
        notice(gettext("Nothing was changed. %(reason)s.", reason=refusal.violations[0][1]), "warn")
        return back_to_inbox()
    sentences = [assigned_sentence(changed, name_of_member(chosen) if chosen else "")]
    if rest := len(refs) - changed:
        sentences.append(gettext("%(number)s unchanged.", number=rest))
    notice(" ".join(sentences))
    return back_to_inbox()


def assigned_sentence(number: int, name: str) -> str:
    if not name:
        return ngettext(
            "%(num)s application assigned to no one.", "%(num)s applications assigned to no one.", number
        )
    return ngettext(
        "%(num)s application assigned to %(name)s.",
        "%(num)s applications assigned to %(name)s.",
        number,
        name=name,
    )


@staff.post("/applications/<ref>/assignee")
@may("applications.decide")
def assign_application(access: ProjectAccess, ref: str) -> Response:
    try:
        assignments.assign_applications(
            staff_member_of(access), [parse_ref(ref)], chosen := parse_id(request.form.get("assignee", ""))
        )
    except Invalid as refusal:
        return case_page(access, ref, refusal=refusal.violations[0][1], status=422)
    if chosen:
        notice(gettext("Assigned to %(name)s.", name=name_of_member(chosen)))
    else:
        notice(gettext("No one is assigned now."))
    return see_other(case_address(ref))
