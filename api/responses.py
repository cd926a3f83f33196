"""JSON out."""

from collections.abc import Iterable
from typing import Any

from flask import Response

HeaderList = list[tuple[str, str]]


class JsonResponse(Response):
    """JSON that is sent unchanged, with a list of headers of our own.

    Werkzeug copies and corrects the headers of any other response, and wraps its body. That costs as much as
    reading the key from the database. To search each header for line breaks would cost a list 7 % of its CPU.
    """

    default_mimetype = None

    def __init__(self, body: bytes, status: int = 200, headers: HeaderList | None = None) -> None:
        super().__init__([body], status)
        length = ("Content-Length", str(len(body)))
        self.header_list = [("Content-Type", "application/json"), length, *(headers or ())]

    def get_wsgi_response(self, environ: dict[str, Any]) -> tuple[Iterable[bytes], str, HeaderList]:
        body: Any = () if environ["REQUEST_METHOD"] == "HEAD" else self.response
        return body, self.status, self.header_list


def extend_headers(response: Response, headers: HeaderList) -> Response:
    """Add headers to any response. Our own list needs no checks."""
    if isinstance(response, JsonResponse):
        response.header_list += headers
    else:
        response.headers.extend(headers)
    return response
