"""The service's one flask-limiter."""

from collections.abc import Callable

from flask import Flask
from flask_limiter import Limiter


def set_up_limiter(app: Flask, storage_uri: str, address_of_client: Callable[[], str]) -> Limiter:
    """Return the limiter of the application. Its storage counts quotas too."""
    limiter = Limiter(address_of_client, storage_uri=storage_uri, headers_enabled=False)
    # Release 4 has no auto_check=False: the limiter looks for limits before and after each request of its
    # application. A list of animals has none, and would take 1.6 times as much CPU (1.4 with a
    # request_identifier that leaves it out). So the limiter gets an application without requests.
    # Views with @limiter.limit are still checked, by their decorator. deduct_when and headers_enabled
    # would have no effect.
    limiter.init_app(Flask("limiter"))
    app.extensions["homeward.limiter"] = limiter  # views refer to it weakly
    app.extensions["homeward.quotas"] = limiter.storage
    return limiter
