"""Validation of one field while the user edits an animal."""

from flask import Response, render_template, request

from adoption.accounts.project_access import ProjectAccess
from adoption.animals.form_fields import Values
from adoption.animals.staff_edits import open_animal
from adoption.errors import NotFound
from adoption.storage.database import reading
from adoption.translations import gettext
from portal import htmx
from portal.dates import current_date
from portal.staff import may, staff
from portal.staff.animals.animal_form import AnimalForm
from portal.staff.animals.form_fields import QUESTIONS


@staff.post("/animals/checks/<name>")
@may("animals.edit", in_background=True)
def check_new(access: ProjectAccess, name: str) -> Response:
    return check_field(access, name, None)


@staff.post("/animals/<int64:animal_id>/checks/<name>")
@may("animals.edit", in_background=True)
def check_edited(access: ProjectAccess, animal_id: int, name: str) -> Response:
    with reading() as session:
        opened = open_animal(session, access.project.id, animal_id)
    return check_field(access, name, animal_id, opened.values)


def check_field(
    access: ProjectAccess, name: str, animal_id: int | None, known: Values | None = None
) -> Response:
    """Return one field of the form, checked. A script requests the check when the field loses focus."""
    if name not in QUESTIONS:
        raise NotFound(gettext("There is no such field."))
    form = AnimalForm(request.form, animal_id)
    with reading() as session:
        field = form.check_only(name, session, access.project.id, current_date(), known)
    return htmx.fragment(render_template("staff/animals/_field.html", form=form, field=field))
