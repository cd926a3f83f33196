"""The pages that add and edit an animal."""

from contextlib import suppress
from typing import Any

from flask import Response, make_response, render_template, request, url_for

from adoption import three_way_merge
from adoption.accounts.project_access import ProjectAccess
from adoption.animals import breed_suggestions, form_fields, staff_edits
from adoption.animals.allowed_values import CATEGORIES
from adoption.animals.form_fields import BLANK, Values
from adoption.animals.page_paths import animal_path
from adoption.animals.photo_uploads import uploads_of
from adoption.animals.photos import find_photos
from adoption.animals.staff_edits import AnimalEdit, OpenedAnimal, SavedAnimal, open_animal
from adoption.errors import Gone, Invalid
from adoption.orders.manual_adoptions import save_adopted_animal
from adoption.orders.suggested_texts import ANIMALS
from adoption.storage.database import reading
from adoption.text_joining import join_names
from adoption.translations import gettext, ngettext
from portal import animal_labels, htmx
from portal.dates import current_date
from portal.flash import notice
from portal.responses import see_other
from portal.sign_in.unsaved_forms import show_after_error
from portal.staff import may, staff
from portal.staff.animals.animal_form import AnimalForm
from portal.staff.animals.edit_conflicts import (
    animal_changed_by,
    animal_conflict,
    merged_in_words,
    take_theirs,
)
from portal.staff.animals.filters import list_filters
from portal.staff.animals.form_fields import QUESTIONS, field_label
from portal.staff.animals.history import history_words
from portal.staff.animals.manual_adoption_confirmation import (
    adoption_question,
    sent_email,
    suggested_closing_form,
)
from portal.staff.animals.photo_uploads import keep_photos, sent_photos
from portal.staff.animals.photos import photos_shown
from portal.staff.applications.decision_forms import EmailToOthersForm
from portal.staff.applications.labels import later_readers_in_words
from portal.staff.change_authors import current_editor, staff_member_of
from portal.url_converters import parse_id

NOT_COPIED = ("name", "code", "microchip", "status", "listed", "on_hold", "in_quarantine", "internal_notes")
"""The fields that are not copied when a user copies an animal. Their values differ even within a litter."""


@staff.route("/animals/new", methods=["GET", "POST"])
@may("animals.edit")
def new_animal(access: ProjectAccess) -> Response:
    if request.method == "GET":
        values, title = starting_values(access)
        return render_animal_form(access, AnimalForm.of(values, []), title)
    form = AnimalForm(request.form)
    animal_id = add_entered_animal(access, form)
    if animal_id is None:
        if sent_photos():
            advice = gettext("Choose the photos again: your browser does not keep them")
            form.more_wrong.append(("photos", advice))
        return render_animal_form(access, form, gettext("Add an animal"), status=422)
    name = form_fields.name_field(form.texts["name"])
    keep_photos(access, animal_id)
    return after_adding(access, animal_id, name, form)


def starting_values(access: ProjectAccess) -> tuple[Values, str]:
    """Return the values of the form for a new animal, and the title of the page.

    The values come from the animal to copy. If no animal is copied, the species and intake date come from the
    animal that was added last.
    """
    like = request.args.get("like", "")
    if like:
        with reading() as session:
            opened = open_animal(session, access.project.id, parse_id(like) or 0)
        same = {key: value for key, value in opened.values.items() if key not in NOT_COPIED}
        return BLANK | same, gettext("Add an animal like %(name)s", name=opened.name)
    species, arrived = request.args.get("species", ""), request.args.get("arrived", "")
    kept: Values = {"category_id": int(species)} if species in map(str, CATEGORIES) else {}
    with suppress(ValueError):
        kept["arrival_date"] = form_fields.arrival_date(arrived, current_date())
    return BLANK | kept, gettext("Add an animal")


def add_entered_animal(access: ProjectAccess, form: AnimalForm) -> int | None:
    """Add the animal and return its id, or None if the form has errors."""
    with reading() as session:
        values = form.check(session, access.project.id, current_date())
    if form.failed:
        return None
    try:
        return staff_edits.enter_animal(current_editor(access), values)
    except Invalid as refusal:
        form.wrong |= dict(refusal.violations)
        return None


def not_visible(access: ProjectAccess, visibility: str) -> str:
    """Return the reason why visitors do not see a new animal; empty if visitors see it."""
    if visibility != "shown":
        return f" {QUESTIONS['visibility'].answer_in_words(visibility)}."
    return "" if access.project.live_deploy else " " + gettext("Not visible yet: publish your site.")


def after_adding(access: ProjectAccess, animal_id: int, name: str, form: AnimalForm) -> Response:
    """Redirect to the list, to the form of the next animal, or to the page of the added animal.

    If the browser still has chosen photos, a script on the form or on the page sends them.
    """
    added = gettext("%(name)s added.", name=name)
    notice(f"{added}{not_visible(access, form.texts['visibility'])}")
    waiting = "photos_waiting" in request.form
    if request.form.get("then") == "another":
        species, arrived = form.texts["category_id"], form.texts["arrival_date"] or None
        photos_of = animal_id if waiting else None
        target = url_for(".new_animal", species=species, arrived=arrived, photos_of=photos_of)
    elif waiting:
        target = url_for(".edit_animal", animal_id=animal_id)
    else:
        target = url_for(".animals")
    if htmx.target_id() is not None and not waiting:
        return htmx.client_redirect(target)
    return see_other(target)


@staff.route("/animals/<int64:animal_id>", methods=["GET", "POST"])
@may("animals.edit")
def edit_animal(access: ProjectAccess, animal_id: int) -> Response:
    try:
        with reading() as session:
            opened = open_animal(session, access.project.id, animal_id)
    except Gone as refusal:
        text = render_template("staff/animals/removed.html", sentence=refusal.sentence, animal_id=animal_id)
        advice = refusal.sentence + " " + gettext("Restore the animal in another tab, then save here.")
        return show_after_error(advice, 410) or make_response(text, 410)
    if request.method == "GET":
        return render_animal_form(
            access, AnimalForm.of(opened.values, opened.mates, opened), opened.name, opened
        )
    form = AnimalForm(request.form, animal_id)
    with reading() as session:
        values = form.check(session, access.project.id, current_date(), opened.values)
    if form.failed:
        return render_animal_form(access, form, opened.name, opened, status=422, kept_email=sent_email())
    email = EmailToOthersForm(request.form) if form.tell == "yes" else None
    question = adoption_question(access, form, opened, email)
    if question is not None:
        shown = {
            "question": question,
            "email_form": email or sent_email() or suggested_closing_form(access, [opened.id]),
        }
        return render_animal_form(access, form, opened.name, opened, status=422, **shown)
    return after_saving(access, form, values, opened, email)


def after_saving(
    access: ProjectAccess,
    form: AnimalForm,
    values: Values,
    opened: OpenedAnimal,
    email: EmailToOthersForm | None,
) -> Response:
    edit = AnimalEdit(values, three_way_merge.parse_fingerprints(form.opened), form.choices)
    after = ""
    try:
        if email is not None:
            text = email.cleaned.get("words_to_others", "")
            now, emailed = save_adopted_animal(
                staff_member_of(access), current_editor(access), opened.id, edit, text
            )
            if emailed.number:
                sent = ngettext(
                    "%(num)s email sent to applicants.",
                    "%(num)s emails sent to applicants.",
                    emailed.number,
                )
                after = f" {sent}{later_readers_in_words(emailed)}"
        else:
            now = staff_edits.save_animal(current_editor(access), opened.id, edit)
    except Invalid as refusal:
        form.wrong |= dict(refusal.violations)
        return render_animal_form(access, form, opened.name, opened, status=422, kept_email=sent_email())
    if now.clashes:
        return ask_about_conflicts(access, form, values, now)
    saved = gettext("%(name)s saved.", name=now.animal.name)
    notice(f"{saved}{merged_in_words(access, now)}{after}")
    return see_other(url_for(".edit_animal", animal_id=opened.id, back=list_filters().address() or None))


def ask_about_conflicts(
    access: ProjectAccess, form: AnimalForm, values: Values, now: SavedAnimal
) -> Response:
    """Return the form again because of conflicts.

    For each field that someone else has changed too, the form asks which value to keep.
    """
    asked = []
    for field in now.clashes:
        who, when = animal_changed_by(access, now.animal.id, staff_edits.COLUMNS[field])
        found = animal_conflict(field, now.animal, values, form.texts["bonded_with"])
        asked.append(found._replace(who=who, when=when))
    take_theirs(form, now.theirs, now.animal)
    taken = [field_label(field) for field in now.theirs]
    shown = {"differences": asked, "merged": join_names(taken) if taken else ""}
    return render_animal_form(
        access, form, now.animal.name, now.animal, status=409, meanwhile=shown, kept_email=sent_email()
    )


def render_animal_form(
    access: ProjectAccess,
    form: AnimalForm,
    title: str,
    opened: OpenedAnimal | None = None,
    status: int = 200,
    **rest: Any,
) -> Response:
    with reading() as session:
        breeds = breed_suggestions.suggest_breeds(session, access.project.id)
        photos = find_photos(session, opened.id) if opened else []
        uploads = uploads_of(session, opened.id) if opened else []
    text = render_template(
        "staff/animals/edit.html" if opened else "staff/animals/new.html",
        form=form,
        title=title,
        animal=opened,
        breeds=breeds,
        photos=photos_shown(photos),
        uploads=uploads,
        photos_of=request.args.get("photos_of", type=int),
        public=animal_path(opened.id, opened.name) if opened and version_seen(opened) else "",
        statuses=animal_labels.STATUSES,
        back=list_filters().address(),
        placeholder=ANIMALS,
        **(history_words(access, opened.id) if opened else {}),
        **rest,
    )
    # htmx does not show a response with status 409, but the settings of this page make it show 422.
    return make_response(text, 422 if status == 409 and htmx.target_id() is not None else status)


def version_seen(opened: OpenedAnimal) -> bool:
    return bool(opened.published and opened.values["listed"])
