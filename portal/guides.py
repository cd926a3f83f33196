"""Text pages for visitors: how adoption works, help, privacy, accessibility."""

from flask import Response, current_app, make_response, render_template

from portal import portal_blueprint
from portal.responses import with_etag


@portal_blueprint.get("/how-adoption-works")
def how_adoption_works() -> Response:
    return guide("how_adoption_works")


@portal_blueprint.get("/help")
def help() -> Response:  # noqa: A001 - the name of the endpoint
    return guide("help")


@portal_blueprint.get("/privacy")
def privacy() -> Response:
    return guide("privacy")


@portal_blueprint.get("/accessibility")
def accessibility() -> Response:
    return guide("accessibility")


def guide(name: str) -> Response:
    settings = current_app.config["HOMEWARD"]
    page = render_template(
        f"guides/{name}.html",
        keep_days=settings.keep_applications_days,
        operator_email=settings.operator_email,
    )
    return with_etag(make_response(page))
