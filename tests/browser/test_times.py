"""Public pages show times in the reader's zone. The words of a time come from the server."""

from datetime import UTC, datetime, timedelta

from playwright.sync_api import Browser

from tests.browser.site import Site
from tests.browser.steps import sign_in_by_request

SHOW = """times => {
  document.querySelector('main').innerHTML = times
    .map(([shape, when, words]) => `<time datetime="${when}" data-shape="${shape}">${words}</time>`).join('');
  document.dispatchEvent(new Event('htmx:afterSettle'));
  return [...document.querySelectorAll('main time')].map(each => each.textContent.replaceAll('\\u00a0', ' '));
}"""


def test_times_are_rewritten_in_the_zone_of_the_browser(chromium: Browser, site: Site) -> None:
    context = chromium.new_context(base_url=site.root, timezone_id="America/Los_Angeles")
    page = context.new_page()
    sign_in_by_request(page)
    page.goto("/account")
    recent = f"{datetime.now(UTC) - timedelta(hours=2):%Y-%m-%dT%H:%M:%SZ}"
    shown = page.evaluate(
        SHOW,
        [
            ["day", "2020-11-29T02:27:00Z", "29 November 2020"],
            ["moment", "2020-07-01T02:27:00Z", "1 July 2020, 02:27"],
            ["ago", "2020-01-01T02:27:00Z", "On 1 January 2020"],
            ["full", "2020-11-29T02:27:00Z", "29 November 2020, 02:27 UTC"],
            ["ago", recent, "2 hours ago"],
        ],
    )
    assert shown == [
        "28 November 2020",
        "30 June 2020, 19:27",
        "On 31 December 2019",
        "28 November 2020, 18:27 GMT-8",
        "2 hours ago",
    ]
    context.close()
