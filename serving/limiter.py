"""The service's one flask-limiter."""

from collections.abc import Callable

from flask import Flask
from flask_limiter import Limiter


def set_up_limiter(app: Flask, storage_uri: str, address_of_client: Callable[[], str]) -> Limiter:
    """Return the limiter of the application. Its storage counts quotas too."""
    limiter = Limiter(address_of_client, storage_uri=storage_uri, headers_enabled=False)
    # The hooks that flask-limiter 4 always adds look for limits on every request, which costs a list half as
    # much CPU again and finds none. So they belong to an application that receives no requests. Views of the
    # service with a limit check it themselves.
    limiter.init_app(Flask("limiter"))
    app.extensions["homeward.limiter"] = limiter  # views refer to it weakly
    app.extensions["homeward.quotas"] = limiter.storage
    return limiter
