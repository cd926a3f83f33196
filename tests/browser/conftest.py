"""Browsers for tests: in the size of a phone or a desktop, with or without scripts, light or dark."""

import re
from collections.abc import Callable, Iterator
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Page,
    Request,
    Response,
    expect,
    sync_playwright,
)

from tests.browser.site import Site, run_site
from tests.servers import chromium_program

ARGUMENTS = ["--no-sandbox", "--disable-background-networking", "--disable-dev-shm-usage"]
SIZES = {"phone": {"width": 390, "height": 844}, "desk": {"width": 1280, "height": 900}}
REFUSED = re.compile(r"Failed to load resource: the server responded with a status of 4\d\d")
GIVEN_UP = re.compile(r"htmx:(sendAbort|afterRequest), ")
"""The message of htmx about a request that a later request replaced."""

both_ways = pytest.mark.parametrize("script", [True, False], ids=["script", "no-script"])
"""Each test runs with JavaScript and without, at each size."""
each_way = pytest.mark.parametrize(
    ("size", "script"), [("phone", True), ("desk", False)], ids=["phone", "no-script"]
)
"""Each test runs on a phone with JavaScript, and at a desk without JavaScript.

Other tests open these pages at both sizes.
"""


@pytest.fixture(scope="package")
def chromium() -> Iterator[Browser]:
    expect.set_options(timeout=15_000)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium_program(), args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture(scope="package")
def site(chromium: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with run_site(tmp_path_factory.mktemp("browsed") / "instance") as running:
        yield running


@pytest.fixture(params=list(SIZES))
def size(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def script() -> bool:
    return True


@pytest.fixture
def scheme() -> str:
    return "light"


Open = Callable[[], BrowserContext]


@pytest.fixture
def window(chromium: Browser, site: Site, size: str, script: bool, scheme: str) -> Iterator[Open]:
    """Open a browser without cookies.

    At the end the test fails if the browser reported errors to developers.
    """
    complaints: list[str] = []
    contexts: list[BrowserContext] = []

    def new() -> BrowserContext:
        contexts.append(open_context(chromium, site, size, script, scheme))
        record_complaints(contexts[-1], site, complaints)
        return contexts[-1]

    yield new
    for context in contexts:
        context.close()
    assert complaints == []


def open_context(
    chromium: Browser, site: Site, size: str, script: bool = True, scheme: str = "light"
) -> BrowserContext:
    context = chromium.new_context(
        base_url=site.root,
        viewport=SIZES[size],  # type: ignore[arg-type]
        java_script_enabled=script,
        color_scheme=scheme,  # type: ignore[arg-type]
        has_touch=size == "phone",
        locale="en-GB",
    )
    context.set_default_timeout(15_000)
    return context


@pytest.fixture
def page(window: Open) -> Page:
    return window().new_page()


def record_complaints(context: BrowserContext, site: Site, complaints: list[str]) -> None:
    """Record console errors, policy violations, failed requests, and requests to other hosts."""

    def on_message(message: ConsoleMessage) -> None:
        # Some tests request pages that respond with an error; `on_response` checks all the others.
        expected = REFUSED.match(message.text) or GIVEN_UP.match(message.text)
        if message.type in ("error", "warning") and not expected:
            complaints.append(f"{message.type} in the console: {message.text}")

    def on_request(request: Request) -> None:
        host = urlsplit(request.url).netloc
        if host != f"localhost:{site.port}" and not host.endswith(f".localhost:{site.port}"):
            complaints.append(f"requested another host: {request.url}")

    def on_failure(request: Request) -> None:
        # The browser cancels requests when it leaves a page.
        if request.failure != "net::ERR_ABORTED":
            complaints.append(f"failed: {request.url} {request.failure}")

    def on_response(response: Response) -> None:
        wanted = response.request.resource_type in ("document", "fetch", "xhr")
        if response.status >= (500 if wanted else 400):
            complaints.append(f"{response.status}: {response.url}")

    context.on("console", on_message)
    context.on("weberror", lambda error: complaints.append(f"thrown: {error.error}"))
    context.on("request", on_request)
    context.on("requestfailed", on_failure)
    context.on("response", on_response)
