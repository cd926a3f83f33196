"""Screenshots of every public and staff page, for a person to look at.

    python -m tests.browser.screenshots FOLDER [NAME…]

Each page is shown at 390 and 1,280 pixels, light and dark. A file's name is such as animal-390-dark.png. If
names are given, only these pages are shown.
"""

import itertools
import sys
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import Browser, Response, sync_playwright

from tests.browser.conftest import ARGUMENTS, SIZES
from tests.browser.site import PLACES, STAFF_PLACES, Site, run_site
from tests.browser.steps import STAFF_STEPS, STEPS, open_page
from tests.servers import chromium_program

EVERYTHING = [*PLACES, *STEPS, *STAFF_PLACES, *STAFF_STEPS]


def note_error(errors: list[str], response: Response) -> None:
    """Record error responses. Only some screenshots are meant to show an error."""
    if response.status >= 400:
        errors.append(f"{response.status}: {response.url}")


def take_screenshots(browser: Browser, site: Site, folder: Path, names: list[str]) -> None:
    for size, scheme in itertools.product(SIZES.values(), ("light", "dark")):
        context = browser.new_context(
            base_url=site.root,
            viewport=size,  # type: ignore[arg-type]
            color_scheme=scheme,  # type: ignore[arg-type]
            reduced_motion="reduce",
            locale="en-GB",
        )
        for name in names:
            page = context.new_page()
            errors: list[str] = []
            page.on("response", partial(note_error, errors))
            open_page(page, site, name)
            page.screenshot(path=folder / f"{name}-{size['width']}-{scheme}.png", full_page=True)
            page.close()
            print(name, size["width"], scheme, *errors)
        context.close()


def main(folder: str, *names: str) -> None:
    Path(folder).mkdir(parents=True, exist_ok=True)
    with ExitStack() as running:
        site = running.enter_context(run_site(Path(running.enter_context(TemporaryDirectory()))))
        playwright = running.enter_context(sync_playwright())
        browser = playwright.chromium.launch(executable_path=chromium_program(), args=ARGUMENTS)
        take_screenshots(browser, site, Path(folder), list(names) or EVERYTHING)


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    main(*sys.argv[1:])
