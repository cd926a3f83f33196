"""Addresses of the platform: URLs of its pages, and the operator's email address."""

from flask import current_app


def operator_email() -> str:
    email: str = current_app.config["HOMEWARD"].operator_email
    return email


def platform_link(path: str) -> str:
    """Return the URL of a page on the platform's host, even if a different host was requested."""
    root: str = current_app.config["HOMEWARD"].platform_url
    return root + path
