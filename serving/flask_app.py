"""The Flask application class, with the changes to Flask's defaults."""

from apiflask import APIFlask
from flask import Request, Response
from werkzeug.exceptions import BadRequest
from werkzeug.routing import MapAdapter

HOST_LONGEST = 255
"""The maximum length of a ``Host`` header. A name in DNS has at most 253 characters (RFC 1035, 2.3.4)."""
NO_HOST = "/"
"""A malformed host that replaces one that is too long, so that it is rejected."""


class Service(APIFlask):
    """APIFlask that can build URLs during any request, and answers OPTIONS without a body."""

    def create_url_adapter(self, request: Request | None) -> MapAdapter | None:
        """Return an adapter even for a malformed ``Host``, since its error page contains URLs too."""
        if request is not None and len(request.environ.get("HTTP_HOST", "")) > HOST_LONGEST:
            request.environ["HTTP_HOST"] = NO_HOST  # so that no cache stores it
        try:
            return super().create_url_adapter(request)
        except BadRequest:
            assert request is not None  # noqa: S101 - only a request has a host
            without_host = {name: value for name, value in request.environ.items() if name != "HTTP_HOST"}
            return self.url_map.bind_to_environ(without_host)

    def make_default_options_response(self) -> Response:
        """Return a response to OPTIONS without a body, and therefore without a type."""
        response: Response = super().make_default_options_response()
        response.status_code = 204
        del response.headers["Content-Type"]
        return response
