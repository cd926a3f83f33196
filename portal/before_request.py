"""Checks of requests for pages."""

from flask import Response

from portal.body_limits import limit_request
from portal.sites.hosts import find_site_or_redirect
from portal.trailing_slashes import redirect_trailing_slash


def check_page_request() -> Response | None:
    """Check a request for a page.

    If the page is at another address or its host has no pages, return a response.
    """
    limit_request()
    return find_site_or_redirect() or redirect_trailing_slash()
