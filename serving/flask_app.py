"""The Flask application class, with the changes to Flask's defaults."""

from apiflask import APIFlask
from flask import Response


class Service(APIFlask):
    """APIFlask that answers OPTIONS without a body."""

    def make_default_options_response(self) -> Response:
        """Return a response to OPTIONS without a body, and therefore without a type."""
        response: Response = super().make_default_options_response()
        response.status_code = 204
        del response.headers["Content-Type"]
        return response
