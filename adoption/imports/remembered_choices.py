"""Choices for columns and values, remembered for the project's next file with the same header."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import IO, Any

from sqlalchemy import delete
from sqlalchemy.orm import Session

from adoption.errors import Invalid
from adoption.imports.models import ImportMapping
from adoption.spreadsheets.import_options import ImportOptions
from adoption.spreadsheets.preview import FilePreview, preview_file
from adoption.storage.database import reading, transaction


def header_key(columns: list[dict[str, Any]]) -> str:
    """Return a hash of a file's header. ``columns`` are the columns of the file's preview."""
    header = [(column["place"], column["header"]) for column in columns if column["header"]]
    return hashlib.sha256(json.dumps(header).encode()).hexdigest()


def remember_choices(
    session: Session, project_id: int, look: Mapping[str, Any], options: ImportOptions, now: datetime
) -> None:
    """Store the choices for a header, unless the choices equal the recognised meanings."""
    guess = {int(place): choice for place, choice in look.get("guess", {}).items()}
    if options.columns == guess and not options.values:
        return
    kept = ImportOptions(
        columns=options.columns, values=options.values, category=options.category, day_first=options.day_first
    )
    mapping = ImportMapping(project_id=project_id, header=header_key(look["columns"]), used_at=now)
    mapping.options = kept.to_json()
    session.merge(mapping)


def preview_remembered(
    project_id: int, file: IO[bytes], look: FilePreview, now: datetime | None = None
) -> tuple[FilePreview, ImportOptions] | None:
    """Return a preview with the choices stored for the file's header; None if no valid choices are stored."""
    with reading() as session:
        mapping = session.get(ImportMapping, (project_id, header_key(look.columns)))
    if mapping is None:
        return None
    chosen = replace(ImportOptions.from_json(mapping.options), photos=True)
    try:
        return preview_file(project_id, file, chosen, now), chosen
    except Invalid:  # an older version stored choices that are no longer valid
        return None


def forget_remembered_choices(project_id: int, look: Mapping[str, Any]) -> None:
    with transaction() as session:
        session.execute(
            delete(ImportMapping).where(
                ImportMapping.project_id == project_id, ImportMapping.header == header_key(look["columns"])
            )
        )
