"""Stopping an import that is under way."""

from flask import Response, url_for

from adoption.accounts.project_access import ProjectAccess
from adoption.imports import start_and_cancel
from adoption.imports.models import UNDER_WAY
from adoption.imports.queries import import_of
from adoption.storage.database import reading
from adoption.translations import gettext
from portal.confirmation_dialogs import ask_to_confirm
from portal.current_user import actor
from portal.flash import notice
from portal.staff import may, staff
from portal.staff.imports.import_pages import back_to_import


@staff.get("/imports/<int64:import_id>/cancel")
@may("animals.import")
def ask_to_cancel(access: ProjectAccess, import_id: int) -> Response:
    with reading() as session:
        each = import_of(session, access.project.id, import_id)
    if each.state not in UNDER_WAY:
        return back_to_import(import_id)
    kept = (
        gettext("Nothing has been written.")
        if each.dry_run
        else gettext("Animals imported so far stay. Import the file again to add the others.")
    )
    here = url_for(".show_import", import_id=import_id)
    action = url_for(".cancel_import", import_id=import_id)
    title = gettext("Stop importing %(file)s?", file=each.file_name)
    return ask_to_confirm(title, kept, action, gettext("Stop import"), gettext("Go on importing"), here)


@staff.post("/imports/<int64:import_id>/cancel")
@may("animals.import")
def cancel_import(access: ProjectAccess, import_id: int) -> Response:
    each = start_and_cancel.cancel_import(access.project.id, import_id, actor())
    if each.state == "cancelled":
        notice(gettext("The import of %(file)s was stopped.", file=each.file_name))
    else:
        notice(gettext("The import of %(file)s stops in a moment.", file=each.file_name))
    return back_to_import(import_id)
