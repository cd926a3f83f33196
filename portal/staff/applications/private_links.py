"""Sending an applicant a new private link to their application."""

from flask import Response, request

from adoption.accounts.project_access import ProjectAccess
from adoption.errors import Conflict
from adoption.orders import link_replacements
from adoption.orders.applications_with_orders import parse_ref
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


@staff.route("/applications/<ref>/private-link", methods=["GET", "POST"])
@may("applications.decide")
def send_private_link(access: ProjectAccess, ref: str) -> Response:
    if request.method == "POST":
        try:
            link_replacements.send_new_link(staff_member_of(access), parse_ref(ref))
        except Conflict as refusal:
            return case_page(access, ref, refusal=refusal.sentence, status=409)
        notice(gettext("A new private link was emailed. The earlier link no longer works."))
        return see_other(case_address(ref))
    file = find_application(access, ref)
    if not link_replacements.can_get_link(file.case.application):
        return see_other(case_address(ref))
    return ask_to_confirm(
        gettext("Send %(name)s a new private link?", name=applicant_name(file)),
        gettext(
            "We email it to the address in the application. The earlier link stops working at once. Use this "
            "if the applicant has lost the link, or if someone else has it."
        ),
        case_address(ref, ".send_private_link"),
        gettext("Send a new link"),
        gettext("Cancel"),
        case_address(ref),
        tone="primary",
    )
