"""The Flask application class, with its changes to Flask's defaults."""

from apiflask import APIFlask
from flask import Response


class Service(APIFlask):
    """APIFlask, except that responses to OPTIONS have no body."""

    def make_default_options_response(self) -> Response:
        """Return a response to OPTIONS without a body and without a content type."""
        response: Response = super().make_default_options_response()
        response.status_code = 204
        del response.headers["Content-Type"]
        return response
