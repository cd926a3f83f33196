"""The application and its requests, as Flask has them, with less asked on each request.

Flask looks for the request anew at each step, and asks whether each function is a coroutine: for the API that
takes as long as a request's key, its quota and its page in the database together.
"""

import re
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from apiflask import APIFlask
from flask import Request, Response, request
from flask.ctx import _AppCtxGlobals
from flask.globals import request_ctx
from flask.signals import request_tearing_down
from flask.typing import ResponseReturnValue
from htmx_flask.requests import HtmxAwareRequest
from werkzeug.exceptions import BadHost
from werkzeug.routing import Map, MapAdapter
from werkzeug.sansio.utils import get_host

from api.bodies import StrictRequest

HOST_LONGEST = 255
"""Characters of a host with its port: a name in DNS has 253 (RFC 1035, 2.3.4)."""
NO_HOST = "/"
"""Stands for a host that cannot be one, and is rejected like any other of its kind."""
NAMES = Map()
"""Knows no addresses: it only writes hosts as those are matched."""


class Known(_AppCtxGlobals):
    """``g``: a plain object. Flask's sets each attribute by a function of its own."""

    __setattr__ = object.__setattr__  # type: ignore[assignment]


class Service(APIFlask):
    """An application that does what Flask's does, and asks less on the way."""

    app_ctx_globals_class = Known

    def ensure_sync(self, func: Callable[..., Any]) -> Callable[..., Any]:
        """No view or hook here is a coroutine; Flask would ask each of them again on each request."""
        return func

    def preprocess_request(self) -> ResponseReturnValue | None:
        asked: Request = request._get_current_object()  # type: ignore[attr-defined]
        names = (None, *reversed(asked.blueprints))
        for name in names:
            for preprocess in self.url_value_preprocessors.get(name, ()):
                preprocess(asked.endpoint, asked.view_args)
        for name in names:
            for before in self.before_request_funcs.get(name, ()):
                answer = before()
                if answer is not None:
                    return answer  # type: ignore[return-value]  # none is a coroutine
        return None

    def process_response(self, response: Response) -> Response:
        context: Any = request_ctx._get_current_object()  # type: ignore[attr-defined]
        for after in context._after_request_functions:
            response = after(response)
        for name in (*context.request.blueprints, None):
            afterwards: list[Callable[[Response], Any]] = self.after_request_funcs.get(name, [])
            for after in reversed(afterwards):
                response = after(response)
        if not self.session_interface.is_null_session(context._session):
            self.session_interface.save_session(self, context._session, response)
        return response

    def make_default_options_response(self) -> Response:
        """Return a response to OPTIONS without a body, and so without a type."""
        response: Response = super().make_default_options_response()
        response.status_code = 204
        del response.headers["Content-Type"]
        return response

    def do_teardown_request(self, *error: Any) -> None:
        if any(self.teardown_request_funcs.values()) or request_tearing_down.receivers:
            super().do_teardown_request(*error)

    def create_url_adapter(self, request: Request | None) -> MapAdapter | None:
        """As Flask's, and for a ``Host`` that can be none as well: its error page has addresses too."""
        if request is None:
            return super().create_url_adapter(request)
        given = request.environ.get("HTTP_HOST")
        if given and len(given) > HOST_LONGEST:
            given = request.environ["HTTP_HOST"] = NO_HOST  # so that no cache keeps it
        try:
            host, name = host_and_name(request.scheme, given, request.server)
            request.host = host
        except BadHost:
            _, name = host_and_name(request.scheme, "", request.server)
        return MapAdapter(
            self.url_map,
            name,
            request.root_path,
            "",
            request.scheme,
            request.path,
            request.method,
            request.query_string.decode(errors="replace"),
        )


PLAIN_HOST = re.compile(r"(?:[a-z0-9-]{1,63}\.)*[a-z0-9-]{1,63}")
"""A host whose name Werkzeug would return unchanged, as nearly all are."""


def host_and_name(scheme: str, given: str | None, server: tuple[str, int | None] | None) -> tuple[str, str]:
    """Return the host of a request, and how URLs are matched and built with it. Raises BadHost."""
    # Not cached: with thousands of hosts, misses cost more than this check.
    if given and PLAIN_HOST.fullmatch(given):
        return given, given
    return checked_host(scheme, given, server)


@lru_cache(1_000)
def checked_host(scheme: str, given: str | None, server: tuple[str, int | None] | None) -> tuple[str, str]:
    host = get_host(scheme, given, server)
    return host, NAMES.bind(host).server_name


class ServiceRequest(StrictRequest, HtmxAwareRequest):  # type: ignore[misc]  # the latter bears no types
    """What each door adds to a request."""
