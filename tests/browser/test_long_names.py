"""Long names without spaces."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from adoption.audit.actors import OPERATOR
from adoption.draft_previews import make_link
from tests import applying, factories
from tests.browser.conftest import SIZES, open_context
from tests.browser.site import PASSWORD, Site
from tests.browser.steps import sign_in_by_request
from tests.browser.test_staff_applications import app_context

OWNER = "owner@long-names.example"
WIDER = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


@pytest.fixture
def page(chromium: Browser, site: Site) -> Iterator[Page]:
    context = open_context(chromium, site, "desk")
    yield context.new_page()
    context.close()


def addresses(site: Site) -> list[str]:
    """Return the pages of a shelter, an animal and an applicant with long names."""
    with app_context(site) as app:
        shelter = factories.project("M" * 60, owner=OWNER, password=PASSWORD, place="Larchfield")
        animal = factories.animal(shelter, "W" * 200, colours="B" * 60)
        client = app.test_client()
        applied = applying.link_in(applying.apply(client, animal, email="w@example.org", name="W" * 100))
        previews = [f"/preview/{make_link(shelter, which, OPERATOR)}" for which in (None, animal)]
    staff = f"/projects/{shelter.slug}"
    return [
        "/?q=" + "W" * 200,
        f"/?shelter={shelter.slug}",
        f"/animals/{animal}",
        applied,
        f"http://{shelter.slug}.localhost:{site.port}/",
        *previews,
        "/shelters",
        f"{staff}/animals",
        f"{staff}/animals/{animal}",
        f"{staff}/animals/removal?id={animal}",
        f"{staff}/applications",
        f"{staff}/settings",
    ]


def wide_elements(page: Page) -> dict[str, int]:
    over = {}
    for size, viewport in SIZES.items():
        page.set_viewport_size(viewport)  # type: ignore[arg-type]
        if wider := page.evaluate(WIDER):
            over[f"{size} {page.url}"] = wider
    return over


def test_no_name_makes_a_page_wider_than_its_window(page: Page, site: Site) -> None:
    over = {}
    places = addresses(site)
    sign_in_by_request(page, OWNER)
    for place in places:
        answer = page.goto(place)
        assert answer is not None
        assert answer.ok, place
        assert "WWW" in page.content() or "MMM" in page.content(), place
        over |= wide_elements(page)
        if place.endswith("/applications"):
            page.locator("a[href*='/applications/']", has_text="WWW").first.click()
            page.wait_for_url("**/applications/*")
            over |= wide_elements(page)
    assert over == {}
