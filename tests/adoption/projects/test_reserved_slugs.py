"""Reserved slugs, which new projects cannot have."""

import pytest
from apiflask import APIFlask

from adoption.projects.models import Project
from adoption.projects.reserved_slugs import is_reserved
from adoption.projects.slugs import free_slug
from adoption.settings import Settings
from adoption.storage.database import reading, transaction
from tests import factories

PRODUCTION = Settings.from_environment(
    {
        "HOMEWARD_ENVIRONMENT": "production",
        "HOMEWARD_SECRET_KEY": "x" * 40,
        "HOMEWARD_PLATFORM_HOST": "pets.haven.example",
        "HOMEWARD_CNAME_TARGET": "land-here.pets.haven.example",
        "HOMEWARD_BASE_URL": "https://programs.pets.haven.example/v1",
        "HOMEWARD_STAGING_BASE_URL": "https://rehearsal.pets.haven.example/v1",
        "HOMEWARD_EDGE": "kerb.pets.haven.example:443",
        "HOMEWARD_MAIL_URL": "smtp://pillar.pets.haven.example",
    }
)
RESERVED = """
login account support security billing homeward sign-in cdn status sites autodiscover wpad mta-sts log-in
l0gin supp0rt www2 ns1 mx10 _staging api donate postmaster no-reply null
homewards homeward- home-ward h0meward homevvard hoomeward hmoeward homewrad homeard homeward1
homeward-support login-homeward homewardbilling
land-here landhere programs rehearsal kerb pillar haven pets
"""
FREE = """
elm-road riverside homeward-bound homeward-bound-rescue homeward-pets homeland login-2 support-12 homeward-2
loginova mailbox-cats happy-pets statusquo-dogs home wards-corner 24-paws
"""


@pytest.mark.parametrize("slug", RESERVED.split())
def test_slugs_like_the_services_own_names_are_reserved(slug: str) -> None:
    assert is_reserved(slug.strip("-_"), PRODUCTION)


@pytest.mark.parametrize("slug", FREE.split())
def test_slugs_of_shelters_are_free(slug: str) -> None:
    assert not is_reserved(slug, PRODUCTION)


@pytest.mark.settings("embedded")
def test_a_project_keeps_a_slug_that_was_reserved_later(app: APIFlask) -> None:
    project = factories.project("Elm Road")
    with transaction() as session:
        session.get_one(Project, project.id).slug = "support"
    page = app.test_client().get("/", headers={"Host": "support.localhost"})
    assert page.status_code == 200
    with reading() as session:
        assert free_slug(session, "Support") == "support-2"
