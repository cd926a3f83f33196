"""The only flask-limiter of the service: its setup and storage."""

from collections.abc import Callable

from flask import Flask
from flask_limiter import Limiter


def set_up_limiter(app: Flask, storage_uri: str, address_of_client: Callable[[], str]) -> Limiter:
    """Return the limiter of the application. Quotas are counted in the limiter's storage too."""
    limiter = Limiter(address_of_client, storage_uri=storage_uri, headers_enabled=False)
    # Release 4 has no auto_check=False: the limiter looks for limits before and after every request of its
    # application. A list of animals has no limits, and would take 1.6 times as much CPU (1.4 times with a
    # request_identifier that skips lists). So the limiter gets an application without requests. The decorator
    # @limiter.limit still checks its views. deduct_when and headers_enabled would have no effect.
    limiter.init_app(Flask("limiter"))
    app.extensions["homeward.limiter"] = limiter  # keeps the limiter alive: views have only weak references
    app.extensions["homeward.quotas"] = limiter.storage
    return limiter
