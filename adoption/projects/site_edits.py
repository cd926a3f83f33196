"""Edits of a site's fields, merged with changes that other people saved since the form was opened."""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from adoption import three_way_merge
from adoption.audit import trail
from adoption.audit.actors import OPERATOR, Actor
from adoption.audit.models import AuditEntry
from adoption.platform_addresses import operator_email
from adoption.projects.models import Project
from adoption.projects.publication import lock_project
from adoption.projects.validation import CHECKS, DIRECTORY_CHECKS
from adoption.storage.database import reading, transaction
from adoption.time_zones import check_time_zone
from adoption.translations import gettext

Checks = Mapping[str, Callable[[str], Any]]
TEXTS: Checks = CHECKS
"""The checks of the texts in the draft."""
TIME_ZONE: Checks = {"time_zone": check_time_zone}
"""The check of the time zone. The time zone is not part of the draft: a change takes effect immediately."""
DIRECTORY: Checks = DIRECTORY_CHECKS
"""The checks of the listing in the directory. The listing is not part of the draft either."""
ENTRIES_READ = 200


class SiteEdit(NamedTuple):
    """A submitted form."""

    texts: Mapping[str, str]
    opened: Mapping[str, str]
    """The fields' fingerprints when the form was opened."""
    choices: Mapping[str, str]
    """The chosen value by field, as ``three_way_merge.choice_text`` writes it."""


class SavedSite(NamedTuple):
    now: dict[str, Any]
    """The stored fields after the save."""
    changed: list[str]
    """The fields that this edit changed."""
    theirs: list[str]
    """The fields that keep a value that another person saved meanwhile."""
    clashes: list[str]
    """The fields that two people changed, if the form has no choice between the two values."""
    wrong: dict[str, str]
    """The error text by field, which says how to fix the value."""

    @property
    def failed(self) -> bool:
        """Whether nothing was saved."""
        return bool(self.clashes or self.wrong)


class LastSiteChange(NamedTuple):
    actor: str
    """The person who changed the field, as in the audit log."""
    at: datetime


def save_fields(
    project_id: int, checks: Checks, edit: SiteEdit, by: Actor = OPERATOR, now: datetime | None = None
) -> SavedSite:
    """Save the fields of ``checks``. If any field is invalid, or was changed by two people, save nothing.

    A field that only another person changed keeps that person's value.
    """
    texts, wrong = check_texts(checks, edit.texts)
    with transaction() as session:
        project = lock_project(session, project_id)
        before = {field: getattr(project, field) for field in checks}
        merged = three_way_merge.merge_values(edit.opened, texts, before, edit.choices)
        wrong = {field: reason for field, reason in wrong.items() if field not in merged.theirs}
        if merged.clashes or wrong:
            return SavedSite(before, [], merged.theirs, merged.clashes, wrong)
        changed = [field for field, text in merged.values.items() if text != before[field]]
        for field in changed:
            setattr(project, field, merged.values[field])
        if changed:
            detail = ", ".join(map(audit_field_name, changed))
            trail.record(
                session, by, "site.edited", project.account_id, project.id, project.name, detail, now
            )
        return SavedSite(merged.values, changed, merged.theirs, [], {})


def save_directory_listing(
    project_id: int, edit: SiteEdit, by: Actor = OPERATOR, now: datetime | None = None
) -> SavedSite:
    """Save the fields of ``DIRECTORY``. Each id at Petfinder belongs to one project of the installation."""
    try:
        return save_fields(project_id, DIRECTORY, edit, by, now)
    except IntegrityError:
        with reading() as session:
            project = session.get_one(Project, project_id)
            stored = {field: getattr(project, field) for field in DIRECTORY}
        return SavedSite(stored, [], [], [], {"petfinder_id": taken_id_sentence(operator_email())})


def taken_id_sentence(address: str) -> str:
    if not address:
        return gettext(
            "Another shelter here has this Petfinder id. If the id is yours, ask the operator of this service"
        )
    return gettext(
        "Another shelter here has this Petfinder id. If the id is yours, email %(address)s", address=address
    )


def check_texts(checks: Checks, given: Mapping[str, str]) -> tuple[dict[str, Any], dict[str, str]]:
    """Return the valid values, cleaned, and the errors of the invalid texts."""
    texts: dict[str, Any] = {}
    wrong = {}
    for field, check in checks.items():
        texts[field] = given.get(field, "")
        try:
            texts[field] = check(texts[field])
        except ValueError as error:
            wrong[field] = str(error)
    return texts, wrong


def last_site_change(session: Session, project_id: int, field: str) -> LastSiteChange | None:
    """Return the last change of a field; None if the newest audit entries contain no change of the field."""
    newest = session.execute(
        select(AuditEntry.actor, AuditEntry.created_at, AuditEntry.action, AuditEntry.detail)
        .where(AuditEntry.project_id == project_id)
        .order_by(AuditEntry.id.desc())
        .limit(ENTRIES_READ)
    )
    for actor, at, action, detail in newest:
        if action == "site.edited" and audit_field_name(field) in detail.split(", "):
            return LastSiteChange(actor, at)
    return None


def audit_field_name(field: str) -> str:
    return field.replace("_", " ")
