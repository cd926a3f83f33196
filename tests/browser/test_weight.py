"""Size and layout shifts of the first page for a new visitor, measured by the browser."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest
from playwright.sync_api import CDPSession, Page, Route, expect

from tests.browser.site import Site, run_site

WEIGHT_MOST = 60_000

OBSERVE = """
window.seen = {"layout-shift": [], "largest-contentful-paint": []};
for (const type of Object.keys(window.seen)) {
  new PerformanceObserver((list) => window.seen[type].push(...list.getEntries()))
    .observe({type, buffered: true});
}
"""
SHIFTS = """() => window.seen["layout-shift"].map((shift) =>
  `${shift.value} ${shift.sources.map((source) => source.node?.textContent?.slice(0, 40))}`)"""
PAINTED = "new Promise((done) => requestAnimationFrame(() => setTimeout(done, 0)))"
SCRIPTS = re.compile(r"<script.*?</script>", re.DOTALL)
LINES = re.compile(r"(?<=>)(?=\n\s*<)")
"""The positions where one tag ends and the next tag starts on a new line."""
FIRST_LINES = 160
"""The minimum number of lines that the header, the filters and the first animals have together."""
LARGEST = """() => window.seen["largest-contentful-paint"].at(-1).element.currentSrc"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A service without animals of other tests, which would be first on the first page."""
    with run_site(tmp_path_factory.mktemp("weighed") / "instance") as running:
        yield running


@dataclass
class Wire:
    """Responses, by address: the bytes and the headers."""

    session: CDPSession
    addresses: dict[str, str] = field(default_factory=dict)
    weights: dict[str, int] = field(default_factory=dict)

    @classmethod
    def to(cls, page: Page) -> "Wire":
        wire = cls(page.context.new_cdp_session(page))
        wire.session.send("Network.enable")
        wire.session.on("Network.responseReceived", wire.answered)
        wire.session.on("Network.loadingFinished", wire.finished)
        return wire

    def answered(self, event: dict[str, Any]) -> None:
        self.addresses[event["requestId"]] = event["response"]["url"]

    def finished(self, event: dict[str, Any]) -> None:
        self.weights[self.addresses[event["requestId"]]] = event["encodedDataLength"]


def test_the_first_page_without_its_photos_is_small(page: Page) -> None:
    wire = Wire.to(page)
    page.goto("/", wait_until="networkidle")
    weights = {a: n for a, n in wire.weights.items() if "/media/" not in a and "/placeholders/" not in a}
    assert len(weights) > 6
    assert sum(weights.values()) < WEIGHT_MOST, sorted(weights.items(), key=lambda each: -each[1])


def test_the_first_page_has_no_layout_shifts_while_it_loads(page: Page) -> None:
    page.add_init_script(OBSERVE)
    page.goto("/", wait_until="networkidle")
    wait_for_paint(page)
    assert page.evaluate(SHIFTS) == []


def test_a_partly_loaded_first_page_has_no_layout_shifts(page: Page) -> None:
    """The browser draws a page while it loads.

    At every moment, the loaded part must be in its final position.
    """
    whole = page.goto("/", wait_until="networkidle").text()  # type: ignore[union-attr]
    head, body = whole.split("<body>")
    page.route("**/empty", lambda asked: asked.fulfill(body="<!doctype html>", content_type="text/html"))
    page.goto("/empty")
    page.evaluate("head => { document.open(); document.write(head) }", SCRIPTS.sub("", head))
    page.wait_for_function("[...document.querySelectorAll('[rel=stylesheet]')].every(({sheet}) => sheet)")
    page.evaluate(OBSERVE)
    lines = LINES.split("<body>" + SCRIPTS.sub("", body))
    for number, line in enumerate(lines):
        page.evaluate("line => document.write(line)", line)
        if number % (2 if number < FIRST_LINES else 16) == 0:
            page.evaluate(PAINTED)
    page.evaluate("document.close()")
    wait_for_paint(page)
    expect(page.locator(".site-footer")).to_be_attached()
    assert len(lines) > FIRST_LINES
    assert page.evaluate(SHIFTS) == []


@pytest.mark.parametrize("size", ["desk"])
def test_the_first_page_does_not_overflow_its_width(page: Page, size: str) -> None:
    page.goto("/")
    for width in (320, 390, 640, 959, 960, 1151, 1152, 1280):
        page.set_viewport_size({"width": width, "height": 900})
        assert page.evaluate("document.documentElement.scrollWidth") == width


def test_late_fonts_cause_no_layout_shifts(page: Page) -> None:
    page.add_init_script(OBSERVE)
    held: list[Route] = []
    page.route("**/*.woff2", lambda font: held.append(font))
    page.goto("/", wait_until="domcontentloaded")
    expect(page.locator(".animal-card").first).to_be_visible()
    wait_for_paint(page)
    for font in held:
        font.continue_()
    page.evaluate("document.fonts.ready.then(() => true)")
    wait_for_paint(page)
    assert len(held) >= 2
    assert page.evaluate(SHIFTS) == []


def wait_for_paint(page: Page) -> None:
    """Paint the page in its current state, and wait until it is painted.

    An ordinary screenshot would wait for fonts.
    """
    page.context.new_cdp_session(page).send("Page.captureScreenshot")
    page.evaluate(PAINTED)


def test_the_largest_contentful_paint_of_the_first_page_is_an_animal(page: Page) -> None:
    page.add_init_script(OBSERVE)
    page.goto("/", wait_until="networkidle")
    wait_for_paint(page)
    shown = page.evaluate(LARGEST)
    if page.locator(".animal-card img[src*='/media/']").count():
        assert "/media/" in shown
    else:
        assert "/placeholders/" in shown
