"""Applications held as spam: releasing or deleting them."""

from flask import Response, request, url_for

from adoption.accounts.project_access import ProjectAccess
from adoption.errors import Conflict, NotFound
from adoption.orders import spam_review
from adoption.orders.applications_with_orders import no_such_application, parse_ref
from adoption.translations import gettext
from portal.confirmation_dialogs import ask_to_confirm
from portal.flash import notice
from portal.responses import see_other
from portal.staff import may, staff
from portal.staff.applications.application_page import case_page
from portal.staff.applications.decision_kinds import (
    applicant_name,
)
from portal.staff.applications.decisions import find_application
from portal.staff.applications.filters import case_address
from portal.staff.change_authors import staff_member_of


@staff.post("/applications/<ref>/release")
@may("applications.decide")
def release_application(access: ProjectAccess, ref: str) -> Response:
    try:
        spam_review.release_application(staff_member_of(access), held_id(ref))
    except (Conflict, NotFound) as refusal:
        return case_page(access, ref, refusal=refusal.sentence, status=409)
    notice(gettext("Moved to your inbox. The applicant has been emailed."))
    return see_other(case_address(ref))


@staff.route("/applications/<ref>/deletion", methods=["GET", "POST"])
@may("applications.decide")
def discard_application(access: ProjectAccess, ref: str) -> Response:
    if request.method == "POST":
        try:
            spam_review.delete_held_application(staff_member_of(access), held_id(ref))
        except Conflict as refusal:
            return case_page(access, ref, refusal=refusal.sentence, status=409)
        notice(gettext("Deleted as spam."))
        return see_other(url_for(".applications", box="held"))
    file = find_application(access, ref)
    return ask_to_confirm(
        gettext("Delete the application of %(name)s as spam?", name=applicant_name(file)),
        gettext("All its data is deleted, and no one is emailed. This cannot be undone."),
        case_address(ref, ".discard_application"),
        gettext("Delete application"),
        gettext("Keep it"),
        case_address(ref),
    )


def held_id(ref: str) -> int:
    found = parse_ref(ref).application_id
    if found is None:
        raise no_such_application()
    return found
