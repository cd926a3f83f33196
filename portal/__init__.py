"""The door for people: pages in Jinja."""

from apiflask import APIFlask
from flask import Blueprint, g
from htmx_flask import Htmx

from packing import pack
from portal import assets, forgery, proxies, uploads
from portal.headers import dress
from portal.numbers import Int64

people = Blueprint("portal", __name__)
# APIFlask looks for this on every blueprint when it writes the specification.
people.enable_openapi = False  # type: ignore[attr-defined]
people.before_request(uploads.limit_body)
people.before_request(forgery.refuse)
people.after_request(pack)
people.after_app_request(dress)


def open_door(app: APIFlask) -> None:
    # Each hangs its routes on the blueprint.
    from portal import (  # noqa: F401
        account,
        animals,
        applications,
        catalogue,
        challenges,
        colours,
        draft_previews,
        email_changes,
        embed,
        feeds,
        guides,
        health,
        icons,
        introductions,
        invitations,
        passkeys,
        passwords,
        photos,
        posters,
        shelters,
        signin,
        signup,
        sitemaps,
        sites,
        trailing_slashes,
    )
    from portal.access import signed_in_person
    from portal.door import places
    from portal.draft_keys import draft_key
    from portal.notices import notices
    from portal.staff import with_its_rooms

    Htmx(app)
    app.url_map.converters["int64"] = Int64
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    assets.serve(app)
    app.jinja_env.globals |= {
        "stylesheet_address": colours.stylesheet_address,
        "tokens_address": colours.tokens_address,
        "introduction_of": introductions.introduction_of,
        "notices": notices,
        "own_places": places,
        "draft_key": draft_key,
        "signed_in_person": signed_in_person,
        "site_address": sites.site_address,
        "address_here": sites.address_here,
        "platform_url": app.config["HOMEWARD"].platform_url,
    }
    app.context_processor(lambda: {"site": g.get("site")})
    app.session_interface = sites.PlatformSessions(app.session_interface)
    if trusted := app.config["HOMEWARD"].trusted_proxies:
        app.wsgi_app = proxies.Forwarded(app.wsgi_app, trusted)  # type: ignore[method-assign]
    forgery.guard(app)
    app.register_blueprint(people)
    app.register_blueprint(with_its_rooms())
