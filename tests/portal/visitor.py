"""A visitor with a browser, signed in or not, who fills in forms."""

import re
from dataclasses import dataclass

from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from tests.cast import PASSWORD


@dataclass
class Visitor:
    client: FlaskClient
    address: str = "192.0.2.7"

    def get(self, path: str) -> TestResponse:
        return self.client.get(path, environ_base={"REMOTE_ADDR": self.address})

    def send(self, path: str, **form: str) -> TestResponse:
        """Send a form with the token of its page."""
        given = {"csrf_token": self.token(), **form}
        return self.client.post(path, data=given, environ_base={"REMOTE_ADDR": self.address})

    def token(self) -> str:
        found = re.search(r'name="csrf_token" value="([^"]+)"', self.get("/sign-up").text)
        assert found
        return found[1]

    def sign_in(self, email: str, password: str = PASSWORD, **rest: str) -> TestResponse:
        return self.send("/sign-in", email=email, password=password, **rest)

    @property
    def is_in(self) -> bool:
        return self.get("/account").status_code == 200
