"""Addresses of the platform: URLs of its pages and of shelters' sites, and the operator's email address."""

from urllib.parse import urlsplit

from flask import current_app

from adoption.settings import Settings


def operator_email() -> str:
    email: str = current_app.config["HOMEWARD"].operator_email
    return email


def platform_link(path: str) -> str:
    """Return the URL of a page on the platform's host, even if a different host was requested."""
    root: str = current_app.config["HOMEWARD"].platform_url
    return root + path


def site_address(slug: str, primary: str = "") -> str:
    """Return the address of a project's site: at its ``primary`` domain, or below the platform's host."""
    settings: Settings = current_app.config["HOMEWARD"]
    platform = urlsplit(settings.platform_url)
    port = f":{platform.port}" if platform.port else ""
    return (
        f"{platform.scheme}://{primary}{port}/"
        if primary
        else f"{platform.scheme}://{slug}.{platform.netloc}/"
    )
