"""One form for details of several selected animals."""

from typing import NamedTuple

from flask import Response, make_response, render_template, request, url_for

from adoption.accounts.access import ProjectAccess
from adoption.animals import bulk_changes
from adoption.animals.bulk_form_fields import ANSWERED, parse_bulk_details
from portal.flash import notice
from portal.staff import may, staff
from portal.staff.animals.change_labels import who_are
from portal.staff.animals.changes import editor
from portal.staff.animals.questions import QUESTIONS
from portal.staff.animals.selections import (
    back_to_list,
    found_selection,
    selected_names,
    state,
)

UNCHANGED = ("", "Leave unchanged")
ANSWERS = (UNCHANGED, ("yes", "Yes"), ("no", "No"), ("unknown", "Not known"))
LABELS = {
    "good_with_children": "Can live with children",
    "good_with_dogs": "Can live with dogs",
    "good_with_cats": "Can live with cats",
    "house_trained": "House trained",
    "fee": "Adoption fee",
    "fee_amount": "Amount",
}


class DetailField(NamedTuple):
    name: str
    label: str
    choices: tuple[tuple[str, str], ...]
    data: str
    errors: tuple[str, ...]


@staff.route("/animals/details", methods=["GET", "POST"])
@may("animals.edit")
def change_details(access: ProjectAccess) -> Response:
    """Set some details of several animals; empty fields change nothing."""
    selected = found_selection(access)
    values, wrong = parse_bulk_details(request.form) if request.method == "POST" else ({}, {})
    if selected.warning:
        notice(f"Nothing was changed. {selected.warning} Check the number, then save.", "warn")
    elif request.method == "POST" and not wrong:
        if values:
            done = bulk_changes.change_details(editor(access), selected.ids, values)
        if not values or done.change_id is None:
            notice("Nothing was changed: the animals have these details already.", "warn")
        else:
            names = [name for _, name in done.animals]
            what = ", ".join(LABELS.get(name, LABELS["fee"]) for name in values)
            notice(f"{who_are(names)} changed: {what}.", undo=url_for(".take_back", change_id=done.change_id))
        return back_to_list()
    names = selected_names(access, selected.ids)
    text = render_template(
        "staff/animals/details.html",
        title=f"Change {who_are(names)}",
        fields=[field_of(name, ANSWERS, wrong) for name in ANSWERED],
        fee=field_of("fee", (UNCHANGED, *QUESTIONS["fee"].choices), wrong),
        amount=field_of("fee_amount", (), wrong),
        failed=[(name, sentence) for name, sentence in wrong.items()],
        action=url_for(".change_details", **selected.args, back=state().address()),
        back=url_for(".animals") + state().address(),
    )
    return make_response(text, 422 if wrong else 200)


def field_of(name: str, choices: tuple[tuple[str, str], ...], wrong: dict[str, str]) -> DetailField:
    errors = (wrong[name],) if name in wrong else ()
    return DetailField(name, LABELS[name], choices, request.form.get(name, ""), errors)
