"""Stylesheets, fonts and pictures: kept by browsers for a year under an address that names their content."""

import hashlib
from functools import cache
from pathlib import Path

from apiflask import APIFlask
from flask import Response, current_app, request, url_for

YEAR, WEEK = 31_536_000, 604_800


def serve(app: APIFlask) -> None:
    app.extensions["homeward.assets"] = {}
    app.jinja_env.globals["asset"] = asset
    app.after_request(keep)


def asset(name: str) -> str:
    """The address of a file in ``static``, which changes when its content does."""
    known: dict[str, str] = {} if current_app.debug else current_app.extensions["homeward.assets"]
    if name not in known:
        known[name] = url_for("static", filename=name, v=fingerprint(name))
    return known[name]


def fingerprint(name: str) -> str:
    path = Path(str(current_app.static_folder)) / name
    return digest(path, path.stat().st_mtime_ns)


@cache
def digest(path: Path, _changed: int) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()[:12]


def keep(response: Response) -> Response:
    if request.endpoint == "static" and response.status_code in (200, 206, 304):
        response.headers["X-Content-Type-Options"] = "nosniff"
        name = request.view_args["filename"] if request.view_args else ""
        if request.args.get("v") == fingerprint(name):
            response.headers["Cache-Control"] = f"public, max-age={YEAR}, immutable"
        elif name.startswith("fonts/"):
            # Stylesheets name them without a fingerprint; a changed font comes under another name.
            response.headers["Cache-Control"] = f"public, max-age={WEEK}"
    return response
