"""The embedded grid on a page of another origin, such as a shelter's own website."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Frame, Page, expect

from tests.browser.conftest import SIZES
from tests.browser.other_origin import serve_other_origin
from tests.browser.site import Site

Show = Callable[..., Page]


@pytest.fixture
def show(chromium: Browser, site: Site) -> Iterator[Show]:
    """Open a page of another origin with this body.

    In the body, ``{root}`` becomes our address and ``{slug}`` our slug.
    """
    slug = site.places["embed"].rpartition("/")[2]

    contexts = []
    with serve_other_origin() as elsewhere:

        def open_page(body: str, **how: Any) -> Page:
            elsewhere.body = body.replace("{root}", site.root).replace("{slug}", slug)
            context = chromium.new_context(viewport=SIZES["desk"], **how)  # type: ignore[arg-type]
            context.set_default_timeout(15_000)
            contexts.append(context)
            page = context.new_page()
            page.goto(f"{elsewhere.origin}/")
            return page

        yield open_page
        for context in contexts:
            context.close()


TAG = '<script async src="{root}/embed.js" data-shelter="{slug}"></script>'


def grid(page: Page, number: int = 0) -> Frame:
    """Return the page with the frame. Its cards are loaded, and the frame has the height of the cards."""
    element = page.locator("iframe").nth(number)
    element.scroll_into_view_if_needed()
    expect(element.content_frame.locator("main")).to_be_visible()
    handle = element.element_handle()
    frame = handle.content_frame()
    assert frame is not None
    frame.wait_for_load_state()  # Until the page has loaded, elements have no styles.
    return frame


def fits_frame(page: Page, number: int = 0) -> bool:
    frame = grid(page, number)
    needed = frame.evaluate("document.body.offsetHeight")
    given = page.locator("iframe").nth(number).evaluate("frame => frame.clientHeight")
    return bool(needed == given)


def test_one_line_of_html_embeds_the_animals(show: Show) -> None:
    page = show(f"<h1>Ours</h1>{TAG}<p>After</p>")
    expect(page.locator("iframe")).to_have_count(1)
    expect(page.locator("iframe")).to_have_attribute("title", "Animals looking for a home")
    frame = page.frame_locator("iframe")
    expect(frame.get_by_role("heading", level=2)).to_have_count(3)
    expect(page.locator("script + iframe")).to_be_visible()
    page.wait_for_function("document.querySelector('iframe').style.height != '40rem'")
    assert fits_frame(page)
    wide = page.locator("iframe").evaluate("frame => frame.style.height")
    page.set_viewport_size(SIZES["phone"])  # type: ignore[arg-type]
    page.wait_for_function("wide => document.querySelector('iframe').style.height != wide", arg=wide)
    assert fits_frame(page)
    assert page.evaluate("document.documentElement.scrollWidth") == 390


def test_several_grids_work_on_one_page_and_add_no_globals(show: Show) -> None:
    more = TAG.replace("></script>", ' data-species="dog" data-limit="1" data-title="Our dogs"></script>')
    page = show(f"<script>window.before = Object.keys(window).length + 1</script>{TAG}{more}{TAG}")
    expect(page.locator("iframe")).to_have_count(3)
    for number in range(3):
        grid(page, number)
    page.wait_for_function(
        "[...document.querySelectorAll('iframe')].every(each => each.style.height != '40rem')"
    )
    assert [fits_frame(page, number) for number in range(3)] == [True] * 3
    expect(page.frame_locator("iframe[title='Our dogs']").get_by_role("heading", level=2)).to_have_count(1)
    # The window has a numbered entry for each frame. No other name was added.
    assert page.evaluate("Object.keys(window).filter(name => !/^\\d+$/.test(name)).length") == page.evaluate(
        "window.before"
    )


def test_only_the_grid_can_set_its_height(show: Show) -> None:
    liar = "<script>parent.postMessage({homewardHeight: 7}, '*'); parent.postMessage('lied', '*')</script>"
    listener = "window.heard = 0; addEventListener('message', ({data}) => heard += data == 'lied')"
    page = show(f"{TAG}<script>{listener}</script>")
    grid(page)
    page.wait_for_function("document.querySelector('iframe').style.height != '40rem'")
    height = page.locator("iframe").evaluate("frame => frame.style.height")
    page.evaluate(
        "html => { const f = document.createElement('iframe'); f.srcdoc = html; document.body.append(f) }",
        liar,
    )
    page.evaluate("postMessage({homewardHeight: 7}, '*'); postMessage('lied', '*')")
    page.wait_for_function("window.heard == 2")
    assert page.locator("iframe").first.evaluate("frame => frame.style.height") == height


def test_a_card_opens_in_the_whole_window(show: Show, site: Site) -> None:
    page = show(TAG)
    frame = page.frame_locator("iframe")
    link = frame.get_by_role("link", name="Zoë")
    link.focus()
    page.keyboard.press("Enter")
    page.wait_for_url(f"{site.root}/animals/*")
    expect(page.get_by_role("heading", level=1)).to_have_text("Zoë")


@pytest.mark.parametrize(
    ("body", "reader", "ground"),
    [
        (TAG, "light", "light"),
        (TAG, "dark", "light"),
        (f"<meta name=color-scheme content='light dark'>{TAG}", "dark", "dark"),
        (f"<meta name=color-scheme content='light dark'>{TAG}", "light", "light"),
        (TAG.replace(" data-shelter", " data-theme='dark' data-shelter"), "light", "dark"),
    ],
)
def test_the_grid_follows_the_pages_dark_mode(show: Show, body: str, reader: str, ground: str) -> None:
    frame = grid(show(body, color_scheme=reader))
    lightness = frame.evaluate(
        "parseFloat(getComputedStyle(document.documentElement).backgroundColor.match(/oklch\\(([0-9.]+)/)[1])"
    )
    assert ("light" if lightness > 0.5 else "dark") == ground


def test_a_plain_iframe_works_without_scripts(show: Show) -> None:
    frame = '<iframe src="{root}/embed/{slug}" title="Ours" width="100%" height="600"></iframe>'
    page = show(frame, java_script_enabled=False)
    expect(page.frame_locator("iframe").get_by_role("heading", level=2)).to_have_count(3)


def test_an_unknown_shelter_shows_an_error_in_place_of_the_grid(show: Show) -> None:
    page = show(TAG.replace("{slug}", "no such shelter"))
    expect(page.frame_locator("iframe").get_by_text("There is no shelter of this name")).to_be_visible()


def test_other_pages_cannot_be_framed(show: Show, site: Site) -> None:
    page = show("".join(f'<iframe src="{{root}}{path}"></iframe>' for path in ("/", "/nowhere", "/docs/")))
    page.wait_for_load_state("networkidle")
    for frame in page.frames[1:]:
        assert not frame.url.startswith(site.root)
        assert frame.locator("main").count() == 0
