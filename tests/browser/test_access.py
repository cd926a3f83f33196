"""What axe finds on each page: WCAG 2.2 AA and its good practice, wide and narrow, by day and by night."""

from typing import Any

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page

from tests.browser.conftest import SIZES
from tests.browser.site import PLACES, STAFF_PLACES, Site
from tests.browser.steps import STAFF_STEPS, STEPS, show

SPARING = {"resultTypes": ["violations"], "preload": False}
"""No rule of ours needs the style sheets that axe would fetch again."""
RULES = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"], **SPARING}
COLOURS = {"runOnly": {"type": "rule", "values": ["color-contrast"]}, **SPARING}
REPEATED = {"exclude": [[".operation ~ .operation"], [".pair:not(:first-of-type) pre"]]}
"""The reference has many of a kind, and axe looks at each for long: one tells of all."""
SETTLED = """new Promise(requestAnimationFrame).then(() => {
  for (const each of document.getAnimations())
    if (each.effect.getComputedTiming().endTime !== Infinity) each.finish();
})"""
LOOK = """([where, rules]) => axe.run(where, rules).then(({violations}) => violations.flatMap(({id, nodes}) =>
  nodes.map(({html, failureSummary}) => `${id}: ${html.slice(0, 160)} ${failureSummary}`)))"""


def wrong(page: Page, rules: dict[str, Any]) -> list[str]:
    page.wait_for_load_state()  # what is asked for before has no styles yet
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    page.evaluate(SETTLED)
    told: list[str] = page.evaluate(LOOK, [REPEATED, rules])
    return told


@pytest.mark.parametrize("size", ["desk"])
@pytest.mark.parametrize("place", [*PLACES, *STEPS, *STAFF_PLACES, *STAFF_STEPS])
def test_axe_finds_nothing_on(place: str, page: Page, site: Site, size: str) -> None:
    show(page, site, place)
    # A page is made once for all widths, so it is looked at again and not opened again.
    for width in SIZES.values():
        page.set_viewport_size(width)  # type: ignore[arg-type]
        page.emulate_media(color_scheme="light")
        assert wrong(page, RULES) == []
        # What the scheme changes is colours.
        page.emulate_media(color_scheme="dark")
        assert wrong(page, COLOURS) == []
