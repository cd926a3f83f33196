from typing import Any

import pytest
from apiflask import APIFlask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from tests.api.response_checks import check_response


class CheckedClient(FlaskClient):
    """A test client that checks each response under /v1 against the contract and the specification."""

    def open(self, *args: Any, **rest: Any) -> TestResponse:
        response = super().open(*args, **rest)
        path = response.request.path
        if path == "/v1" or path.startswith("/v1/"):
            check_response(self.application, response)
        return response


@pytest.fixture
def client(app: APIFlask) -> FlaskClient:
    return client_of(app)


def client_of(app: APIFlask) -> FlaskClient:
    return CheckedClient(app, app.response_class, use_cookies=True)
