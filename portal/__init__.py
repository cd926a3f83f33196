"""The pages for people, in Jinja."""

from typing import Any

from apiflask import APIFlask
from flask import Blueprint, g
from flask_limiter import Limiter
from htmx_flask import Htmx

from portal import assets, body_limits, csrf, proxies
from portal.headers import dress
from portal.url_converters import Int64
from serving.compression import pack

people = Blueprint("portal", __name__)
# APIFlask looks for this on every blueprint when it writes the specification.
people.enable_openapi = False  # type: ignore[attr-defined]
people.before_app_request(body_limits.limit_request)
people.before_request(csrf.refuse_forgery)
people.after_request(pack)
people.after_app_request(dress)


def register_pages(app: APIFlask, limiter: Limiter) -> None:
    """Add the pages, and what they need of the application."""
    from portal import sites
    from portal.page_limits import limit_pages
    from portal.staff import register_staff_pages

    import_routes()
    Htmx(app)
    app.url_map.converters["int64"] = Int64
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    assets.serve(app)
    app.jinja_env.globals |= template_globals(app)
    app.context_processor(lambda: {"site": g.get("site")})
    app.session_interface = sites.PlatformSessions(app.session_interface)
    if trusted := app.config["HOMEWARD"].trusted_proxies:
        app.wsgi_app = proxies.Forwarded(app.wsgi_app, trusted)  # type: ignore[method-assign]
    csrf.guard(app)
    app.register_blueprint(people)
    register_staff_pages(app)
    limit_pages(app, limiter)


def import_routes() -> None:
    """Import the modules that add their routes to the blueprint, which has to exist before them."""
    from portal import (  # noqa: F401
        account,
        acme_challenge,
        animals,
        applications,
        catalogue,
        draft_previews,
        email_changes,
        embed,
        feeds,
        guides,
        health,
        icons,
        identity,
        invitations,
        passkeys,
        passwords,
        photos,
        posters,
        shelters,
        sign_in,
        sign_up,
        site_intro,
        sitemaps,
        sites,
        theme,
        trailing_slashes,
    )


def template_globals(app: APIFlask) -> dict[str, Any]:
    """Return the functions and values that every template can use."""
    from portal import site_intro, sites, theme
    from portal.access import signed_in_person
    from portal.account_responses import places
    from portal.flash import notices

    return {
        "stylesheet_address": theme.stylesheet_address,
        "tokens_address": theme.tokens_address,
        "introduction_of": site_intro.introduction_of,
        "notices": notices,
        "own_places": places,
        "signed_in_person": signed_in_person,
        "site_address": sites.site_address,
        "address_here": sites.address_here,
        "platform_url": app.config["HOMEWARD"].platform_url,
    }
