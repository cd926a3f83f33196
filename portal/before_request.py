"""Checks that run before the view of a page: size limits, the host, and slashes at the end of the path."""

from flask import Response

from portal.body_limits import limit_request
from portal.sites.hosts import find_site_or_redirect
from portal.trailing_slashes import redirect_trailing_slash


def check_page_request() -> Response | None:
    """Check a request before its view runs.

    Return a response if the page is at another address, or if the host has no pages.
    """
    limit_request()
    return find_site_or_redirect() or redirect_trailing_slash()
