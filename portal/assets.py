"""Stylesheets, fonts and pictures: kept by browsers for a year under an address that names their content."""

import hashlib
import mimetypes
import re
from functools import cache
from pathlib import Path

from apiflask import APIFlask
from flask import Request, Response, abort, current_app, request, url_for
from flask_compress import Compress, DictCache
from werkzeug.security import safe_join

COMMENT = re.compile(rb"/\*.*?\*/\n?", re.DOTALL)
YEAR, WEEK = 31_536_000, 604_800

SHEETS = ("tokens", "fonts", "base", "layout", "components", "forms", "photos", "catalogue", "utilities")
STAFF_SHEETS = (
    *("shell", "tables", "dialogs", "progress"),
    *("workbench", "settings", "account", "inbox", "imports"),
)
"""The shell and what every room may use, then the rooms."""
PUBLIC_SCRIPTS = ("swaps", "sending", "photos", "repeats")
TOGETHER = {
    "css/site.css": tuple(f"css/{sheet}.css" for sheet in SHEETS),
    "js/public.js": tuple(f"js/{script}.js" for script in PUBLIC_SCRIPTS),
    "css/staff.css": tuple(f"css/{sheet}.css" for sheet in STAFF_SHEETS),
}
"""Files that every page needs, or every one of the staff's, sent as one: apart they weigh half more."""

files = Compress()
mimetypes.add_type("font/woff2", ".woff2")


def serve(app: APIFlask) -> None:
    app.extensions["homeward.assets"] = {}
    app.jinja_env.globals["asset"] = asset
    app.view_functions["static"] = send_asset
    files.init_app(app)
    files.enabled_algorithms = ("br", "gzip")
    files.cache, files.cache_key = DictCache(), content


def asset(name: str) -> str:
    """The address of a file in ``static``, which changes when its content does."""
    known: dict[str, str] = {} if current_app.debug else current_app.extensions["homeward.assets"]
    if name not in known:
        known[name] = url_for("static", filename=name, v=asset_fingerprint(name))
    return known[name]


def send_asset(filename: str) -> Response:
    """The file, packed where it is text and the browser reads that; 304 where the browser has it."""
    try:
        body, mark = read_files(source_files(filename)), asset_fingerprint(filename)
    except (OSError, ValueError):
        abort(404)
    response = Response(body, mimetype=mimetypes.guess_type(filename)[0] or "application/octet-stream")
    response.headers["X-Content-Type-Options"] = "nosniff"
    response.headers["Cache-Control"] = "no-cache"
    if request.args.get("v") == mark:
        response.headers["Cache-Control"] = f"public, max-age={YEAR}, immutable"
    elif filename.startswith("fonts/"):
        # Stylesheets name them without a fingerprint; a changed font comes under another name.
        response.headers["Cache-Control"] = f"public, max-age={WEEK}"
    response.set_etag(mark)
    packed = files.after_request(response)
    packed.make_conditional(request)
    return packed


def content(asked: Request) -> str:
    """What a packed file is kept by: there are as many as there are files, once an encoding."""
    return asset_fingerprint(asked.view_args["filename"] if asked.view_args else "")


def asset_fingerprint(name: str) -> str:
    paths = source_files(name)
    return digest(paths, tuple(path.stat().st_mtime_ns for path in paths))


def source_files(name: str) -> tuple[Path, ...]:
    """The files in ``static`` that go by this name. Raises OSError or ValueError where there are none."""
    joined = [safe_join(str(current_app.static_folder), part) for part in TOGETHER.get(name, (name,))]
    paths = tuple(Path(path) for path in joined if path)
    if not paths or not all(path.is_file() for path in paths):
        raise FileNotFoundError(name)
    return paths


def read_files(paths: tuple[Path, ...]) -> bytes:
    """Return the files as one, style sheets without their comments."""
    texts = [(path, path.read_bytes()) for path in paths]
    return b"".join(COMMENT.sub(b"", text) if path.suffix == ".css" else text for path, text in texts)


@cache
def digest(paths: tuple[Path, ...], _changed: tuple[int, ...]) -> str:
    return hashlib.sha256(read_files(paths)).hexdigest()[:12]
