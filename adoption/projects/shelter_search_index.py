"""The search index of shelters: the words of their published names and towns.

The index does not contain animals. A search for animals first finds projects in this index, then filters
animals by project. So renaming a shelter with 200,000 animals changes only a few rows.
"""

from collections.abc import Mapping, Sequence

from sqlalchemy import ColumnElement, bindparam, delete, exists, insert, select
from sqlalchemy.orm import Session

from adoption.projects.models import Project, SiteTexts, SiteWord
from adoption.search_words import words_in
from adoption.storage.prepared_statements import Prepared

PREFIX_SHORTEST = 4
"""The minimum length of a word that also finds longer words."""
ROWS_READ_MOST = 2_000
NAMED_MOST = 50
"""The maximum number of projects that one word can find.

If more projects have a word, such as "rescue", the word alone finds no project.
"""

NAMED = Prepared(
    select(SiteWord.project_id, SiteWord.word)
    .join(Project, Project.id == SiteWord.project_id)
    .where(
        SiteWord.word >= bindparam("first"),
        SiteWord.word < bindparam("last"),
        Project.live_deploy.is_not(None),
    )
    .limit(bindparam("limit"))
)


def words_of_site(name: str, place: str) -> list[str]:
    return list(dict.fromkeys(words_in(f"{name} {place}")))


def index_site(session: Session, project_id: int, live: SiteTexts) -> None:
    """Replace the indexed words of a project with the words of its live texts."""
    session.execute(delete(SiteWord).where(SiteWord.project_id == project_id))
    rows = [
        {"word": word, "project_id": project_id}
        for word in words_of_site(live.name, f"{live.place} {live.city}")
    ]
    if rows:
        session.execute(insert(SiteWord), rows)


def projects_by_word(words: Sequence[str]) -> Mapping[str, Sequence[int]]:
    """Return the published projects for each folded word. Words that find no project are left out.

    If more than ``NAMED_MOST`` projects have a word, the word finds only projects that a rarer word also
    finds.
    """
    found = {word: find_projects_named(word) for word in dict.fromkeys(words)}
    few = {project_id for ids in found.values() if len(ids) <= NAMED_MOST for project_id in ids}
    return {
        word: kept
        for word, ids in found.items()
        if (kept := ids if len(ids) <= NAMED_MOST else sorted(few.intersection(ids)))
    }


def words_with_prefix(prefix: str) -> Mapping[str, Sequence[int]]:
    """Return the words with this prefix in published names and towns, each with its projects."""
    found: dict[str, list[int]] = {}
    for project_id, word in NAMED.rows(first=prefix, last=f"{prefix}\U0010ffff", limit=ROWS_READ_MOST):
        found.setdefault(word, []).append(project_id)
    return {word: sorted(ids) for word, ids in found.items() if len(ids) <= NAMED_MOST}


def find_projects_named(word: str) -> list[int]:
    # U+0001 sorts before all characters in words, U+10FFFF after them.
    last = f"{word}\U0010ffff" if len(word) >= PREFIX_SHORTEST else f"{word}\u0001"
    return sorted({row[0] for row in NAMED.rows(first=word, last=last, limit=ROWS_READ_MOST)})


def has_prefix(prefix: str) -> ColumnElement[bool]:
    """Return the SQL condition for projects with a word that begins with this prefix."""
    # U+10FFFF sorts after all characters in words.
    ends = SiteWord.word < f"{prefix}\U0010ffff"
    return exists().where(SiteWord.project_id == Project.id, SiteWord.word >= prefix, ends)
