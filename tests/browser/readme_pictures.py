"""Take the two pictures of the README in a new demo.

    python -m tests.browser.readme_pictures [FOLDER]

If no folder is given, the pictures are written to ``static/brand``.
"""

import io
import json
import sys
from collections import Counter
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory

from PIL import Image
from playwright.sync_api import Page, sync_playwright

from tests.browser.conftest import ARGUMENTS
from tests.servers import chromium_program, free_port
from tests.serving.conftest import Running

BRAND = Path(__file__).parents[2] / "static" / "brand"
CATALOGUE, STAFF = (1280, 1010), (1280, 800)
CATALOGUE_SHOWN = (1000, 789)
COLOURS, EXACT = 256, 48


def take_picture(page: Page, window: tuple[int, int], shown: tuple[int, int], file: Path) -> None:
    page.set_viewport_size({"width": window[0], "height": window[1]})
    page.reload()  # by then the browser has cached the fonts
    page.wait_for_load_state("networkidle")
    page.evaluate("document.fonts.ready.then(() => null)")
    picture = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    scaled = picture if window == shown else picture.resize(shown, Image.Resampling.LANCZOS)
    scaled.quantize(palette=build_palette(scaled), dither=Image.Dither.FLOYDSTEINBERG).save(
        file, optimize=True
    )


def build_palette(picture: Image.Image) -> Image.Image:
    """Return a palette with the page's own flat colours and the colours of its photos."""
    colours = Counter(picture.getdata()).most_common(EXACT)
    exact = [part for colour, _ in colours for part in colour]
    rest = picture.quantize(COLOURS - EXACT, Image.Quantize.MAXCOVERAGE).getpalette() or []
    palette = Image.new("P", (1, 1))
    palette.putpalette((exact + rest)[: 3 * COLOURS])
    return palette


def take_pictures(page: Page, login: dict[str, str], folder: Path) -> None:
    page.goto("/")
    take_picture(page, CATALOGUE, CATALOGUE_SHOWN, folder / "catalogue.png")
    page.goto("/sign-in")
    page.get_by_label("Email").fill(login["email"])
    page.get_by_label("Password", exact=True).fill(login["password"])
    page.get_by_role("button", name="Sign in", exact=True).click()
    page.wait_for_url("**/projects/**")
    page.goto(f"/projects/{login['project']}/animals")
    take_picture(page, STAFF, STAFF, folder / "staff.png")


def main(folder: Path = BRAND) -> None:
    with ExitStack() as running:
        instance = Path(running.enter_context(TemporaryDirectory()))
        port = free_port()
        service = Running(instance, port, workers=1)
        service.start()
        running.callback(service.stop)
        playwright = running.enter_context(sync_playwright())
        browser = playwright.chromium.launch(executable_path=chromium_program(), args=ARGUMENTS)
        context = browser.new_context(
            base_url=f"http://localhost:{port}", reduced_motion="reduce", locale="en-GB"
        )
        take_pictures(context.new_page(), json.loads((instance / "demo.json").read_text()), folder)


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
