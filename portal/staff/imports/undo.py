"""The undo of an import, with the page that shows its effects and asks for confirmation."""

from flask import Response, url_for

from adoption.accounts.project_access import ProjectAccess
from adoption.imports.queries import import_of
from adoption.imports.undo import count_undo, request_undo
from adoption.storage.database import reading
from adoption.translations import gettext
from portal.confirmation_dialogs import ask_to_confirm
from portal.current_user import actor
from portal.responses import see_other
from portal.staff import may, staff
from portal.staff.imports.undo_effects import undo_sentences


@staff.get("/imports/<int64:import_id>/undo")
@may("animals.import")
def ask_to_undo_import(access: ProjectAccess, import_id: int) -> Response:
    with reading() as session:
        each = import_of(session, access.project.id, import_id)
    effects = undo_sentences(count_undo(access.project.id, import_id), is_done=False)
    here = url_for(".show_import", import_id=import_id)
    action = url_for(".undo_import", import_id=import_id)
    title = gettext("Undo the import of %(file)s?", file=each.file_name)
    return ask_to_confirm(
        title, " ".join(effects), action, gettext("Undo import"), gettext("Keep the import"), here
    )


@staff.post("/imports/<int64:import_id>/undo")
@may("animals.import")
def undo_import(access: ProjectAccess, import_id: int) -> Response:
    request_undo(access.project.id, import_id, actor())
    return see_other(url_for(".show_import", import_id=import_id))
