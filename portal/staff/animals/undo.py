"""The undo of changes in the list of animals, of one animal or many."""

from flask import Response, request

from adoption.accounts.project_access import ProjectAccess
from adoption.animals import bulk_undo
from adoption.errors import Conflict
from portal import htmx
from portal.flash import notice
from portal.staff import may, staff
from portal.staff.animals.bulk_change_notices import undone_in_words
from portal.staff.animals.filters import back_to_list
from portal.staff.animals.list_page import find_row
from portal.staff.animals.row_changes import changed_row
from portal.staff.change_authors import current_editor
from portal.url_converters import parse_id


@staff.post("/animals/changes/<int64:change_id>/reversal")
@may("animals.edit")
def take_back(access: ProjectAccess, change_id: int) -> Response:
    try:
        undone = bulk_undo.undo_bulk_change(current_editor(access), change_id)
    except Conflict as refusal:
        sentence, tone = refusal.sentence, "warn"
    else:
        sentence, tone = undone_in_words(undone), "warn" if undone.kept else "good"
    row = parse_id(request.form.get("row", ""))
    if row and htmx.target_id() is not None:
        return changed_row(access, find_row(access, row), sentence=sentence)
    notice(sentence, tone)
    return back_to_list()
