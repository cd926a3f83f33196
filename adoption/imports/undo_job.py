"""Background undo of imports."""

import json
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict

from adoption.animals.photo_storage import remove_files_if_unused
from adoption.animals.photos import remove_photo
from adoption.clocks import Clock
from adoption.errors import NotFound
from adoption.imports.job_lease import (
    Heartbeat,
    ImportClaim,
    end_import,
    record_progress,
)
from adoption.imports.models import Import
from adoption.imports.undo import UndoCounts, photos_to_remove, undo_next_chunk
from adoption.storage.database import reading, transaction


def run_undo(
    claim: ImportClaim,
    heart: Heartbeat,
    now: Clock,
    progress: Callable[[int, int], None] = lambda _done, _of: None,
) -> None:
    """Undo an import, the newest chunk of rows first. Record the progress after each chunk."""
    with reading() as session:
        photos = photos_to_remove(session, claim.import_id)
        stored = session.get_one(Import, claim.import_id).undone
        total = UndoCounts(**json.loads(stored or "{}"))
        chunks = session.get_one(Import, claim.import_id).rows_total or 0
    for animal_id, photo_id in photos:
        heart.check()
        with suppress(NotFound):
            remove_photo(claim.project_id, animal_id, photo_id)
            total.photos += 1
    done_chunks = 0
    while True:
        heart.check()
        with transaction() as session:
            chunk = undo_next_chunk(session, claim.project_id, claim.import_id, now())
            if chunk is None:
                break
            total.add(chunk.counts)
            done = json.dumps(asdict(total))
            record_progress(session, claim, now(), rows_done=Import.rows_done + 1, undone=done)
        done_chunks += 1
        progress(done_chunks, max(chunks, done_chunks))
        for digest, width in chunk.files:
            remove_files_if_unused(digest, width)
    end_import(claim, "undone", now)
