"""HTML pages, rendered with Jinja."""

from importlib import import_module
from pkgutil import walk_packages
from typing import Any

from apiflask import APIBlueprint, APIFlask
from flask_limiter import Limiter
from htmx_flask import Htmx

from adoption import platform_addresses
from adoption.request_context import current_request
from adoption.translations import set_up_translations
from portal import assets, csrf
from portal.url_converters import Int64
from serving.compression import pack

portal_blueprint = APIBlueprint("portal", __name__, enable_openapi=False)
portal_blueprint.before_request(csrf.refuse_forgery)
portal_blueprint.after_request(pack)


def register_pages(app: APIFlask, limiter: Limiter) -> None:
    """Register the pages, their template globals and the session and CSRF settings."""
    from portal import session_cookies
    from portal.page_rate_limits import limit_pages
    from portal.staff import staff

    # The blueprints must exist before these modules add routes to them.
    for module in walk_packages(__path__, "portal."):
        import_module(module.name)
    Htmx(app)
    app.url_map.converters["int64"] = Int64
    set_up_translations(app)
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    assets.serve_assets(app)
    app.jinja_env.globals |= template_globals(app)
    app.context_processor(lambda: {"site": current_request().site})
    session_cookies.set_up_session_cookies(app)
    csrf.set_up_csrf(app)
    app.register_blueprint(portal_blueprint)
    app.register_blueprint(staff)
    limit_pages(app, limiter)


def template_globals(app: APIFlask) -> dict[str, Any]:
    """Return the functions and values that every template can use."""
    from portal.current_user import signed_in_person
    from portal.flash import notices
    from portal.sign_in.own_projects import projects_of_current_user
    from portal.sites import hosts, introductions, theme

    return {
        "stylesheet_address": theme.stylesheet_address,
        "tokens_address": theme.tokens_address,
        "introduction_of": introductions.introduction_of,
        "notices": notices,
        "own_places": projects_of_current_user,
        "signed_in_person": signed_in_person,
        "site_address": platform_addresses.site_address,
        "address_here": hosts.address_here,
        "platform_url": app.config["HOMEWARD"].platform_url,
    }
