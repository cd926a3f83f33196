"""Static files, which browsers cache for a year.

The address of each file has a hash of its content.
"""

import hashlib
import mimetypes
import re
from functools import cache
from pathlib import Path

from apiflask import APIFlask
from flask import Request, Response, abort, current_app, request, url_for
from flask_compress import Compress, DictCache
from werkzeug.security import safe_join

COMMENTS = {
    ".css": re.compile(rb"/\*.*?\*/\n?", re.DOTALL),
    ".js": re.compile(rb"^\s*//.*\n", re.MULTILINE),
}
"""The comments that are not sent to browsers: those of stylesheets, and whole lines of scripts."""
YEAR, WEEK = 31_536_000, 604_800

SHEETS = ("tokens", "fonts", "base", "layout", "components", "forms", "photos", "catalogue", "utilities")
STAFF_SHEETS = (
    *("shell", "tables", "dialogs", "progress"),
    *("workbench", "settings", "account", "inbox", "imports"),
)
"""Stylesheets of staff pages: first the sheets that every staff page uses, then the sheets of some pages."""
PUBLIC_SCRIPTS = ("swaps", "sending", "photos", "repeats")
BUNDLES = {
    "css/site.css": tuple(f"css/{sheet}.css" for sheet in SHEETS),
    "js/public.js": tuple(f"js/{script}.js" for script in PUBLIC_SCRIPTS),
    "css/staff.css": tuple(f"css/{sheet}.css" for sheet in STAFF_SHEETS),
}
"""The files of each bundle. A bundle is sent as one file, which is a third smaller than the single files."""

files = Compress()
mimetypes.add_type("font/woff2", ".woff2")


def serve_assets(app: APIFlask) -> None:
    app.extensions["homeward.assets"] = {}
    app.jinja_env.globals["asset"] = asset
    app.view_functions["static"] = send_asset
    files.init_app(app)
    files.enabled_algorithms = ("br", "gzip")
    files.cache, files.cache_key = DictCache(), cache_key


def asset(name: str) -> str:
    """Return the address of a file in ``static``. The address changes with the file's content."""
    addresses: dict[str, str] = {} if current_app.debug else current_app.extensions["homeward.assets"]
    if name not in addresses:
        addresses[name] = url_for("static", filename=name, v=asset_fingerprint(name))
    return addresses[name]


def send_asset(filename: str) -> Response:
    """Return a file, or 304 if the browser already has it.

    Text is compressed if the browser accepts compression.
    """
    try:
        body, fingerprint = read_files(source_files(filename)), asset_fingerprint(filename)
    except (OSError, ValueError):
        abort(404)
    response = Response(body, mimetype=mimetypes.guess_type(filename)[0] or "application/octet-stream")
    response.headers["X-Content-Type-Options"] = "nosniff"
    response.headers["Cache-Control"] = "no-cache"
    if request.args.get("v") == fingerprint:
        response.headers["Cache-Control"] = f"public, max-age={YEAR}, immutable"
    elif filename.startswith("fonts/"):
        # Stylesheets name font files without a hash. A changed font needs a new name.
        response.headers["Cache-Control"] = f"public, max-age={WEEK}"
    response.set_etag(fingerprint)
    compressed = files.after_request(response)
    compressed.make_conditional(request)
    return compressed


def cache_key(asset_request: Request) -> str:
    """Return the cache key of a compressed file. The cache has a copy for each encoding."""
    return asset_fingerprint(asset_request.view_args["filename"] if asset_request.view_args else "")


def asset_fingerprint(name: str) -> str:
    paths = source_files(name)
    return digest(paths, tuple(path.stat().st_mtime_ns for path in paths))


def source_files(name: str) -> tuple[Path, ...]:
    """Return the files of a bundle, or the single file with this name, in ``static``.

    Raises OSError if a file is missing, or ValueError if the name cannot be a path.
    """
    joined = [safe_join(str(current_app.static_folder), part) for part in BUNDLES.get(name, (name,))]
    paths = tuple(Path(path) for path in joined if path)
    if not paths or not all(path.is_file() for path in paths):
        raise FileNotFoundError(name)
    return paths


def read_files(paths: tuple[Path, ...]) -> bytes:
    """Return the joined content of the files, without comments."""
    return b"".join(
        COMMENTS[path.suffix].sub(b"", path.read_bytes()) if path.suffix in COMMENTS else path.read_bytes()
        for path in paths
    )


@cache
def digest(paths: tuple[Path, ...], _changed: tuple[int, ...]) -> str:
    return hashlib.sha256(read_files(paths)).hexdigest()[:12]
