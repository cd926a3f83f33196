"""Icons and the web app manifest at the fixed addresses that browsers request."""

from pathlib import Path

from flask import Response, current_app, jsonify

from portal import portal_blueprint
from portal.assets import asset
from portal.responses import with_etag
from portal.sites.hosts import current_site

DAY = 86_400


@portal_blueprint.get("/favicon.ico")
def favicon() -> Response:
    return icon("favicon.ico", "image/x-icon")


@portal_blueprint.get("/apple-touch-icon.png")
def touch_icon() -> Response:
    return icon("apple-touch-icon.png", "image/png")


@portal_blueprint.get("/site.webmanifest")
def manifest() -> Response:
    """Return the web app manifest (W3C), for "add to home screen"."""
    site = current_site()
    name = site.name if site else "Homeward"
    response = jsonify(
        name=name,
        short_name=name,
        start_url="/",
        display="minimal-ui",
        background_color="#f6f8f3",
        theme_color="#f6f8f3",
        icons=[
            {"src": asset(f"brand/icon-{size}.png"), "sizes": f"{size}x{size}", "type": "image/png"}
            for size in (192, 512)
        ],
    )
    response.mimetype = "application/manifest+json"
    return with_etag(response)


def icon(name: str, kind: str) -> Response:
    content = Path(str(current_app.static_folder), "brand", name).read_bytes()
    response = Response(content, content_type=kind)
    response.headers["Cache-Control"] = f"public, max-age={DAY}"
    return with_etag(response)
