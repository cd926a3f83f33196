"""Redirect responses, and the check that an address is on this host.

A redirect keeps the path and query of a request as the visitor wrote them.
"""

import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote, unquote

from flask import Response
from werkzeug.datastructures import Headers

VISIBLE = "".join(map(chr, range(0x21, 0x7F)))
"""Characters of a query that ``quote`` leaves unchanged.

``%`` is included, because it starts characters that are already encoded.
"""

WRITTEN = re.compile(r"/[\x21-\x7e]*")
"""A path that is safe in a header."""


class Redirect(Response):
    """A redirect without a body. Werkzeug would remove the ``?`` before an empty query."""

    def __init__(self, address: str, status: int) -> None:
        super().__init__("", status, {"Location": address})

    def get_wsgi_headers(self, environ: Any) -> Headers:
        headers = super().get_wsgi_headers(environ)
        if self.headers["Location"].endswith("?") and not headers["Location"].endswith("?"):
            headers["Location"] += "?"
        return headers


def path_as_written(environ: Mapping[str, Any]) -> str:
    """Return the path of a request as the visitor wrote it, such as ``/a%2Fb``.

    The server decodes paths, so the original comes from the edge in ``X-Forwarded-Uri``. Without that header
    the decoded path is encoded again. Anyone can send the header, so it is used only if it is another
    spelling of this request's path.
    """
    decoded = environ["PATH_INFO"].encode("latin-1")
    forwarded = environ.get("HTTP_X_FORWARDED_URI", "").partition("?")[0]
    if WRITTEN.fullmatch(forwarded) and unquote(forwarded) == decoded.decode("utf-8", "replace"):
        return str(forwarded)
    return quote(decoded, safe="/!$&'()*+,;=:@-._~")


def query_as_written(environ: Mapping[str, Any]) -> str:
    """Return the query of a request with its ``?``, or an empty text if there is no query.

    The server drops the ``?`` of an empty query. ``X-Forwarded-Uri`` keeps it.
    """
    query = quote(environ["QUERY_STRING"].encode("latin-1"), safe=VISIBLE)
    path, mark, rest = environ.get("HTTP_X_FORWARDED_URI", "").partition("?")
    is_empty_query = bool(mark) and not rest and path == path_as_written(environ)
    return f"?{query}" if query or is_empty_query else ""


def local_path(address: str) -> str | None:
    """Return the address if it is a path of this host, else None."""
    # Browsers read ``//`` or ``/\`` at the start of a path as another host.
    is_local = address.isprintable() and address.startswith("/") and not address.startswith(("//", "/\\"))
    return address if is_local else None
