"""A shelter's second project and second key."""

from datetime import UTC, datetime

from flask.testing import FlaskClient

from adoption.accounts.api_access import api_keys
from adoption.projects.models import Project
from adoption.storage.database import transaction
from tests.cast import Shelter


def second_project(client: FlaskClient, shelter: Shelter, slug: str = "second-site") -> Shelter:
    """Create another project of the account, with a key of its own."""
    with transaction() as session:
        project = Project(
            account_id=shelter.account_id, slug=slug, name="Second site", created_at=datetime.now(UTC)
        )
        session.add(project)
    _, key = api_keys.create_key(slug)
    return Shelter(client, shelter.account_id, project.id, slug, key)


def second_key(shelter: Shelter) -> Shelter:
    """Create another key of the project."""
    _, key = api_keys.create_key(shelter.slug)
    return Shelter(shelter.client, shelter.account_id, shelter.project_id, shelter.slug, key)
