"""Introductions of shelters, rendered to HTML when the site is published."""

from typing import NamedTuple

from sqlalchemy import bindparam, func, select, update

from adoption.markdown import RENDERER, RENDERER_LENGTH, beginning_of, render_prose, rendering_to_store
from adoption.projects.models import Deploy, Project
from adoption.projects.published_sites import LIVE
from adoption.storage import queue
from adoption.storage.database import reading, transaction
from adoption.storage.prepared_statements import Prepared

SHORT = 600
"""The maximum number of characters of an introduction that is shown in full above the animals."""


class StoredIntroduction(NamedTuple):
    """The rendered parts of an introduction, for ``adoption.markdown.stored_rendering``."""

    first: str | None = None
    rest: str | None = None
    beginning: str | None = None


STORED = Prepared(
    select(Deploy.about_html, Deploy.about_rest_html, Deploy.about_beginning)
    .join(Project, LIVE)
    .where(Project.id == bindparam("project_id"))
)
STALE = (
    select(Deploy.id, Deploy.about)
    .join(Project, LIVE)
    .where(
        Deploy.about != "", func.substr(func.coalesce(Deploy.about_html, ""), 1, RENDERER_LENGTH) != RENDERER
    )
    .order_by(Deploy.id)
)


def load_introduction(project_id: int) -> StoredIntroduction:
    """Return the rendered live introduction of a project."""
    row = STORED.first(project_id=project_id)
    return StoredIntroduction(*row) if row else StoredIntroduction()


def split_introduction(about: str) -> tuple[str, str]:
    """Return the part that is always shown, and the rest that is shown on request."""
    text = about.replace("\r\n", "\n").strip()
    first, _, rest = (text, "", "") if len(text) <= SHORT else text.partition("\n\n")
    return first, rest.strip()


def render_introduction(about: str) -> dict[str, str]:
    """Return the values of a deploy's columns with the rendered introduction, by column name."""
    first, rest = split_introduction(about)
    return {
        "about_html": rendering_to_store(first, render_prose),
        "about_rest_html": rendering_to_store(rest, render_prose),
        "about_beginning": rendering_to_store(about, beginning_of),
    }


def render_stale_introductions() -> int:
    """Render live introductions whose HTML is missing or from a different renderer.

    Return the number of rendered introductions. Raises Unavailable or a database error if the database fails.
    """
    with reading() as session:
        stale = session.execute(STALE).all()
    for number, (id_, about) in enumerate(stale):
        if queue.STOPPING.is_set():
            return number
        columns = render_introduction(about)
        with transaction() as session:
            session.execute(update(Deploy).where(Deploy.id == id_).values(columns))
    return len(stale)
