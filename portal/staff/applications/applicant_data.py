"""Showing, exporting and deleting the data that a shelter holds about one applicant."""

import json
from datetime import UTC, datetime

from flask import Response, current_app, make_response, render_template, request, url_for

from adoption.accounts.project_access import ProjectAccess
from adoption.orders import applicant_data, personal_data_erasure
from adoption.orders.applicant_data import ApplicantData
from adoption.text_joining import join_names
from adoption.translations import gettext, ngettext
from portal.confirmation_dialogs import ask_to_confirm
from portal.flash import notice
from portal.responses import as_download, see_other
from portal.staff import may, staff
from portal.staff.applications.inbox_rows import inbox_row
from portal.staff.change_authors import staff_member_of


@staff.get("/applicants/<int64:application_id>")
@may("applications.see")
def applicant(access: ProjectAccess, application_id: int) -> Response:
    found, now = found_of(access, application_id), datetime.now(UTC)
    rows = [(slug, project, inbox_row(entry, now)) for slug, project, entry in found.entries]
    return make_response(
        render_template(
            "staff/applications/applicant.html",
            applicant=found,
            application_id=application_id,
            rows=rows,
            keep_days=current_app.config["HOMEWARD"].keep_applications_days,
        )
    )


@staff.post("/applicants/<int64:application_id>/export")
@may("applications.see")
def export_applicant(access: ProjectAccess, application_id: int) -> Response:
    kept = applicant_data.export_applicant(staff_member_of(access), application_id)
    text = json.dumps(kept, ensure_ascii=False, indent=2) + "\n"
    return as_download(make_response(text), "applicant.json", "application/json; charset=utf-8")


@staff.route("/applicants/<int64:application_id>/erasure", methods=["GET", "POST"])
@may("applications.forget")
def erase_applicant(access: ProjectAccess, application_id: int) -> Response:
    if request.method == "POST":
        number = personal_data_erasure.erase_applicant(staff_member_of(access), application_id)
        notice(
            ngettext(
                "Personal data in %(num)s application deleted.",
                "Personal data in %(num)s applications deleted.",
                number,
            )
        )
        return see_other(url_for(".applications", box="all"))
    found = found_of(access, application_id)
    name = join_names(found.names)
    return ask_to_confirm(
        gettext("Delete all data about %(name)s (%(email)s)?", name=name, email=found.email),
        applicant_sentence(found)
        + gettext(
            "Name, email address, phone, answers, notes, emails and messages are deleted permanently. Only "
            "the status and history of each application are kept. This cannot be undone."
        ),
        url_for(".erase_applicant", application_id=application_id),
        gettext("Delete data of %(name)s", name=found.names[0]),
        gettext("Keep data"),
        url_for(".applicant", application_id=application_id),
    )


def applicant_sentence(found: ApplicantData) -> str:
    number = sum(entry.state in ("placed", "approved", "held") for _, _, entry in found.entries)
    if not number:
        return ""
    sentence = ngettext(
        "An open application is withdrawn first.", "%(num)s open applications are withdrawn first.", number
    )
    return f"{sentence} "


def found_of(access: ProjectAccess, application_id: int) -> ApplicantData:
    return applicant_data.load_applicant(access.account.id, application_id)
