"""The pages of imports: upload, columns, check, import and result."""

import json
from datetime import UTC, date, datetime
from typing import Any

from flask import Response, make_response, render_template, request, url_for

from adoption.accounts.project_access import ProjectAccess
from adoption.animals.allowed_values import CATEGORIES
from adoption.errors import FileRefused, Invalid, PlanLimit, Unavailable
from adoption.imports import import_choices, start_and_cancel, uploads
from adoption.imports.dry_run_questions import add_questions
from adoption.imports.models import NOT_READ, UNDER_WAY, Import
from adoption.imports.queries import import_of, imports_of, is_interrupted, options_of, photos_missed
from adoption.imports.row_reports import report_of
from adoption.imports.undo import UndoCounts, can_undo
from adoption.spreadsheets.import_options import ImportOptions, value_key
from adoption.storage.database import reading
from adoption.translations import gettext, message
from portal import htmx
from portal.animal_labels import STATUSES, age_in_words
from portal.animals.facts import money
from portal.capitalization import capitalise
from portal.current_user import actor
from portal.dates import ago, current_date
from portal.error_pages import log_error, with_pause
from portal.responses import CSV, as_download, see_other
from portal.staff import may, staff
from portal.staff.imports.labels import (
    CATEGORY_LABELS,
    CLASH_CHOICES,
    blanks_sentence,
    groups_for,
    import_state,
    labels_of_meanings,
    rows_in_words,
)
from portal.staff.imports.options_form import options_in_form
from portal.staff.imports.progress import progress_of
from portal.staff.imports.undo_effects import undo_sentences


@staff.app_template_filter("problem")
def translated_problem(problem: str) -> str:
    """Return the translation of a file's stored error, without its full stop."""
    return gettext(problem).rstrip(".")


@staff.app_template_filter("sentence")
def problem_sentence(problem: str) -> str:
    return f"{capitalise(translated_problem(problem))}."


NOTHING_CHOSEN = message("Choose a file first: a spreadsheet, a CSV file, a web page with a table, or JSON.")


@staff.get("/imports")
@may("animals.import")
def imports(access: ProjectAccess) -> Response:
    return page_of_imports(access)


def page_of_imports(access: ProjectAccess, failure: str = "", status: int = 200) -> Response:
    now = datetime.now(UTC)
    with reading() as session:
        rows = [
            (each, import_state(each), ago(each.created_at, now), by)
            for each, by in imports_of(session, access.project.id)
        ]
    return make_response(render_template("staff/imports/index.html", rows=rows, failure=failure), status)


@staff.post("/imports")
@may("animals.import")
def upload_import(access: ProjectAccess) -> Response:
    sent = request.files.get("file")
    if sent is None or not sent.filename:
        return page_of_imports(access, gettext(NOTHING_CHOSEN), 422)
    try:
        made = uploads.upload_spreadsheet(access.project.id, sent.filename, sent.stream, actor())
    except FileRefused as refusal:
        return page_of_imports(access, gettext(refusal.sentence), 422)
    except PlanLimit as refusal:
        return page_of_imports(access, refusal.sentence, 403)
    except Unavailable as refusal:
        log_error(refusal, 503)
        return with_pause(page_of_imports(access, refusal.sentence, 503))
    return back_to_import(made.id)


def back_to_import(import_id: int) -> Response:
    return see_other(url_for(".show_import", import_id=import_id))


@staff.get("/imports/<int64:import_id>")
@may("animals.import")
def show_import(access: ProjectAccess, import_id: int) -> Response:
    with reading() as session:
        each = import_of(session, access.project.id, import_id)
    asking, is_read = htmx.target_id(), each.look != NOT_READ
    if asking == "import-progress" and each.state == "uploaded":
        return htmx.client_redirect(url_for(".show_import", import_id=import_id))
    if asking == "setup" and each.state != "uploaded":
        return preview_to_come(each)
    changing = "columns" in request.args and each.state not in UNDER_WAY and is_read
    updating = each.state == "reading" and is_read and not each.run_next
    if each.state == "uploaded" or updating or (changing and not (each.state == "done" and not each.dry_run)):
        return page_of_columns(access, each)
    if asking == "import-progress":
        return render_progress(access, each)
    return make_response(render_template("staff/imports/show.html", **import_values(access, each)))


def preview_to_come(each: Import) -> Response:
    """Return an empty response while the file is read, then a redirect to its page."""
    if each.state == "reading" and not each.run_next:
        return htmx.fragment("", status=204)
    return htmx.client_redirect(url_for(".show_import", import_id=each.id))


def import_values(access: ProjectAccess, each: Import) -> dict[str, Any]:
    """Return the template values of the page of a started import."""
    with reading() as session:
        missed = photos_missed(session, access.project.id, each.id)
    interrupted = is_interrupted(each, datetime.now(UTC))
    result = json.loads(each.result) if each.result and each.state == "done" else None
    return {
        "each": each,
        "state": import_state(each),
        "under_way": each.state in (*UNDER_WAY, "reading"),
        "is_reading": each.state == "reading",
        "progress": progress_of(each, interrupted),
        "result": result,
        "blanks_sentence": blanks_sentence(result, each.dry_run) if result and result.get("blanks") else "",
        "photos_missed": missed,
        "is_undo": each.undo_asked_at is not None,
        "can_undo": can_undo(each, datetime.now(UTC)),
        "undone": undo_sentences(UndoCounts(**json.loads(each.undone or "{}")), is_done=True)
        if each.state == "undone"
        else [],
    }


def render_progress(access: ProjectAccess, each: Import) -> Response:
    """Return the progress bar, or the result once the import has ended.

    Each finished quarter is announced to screen readers.
    """
    values = import_values(access, each)
    if not values["under_way"]:
        text = render_template("staff/imports/_outcome.html", **values)
        return htmx.retarget(
            "#import", htmx.announced_fragment(text, f"{each.file_name}: {values['state'].label}")
        )
    text = render_template("staff/imports/_progress.html", **values)
    progress = values["progress"]
    if progress.quarter > request.args.get("seen", 0, int):
        return htmx.announced_fragment(text, progress.announced)
    return htmx.fragment(text)


def page_of_columns(
    access: ProjectAccess,
    each: Import,
    chosen: ImportOptions | None = None,
    errors: dict[str, str] | None = None,
) -> Response:
    """Return the page of a file's columns, with open questions and a preview of the first rows."""
    options = options_of(each) if chosen is None else chosen
    look = add_questions(json.loads(each.look), options)
    errors = errors or {name: gettext(sentence) for name, sentence in look.get("errors", [])}
    values = {
        "each": each,
        "look": look,
        "options": options,
        "groups": groups_for(look["choices"]),
        "categories": [(name, gettext(CATEGORY_LABELS[name])) for name in CATEGORIES.values()],
        "errors": errors,
        "words_of_status": {status: gettext(label) for status, label in STATUSES.items()},
        "rows_in_words": rows_in_words(look),
        "meanings": labels_of_meanings(look.get("values", [])),
        "clash_choices": {choice: gettext(label) for choice, label in CLASH_CHOICES.items()},
        "value_key": value_key,
        "today": current_date(),
        "age_in_words": age_in_words,
        "money": money,
        "as_date": date.fromisoformat,
        "currency": access.project.currency,
    }
    if (target := htmx.target_id()) is not None:
        text = render_template("staff/imports/_setup.html", **values)
        is_reading = each.state == "reading"
        latest = gettext("Updating the preview") if is_reading else gettext("The preview is up to date")
        announced = next(iter(errors.values()), latest)
        assert target  # noqa: S101 - htmx always names it
        return htmx.announced_fragment(text, announced, status=422 if errors else 200)
    page = render_template("staff/imports/columns.html", **values)
    return make_response(page, 422 if errors else 200)


def choices_in_form(access: ProjectAccess, import_id: int) -> ImportOptions:
    with reading() as session:
        stored = options_of(import_of(session, access.project.id, import_id))
    return options_in_form(request.form, stored)


@staff.post("/imports/<int64:import_id>/columns")
@may("animals.import")
def choose_columns(access: ProjectAccess, import_id: int) -> Response:
    """Store the options, and show the first rows with them."""
    chosen = None
    try:
        chosen = choices_in_form(access, import_id)
        each = import_choices.store_choices(access.project.id, import_id, chosen)
    except Invalid as refusal:
        return show_refused_choices(access, import_id, refusal, chosen)
    if htmx.target_id() is not None:
        return page_of_columns(access, each)
    return back_to_import(import_id)


@staff.post("/imports/<int64:import_id>/forget-choices")
@may("animals.import")
def forget_choices(access: ProjectAccess, import_id: int) -> Response:
    """Forget the choices that are stored for files with this header.

    In this file and in later files, columns and values get their recognised meaning again.
    """
    import_choices.forget_choices(access.project.id, import_id)
    return back_to_import(import_id)


def show_refused_choices(
    access: ProjectAccess, import_id: int, refusal: Invalid, chosen: ImportOptions | None
) -> Response:
    with reading() as session:
        each = import_of(session, access.project.id, import_id)
    return page_of_columns(access, each, chosen, dict(refusal.violations))


@staff.post("/imports/<int64:import_id>/start")
@may("animals.import")
def start_import(access: ProjectAccess, import_id: int) -> Response:
    """Start the check or the import of the file. Options in the request are stored first."""
    chosen = None
    try:
        if "columns" in request.form:
            chosen = choices_in_form(access, import_id)
        start_and_cancel.request_run(
            access.project.id, import_id, request.form.get("run") != "import", actor(), chosen
        )
    except Invalid as refusal:
        return show_refused_choices(access, import_id, refusal, chosen)
    return back_to_import(import_id)


@staff.get("/imports/<int64:import_id>/<any(refused, warnings, photos):kind>.csv")
@may("animals.import")
def download_report(access: ProjectAccess, import_id: int, kind: str) -> Response:
    response = make_response(report_of(access.project.id, import_id, kind))
    return as_download(response, f"{access.project.slug}-import-{import_id}-{kind}.csv", CSV)
