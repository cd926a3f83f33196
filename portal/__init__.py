"""The door for people: pages in Jinja."""

from apiflask import APIFlask
from flask import Blueprint

from portal import assets
from portal.headers import dress

people = Blueprint("portal", __name__)
# APIFlask looks for this on every blueprint when it writes the specification.
people.enable_openapi = False  # type: ignore[attr-defined]
people.after_request(dress)


def open_door(app: APIFlask) -> None:
    from portal import catalogue, health  # noqa: F401 - each hangs its routes on the blueprint

    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    assets.serve(app)
    app.register_blueprint(people)
