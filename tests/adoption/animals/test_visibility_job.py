"""Publishing and hiding a large project in small transactions."""

import pytest
from apiflask import APIFlask
from flask.testing import FlaskClient
from sqlalchemy import func, insert, select

from adoption.animals import visibility_job
from adoption.animals.models import Animal
from adoption.projects.models import Project
from adoption.projects.publication import publish_site, unpublish_site
from adoption.projects.queries import is_visibility_changing
from adoption.storage.database import reading, transaction
from tests import factories

LARGE = visibility_job.PORTION + 1


def large_project(name: str = "Oak Farm") -> tuple[Project, int]:
    """Add a published project with more animals than one batch; return it and an animal's id."""
    project = factories.project(name)
    row = {"project_id": project.id, "category_id": 1, "status": "available", "words": "acorn"}
    row |= {"created_at": factories.NOW, "updated_at": factories.NOW}
    with transaction() as session:
        session.execute(insert(Animal), [row | {"name": f"Acorn {n}"} for n in range(LARGE)])
        last = session.scalar(select(func.max(Animal.id)))
    assert last
    return project, last


def count_published(project: Project) -> int:
    with reading() as session:
        rows = select(func.count()).where(Animal.project_id == project.id, Animal.published)
        return session.scalar(rows) or 0


def is_shown(client: FlaskClient, animal_id: int) -> bool:
    """Return whether the animal is public. Fail if public pages disagree."""
    answers = [
        client.get(f"/animals/{animal_id}", follow_redirects=True).status_code == 200,
        "Acorn" in client.get("/").text,
        "Acorn" in client.get("/?q=acorn").text,
        "Acorn" in client.get("/feed.atom").text,
        client.get(f"/animals/{animal_id}/applications", follow_redirects=True).status_code == 200,
    ]
    assert len(set(answers)) == 1, answers
    return answers[0]


def test_a_large_site_is_hidden_at_once_and_its_animals_in_batches(
    app: APIFlask, client: FlaskClient
) -> None:
    project, animal_id = large_project()
    other = factories.animal(factories.project(), "Biscuit")
    assert is_shown(client, animal_id)
    unpublish_site(project.id)
    assert count_published(project) == LARGE, "the request changed no animal"
    assert not is_shown(client, animal_id)
    assert client.get(f"/animals/{other}", follow_redirects=True).status_code == 200
    left = []
    visibility_job.apply_all(pause=lambda _: left.append(count_published(project)))
    assert left == [1, 0]
    assert not is_visibility_changing(project.id)
    assert not is_shown(client, animal_id)


def test_a_large_site_appears_when_all_animals_are_ready(app: APIFlask, client: FlaskClient) -> None:
    project, animal_id = large_project()
    unpublish_site(project.id)
    visibility_job.apply_all(pause=lambda _: None)
    publish_site(project.slug)
    assert is_visibility_changing(project.id)
    assert visibility_job.apply_portion(project.id)
    assert not is_shown(client, animal_id)
    visibility_job.apply_all(pause=lambda _: None)
    assert is_shown(client, animal_id)


def test_publishing_a_site_while_it_is_being_hidden_shows_every_animal(
    app: APIFlask, client: FlaskClient
) -> None:
    project, animal_id = large_project()
    unpublish_site(project.id)
    visibility_job.apply_portion(project.id)
    publish_site(project.slug)
    added = factories.animal(project, "Acorn the last")
    visibility_job.apply_all(pause=lambda _: None)
    assert count_published(project) == LARGE + 1
    assert is_shown(client, animal_id)
    assert is_shown(client, added)


@pytest.mark.settings("embedded")
def test_batches_of_accounts_alternate(app: APIFlask, monkeypatch: pytest.MonkeyPatch) -> None:
    projects = [large_project("Oak Farm")[0], large_project("Elm Farm")[0]]
    monkeypatch.setattr(visibility_job, "PORTION", 500)
    for project in projects:
        unpublish_site(project.id)
    left = []
    visibility_job.apply_all(pause=lambda _: left.append([count_published(project) for project in projects]))
    assert left == [[501, 1001], [501, 501], [1, 501], [1, 1], [0, 1], [0, 0]]


@pytest.mark.settings("embedded")
def test_a_site_of_ordinary_size_is_published_at_once(app: APIFlask, client: FlaskClient) -> None:
    project = factories.project(published=False)
    animal_id = factories.animal(project, "Acorn", words="acorn")
    publish_site(project.slug)
    assert is_shown(client, animal_id)
    assert not is_visibility_changing(project.id)
    unpublish_site(project.id)
    assert count_published(project) == 0
