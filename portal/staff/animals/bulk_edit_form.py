"""The form that edits details of several selected animals at once."""

from typing import NamedTuple

from flask import Response, make_response, render_template, request, url_for

from adoption.accounts.project_access import ProjectAccess
from adoption.animals import bulk_changes
from adoption.animals.bulk_form_fields import ANSWERED, parse_bulk_details
from adoption.translations import gettext, message
from portal.flash import notice
from portal.staff import may, staff
from portal.staff.animals.bulk_change_notices import names_or_number
from portal.staff.animals.bulk_changes import unchanged_sentence
from portal.staff.animals.filters import back_to_list, list_filters
from portal.staff.animals.form_fields import QUESTIONS
from portal.staff.animals.selections import found_selection, selected_names
from portal.staff.change_authors import current_editor

UNCHANGED = ("", message("Leave unchanged"))
ANSWERS = (UNCHANGED, ("yes", message("Yes")), ("no", message("No")), ("unknown", message("Not known")))
LABELS = {
    "good_with_children": message("Can live with children"),
    "good_with_dogs": message("Can live with dogs"),
    "good_with_cats": message("Can live with cats"),
    "house_trained": message("House trained"),
    "fee": message("Adoption fee"),
    "fee_amount": message("Amount"),
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
    """Set the chosen details of the selected animals. Fields that are left empty change nothing."""
    selected = found_selection(access)
    values, wrong = parse_bulk_details(request.form) if request.method == "POST" else ({}, {})
    if selected.warning:
        notice(unchanged_sentence(selected.warning, gettext("Check the number, then save.")), "warn")
    elif request.method == "POST" and not wrong:
        if values:
            done = bulk_changes.change_details(current_editor(access), selected.ids, values)
        if not values or done.change_id is None:
            notice(gettext("Nothing was changed: the animals have these details already."), "warn")
        else:
            names = [name for _, name in done.animals]
            labels = ", ".join(gettext(LABELS.get(name, LABELS["fee"])) for name in values)
            sentence = gettext(
                "%(names)s changed: %(details)s.", names=names_or_number(names), details=labels
            )
            notice(sentence, undo=url_for(".take_back", change_id=done.change_id))
        return back_to_list()
    names = selected_names(access, selected.ids)
    text = render_template(
        "staff/animals/details.html",
        title=gettext("Change %(names)s", names=names_or_number(names)),
        fields=[field_of(name, ANSWERS, wrong) for name in ANSWERED],
        fee=field_of("fee", (UNCHANGED, *QUESTIONS["fee"].choices), wrong),
        amount=field_of("fee_amount", (), wrong),
        failed=[(name, sentence) for name, sentence in wrong.items()],
        action=url_for(".change_details", **selected.args, back=list_filters().address()),
        back=url_for(".animals") + list_filters().address(),
    )
    return make_response(text, 422 if wrong else 200)


def field_of(name: str, choices: tuple[tuple[str, str], ...], wrong: dict[str, str]) -> DetailField:
    errors = (wrong[name],) if name in wrong else ()
    options = tuple((value, gettext(label)) for value, label in choices)
    return DetailField(name, gettext(LABELS[name]), options, request.form.get(name, ""), errors)
