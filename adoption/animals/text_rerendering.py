"""Background rendering of animals' texts after an update of the renderer."""

from collections.abc import Sequence

from sqlalchemy import ColumnElement, and_, func, or_, select, update
from sqlalchemy.orm import InstrumentedAttribute

from adoption.animals.models import Animal
from adoption.batches import batches
from adoption.markdown import RENDERED, RENDERER, RENDERER_LENGTH, rendered_columns
from adoption.storage import queue
from adoption.storage.database import reading, transaction

LOOKED_AT = 2_000
"""Limit of animals checked in one statement."""
CHUNK = 50
"""Limit of animals updated in one transaction."""


def render_stale_texts() -> int:
    """Render texts whose HTML is missing or from another version. Return the number of animals updated.

    Raises Unavailable if a service fails, and database errors.
    """
    number, last = 0, 0
    while not queue.STOPPING.is_set():
        with reading() as session:
            looked_at = session.execute(
                select(Animal.id, IS_STALE).where(Animal.id > last).order_by(Animal.id).limit(LOOKED_AT)
            ).all()
        if not looked_at:
            break
        last = looked_at[-1][0]
        stale = [id_ for id_, is_stale in looked_at if is_stale]
        for some in batches(stale, CHUNK):
            store_rendered_texts(some)
        number += len(stale)
    return number


def is_stale(
    text: InstrumentedAttribute[str], html: InstrumentedAttribute[str | None]
) -> ColumnElement[bool]:
    renderer = func.substr(func.coalesce(html, ""), 1, RENDERER_LENGTH)
    return and_(text != "", renderer != RENDERER)


IS_STALE = or_(
    *(is_stale(getattr(Animal, text), getattr(Animal, columns[0])) for text, columns in RENDERED.items())
)


def store_rendered_texts(ids: Sequence[int]) -> None:
    """Render these animals' texts and store the HTML. Other columns stay unchanged."""
    texts = [getattr(Animal, name) for name in RENDERED]
    with reading() as session:
        rows = session.execute(select(Animal.id, *texts).where(Animal.id.in_(ids))).all()
    # Rendering is slow, so it runs outside the transaction. A text that is saved meanwhile is already
    # rendered.
    made = [rendered_columns(dict(zip(RENDERED, row[1:], strict=True))) for row in rows]
    with transaction() as session:
        for row, columns in zip(rows, made, strict=True):
            same = (text == known for text, known in zip(texts, row[1:], strict=True))
            session.execute(update(Animal).where(Animal.id == row[0], *same).values(columns))
