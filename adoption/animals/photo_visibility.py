"""Permission to see a photo, for the public and for a project's staff."""

from sqlalchemy import bindparam, select

from adoption.animals.models import SHOWN_CLAUSE, Animal
from adoption.animals.photo_models import Photo
from adoption.storage.prepared_statements import Prepared

_known = (
    select(Photo.id)
    .join(Animal, Animal.id == Photo.animal_id)
    .where(Photo.digest == bindparam("digest"))
    .limit(1)
)
_theirs = Animal.project_id == bindparam("project_id")
SEEN = Prepared(_known.where(SHOWN_CLAUSE))
SEEN_IN_PROJECT = Prepared(_known.where(SHOWN_CLAUSE, _theirs))
KEPT_IN_PROJECT = Prepared(_known.where(_theirs))


def is_photo_public(digest: str, project_id: int | None = None) -> bool:
    """Return whether the public may see this photo, in any project or only in ``project_id``."""
    if project_id is None:
        return SEEN.first(digest=digest) is not None
    return SEEN_IN_PROJECT.first(digest=digest, project_id=project_id) is not None


def is_photo_of_project(digest: str, project_id: int) -> bool:
    """Return whether an animal of the project has this photo. The animal need not be public."""
    return KEPT_IN_PROJECT.first(digest=digest, project_id=project_id) is not None
