"""JSON responses."""

from collections.abc import Iterable
from typing import Any

from flask import Response

HeaderList = list[tuple[str, str]]


class JsonResponse(Response):
    """A JSON response whose body and headers are sent unchanged.

    Werkzeug copies and corrects the headers of a normal response, and wraps its body. This work takes as long
    as reading the key from the database. Searching each header for line breaks takes 7 % of the CPU time of a
    request for a list.
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
    """Add headers to any response. The headers of a JsonResponse are not checked for line breaks."""
    if isinstance(response, JsonResponse):
        response.header_list += headers
    else:
        response.headers.extend(headers)
    return response
