"""Changes of one animal in its row of the list."""

from datetime import UTC, datetime

from flask import Response, render_template, request, url_for

from adoption.accounts.project_access import ProjectAccess
from adoption.animals import bulk_changes
from adoption.animals.bulk_changes import BulkChangeResult
from adoption.animals.staff_list import StaffListRow, count_by_status
from adoption.storage.database import reading
from portal import animal_labels, htmx
from portal.responses import see_other
from portal.staff import may, staff
from portal.staff.animals.bulk_change_notices import (
    change_sentence,
)
from portal.staff.animals.bulk_changes import ADOPTED, ask_about_applicants, say_what_changed, wanted_change
from portal.staff.animals.filters import back_to_list, list_filters
from portal.staff.animals.list_page import care_in_words, find_row, line_of
from portal.staff.animals.manual_adoption_confirmation import (
    question_for,
)
from portal.staff.animals.selections import Selection
from portal.staff.change_authors import current_editor


@staff.post("/animals/<int64:animal_id>/changes")
@may("animals.edit")
def change_animal(access: ProjectAccess, animal_id: int) -> Response:
    """Change the animal as chosen in its row, with the status menu or a button."""
    find_row(access, animal_id)
    wanted = wanted_change(request.form.get(f"status-{animal_id}", ""))
    if wanted == ADOPTED and question_for(access, [animal_id]):
        if htmx.target_id() is None:
            return see_other(url_for(".adopt_animals", id=animal_id, back=list_filters().address()))
        return ask_about_applicants(access, Selection([animal_id], {"id": animal_id}))
    done = (
        bulk_changes.change_animals(current_editor(access), [animal_id], *wanted)
        if wanted
        else BulkChangeResult(None, [])
    )
    if htmx.target_id() is None:
        say_what_changed(done, wanted)
        return back_to_list()
    return changed_row(access, find_row(access, animal_id), done)


def changed_row(
    access: ProjectAccess, row: StaffListRow, done: BulkChangeResult | None = None, sentence: str = ""
) -> Response:
    """Return the animal's row as it is now, with an undo button, and the totals above the table."""
    with reading() as session:
        care = care_in_words(count_by_status(session, access.project.id))
    sentence = sentence or change_sentence([row.name], ("status", row.status))
    text = render_template(
        "staff/animals/_changed.html",
        line=line_of(row, datetime.now(UTC)),
        asked=list_filters(),
        care=care,
        statuses=animal_labels.STATUSES,
        changed=sentence,
        undo=url_for(".take_back", change_id=done.change_id) if done and done.change_id else "",
    )
    return htmx.announced_fragment(text, sentence)
