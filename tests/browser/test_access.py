"""Accessibility of each page: WCAG 2.2 AA and best practices, checked by axe.

Each page is checked in both sizes and colour schemes.
"""

from collections.abc import Iterator
from typing import Any

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Browser, Page

from tests.browser.conftest import SIZES, open_context, record_complaints
from tests.browser.site import PLACES, STAFF_PLACES, Site
from tests.browser.steps import STAFF_STEPS, STEPS, open_page

SPARING = {"resultTypes": ["violations"], "preload": False}
"""Options that make axe faster. Axe need not load stylesheets again, because none of our rules uses them."""
RULES: dict[str, Any] = {
    "runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
    **SPARING,
}
RULES["rules"] = {"target-size": {"enabled": True}}
"""Targets need at least 24 px (WCAG 2.5.8). By default axe does not check it."""
COLOURS = {"runOnly": {"type": "rule", "values": ["color-contrast"]}, **SPARING}
REPEATED = {
    # One operation and one chapter contain all parts of an entry, and a sample in each language.
    "docs": ".operation ~ .operation, .chapter:not(#operations, #authentication) pre",
    # These parts are checked on the page without errors.
    "domains-errors": ".domain-card ~ .domain-card",
}
"""Elements that a page repeats too often for axe, which is slow. They are left out."""
WITHOUT = "selector => document.querySelectorAll(selector).forEach(each => each.remove())"
SETTLED = """new Promise(requestAnimationFrame).then(() => {
  for (const each of document.getAnimations())
    if (each.effect.getComputedTiming().endTime !== Infinity) each.finish();
})"""
LOOK = """rules => axe.run(rules).then(({violations}) => violations.flatMap(({id, nodes}) =>
  nodes.map(({html, failureSummary}) => `${id}: ${html.slice(0, 160)} ${failureSummary}`)))"""


LOST = """() => [...document.querySelectorAll('main *')]
  .filter((each) => each.checkVisibility() && ['sticky', 'fixed'].includes(getComputedStyle(each).position))
  .map((each) => `${each.className} covers what is below it`)
  .concat(document.documentElement.scrollWidth > innerWidth ? ['The page is wider than its window'] : [])"""
LARGE_TEXT = "size => { document.documentElement.style.fontSize = size }"


def find_lost_when_large(page: Page) -> list[str]:
    """Return the elements that cannot be read at 400 % zoom (1280 by 1024 px), or with text at 200 %."""
    before = page.viewport_size
    page.set_viewport_size({"width": 320, "height": 256})
    lost: list[str] = page.evaluate(LOST)
    page.evaluate(LARGE_TEXT, "212.5%")
    for size in SIZES.values():
        page.set_viewport_size(size)  # type: ignore[arg-type]
        lost += [f"{size['width']} px: {each}" for each in page.evaluate(LOST) if "wider" in each]
    page.evaluate(LARGE_TEXT, "")
    if before:
        page.set_viewport_size(before)
    return lost


def find_violations(page: Page, rules: dict[str, Any]) -> list[str]:
    page.wait_for_load_state()  # Until the page has loaded, elements have no styles.
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    page.evaluate(SETTLED)
    told: list[str] = page.evaluate(LOOK, rules)
    return told


def find_flaws(page: Page) -> list[str]:
    """Return the violations on a page that is not in the tests below."""
    return find_violations(page, RULES) + find_lost_when_large(page)


@pytest.fixture(scope="module")
def kept(chromium: Browser, site: Site) -> Iterator[tuple[Page, list[str]]]:
    """One page for all tests, and the errors that it has reported.

    Axe is slow only on the first page.
    """
    complaints: list[str] = []
    context = open_context(chromium, site, "desk")
    record_complaints(context, site, complaints)
    yield context.new_page(), complaints
    context.close()


@pytest.fixture
def page(kept: tuple[Page, list[str]]) -> Iterator[Page]:
    """The page of ``kept``, signed out."""
    looked_at, complaints = kept
    looked_at.goto("/healthz")
    looked_at.context.clear_cookies()
    looked_at.set_viewport_size(SIZES["desk"])  # type: ignore[arg-type]
    looked_at.emulate_media(color_scheme="light")
    complaints.clear()
    yield looked_at
    looked_at.goto("/healthz")  # the previous page polls, and would go on polling during the next test
    assert complaints == []


@pytest.mark.parametrize("place", [*PLACES, *STEPS, *STAFF_PLACES, *STAFF_STEPS])
def test_axe_finds_nothing_on(place: str, page: Page, site: Site) -> None:
    open_page(page, site, place)
    if place in REPEATED:
        page.evaluate(WITHOUT, REPEATED[place])
    # A page is loaded once and checked at all widths and schemes.
    for width in reversed(SIZES.values()):
        page.set_viewport_size(width)  # type: ignore[arg-type]
        assert find_violations(page, RULES) == []
    assert find_lost_when_large(page) == []
    # A scheme changes only colours, and colours do not depend on the width.
    page.emulate_media(color_scheme="dark")
    assert find_violations(page, COLOURS) == []


def test_a_field_beside_a_button_has_room_for_large_text(page: Page, site: Site) -> None:
    page.set_viewport_size(SIZES["phone"])  # type: ignore[arg-type]
    page.goto("/sign-in")
    page.evaluate(LARGE_TEXT, "212.5%")
    width = "field => field.getBoundingClientRect().width"
    email, password = (
        page.get_by_label(label, exact=True).evaluate(width) for label in ("Email", "Password")
    )
    assert password == email, "the button is below"
