"""A poster of an animal to print and hang up, with a QR code that leads to the animal's page."""

from urllib.parse import urlsplit

import segno
from flask import Response, make_response, redirect, render_template, request
from markupsafe import Markup

from adoption.animals.page_paths import animal_path
from adoption.animals.public_profiles import Profile
from adoption.errors import Gone
from adoption.translations import gettext, message
from portal import dates, portal_blueprint
from portal.animal_labels import SPECIES_BY_ID
from portal.animals import facts
from portal.animals.animal_page import find_shown_animal, render_gone
from portal.animals.social_meta import social_photo_alt
from portal.sites.hosts import canonical_origin

QUIET_ZONE = 4
"""Width of the white margin around a QR code, in modules (ISO/IEC 18004)."""
ON_POSTER = (
    *(message("Age"), message("Sex"), message("Size")),
    *(message("House trained"), message("Adoption fee")),
)
"""The most important facts for readers of a notice board."""
LONG_NAME = 18
"""The length in characters from which a name is printed smaller."""


@portal_blueprint.get("/animals/<address>/poster")
def poster(address: str) -> Response:
    try:
        profile = find_shown_animal(address)
    except Gone as refusal:
        return render_gone(refusal)
    path = poster_path(profile)
    if request.path != path:
        return make_response(redirect(path, 301))
    response = make_response(render_poster(profile))
    response.headers["X-Robots-Tag"] = "noindex"
    return response


def poster_path(profile: Profile) -> str:
    return f"{animal_path(profile.id, profile.name)}/poster"


def render_poster(profile: Profile) -> str:
    today = dates.current_date(profile.shelter.time_zone)
    labels = {gettext(label) for label in ON_POSTER}
    root = canonical_origin(profile.shelter.slug)
    return render_template(
        "animals/poster.html",
        animal=profile,
        address=animal_path(profile.id, profile.name),
        species=SPECIES_BY_ID[profile.category_id],
        alt=social_photo_alt(profile, profile.photos[0]) if profile.photos else "",
        called=facts.name_of_kind(profile, today),
        facts=[fact for fact in facts.fact_table(profile, today) if fact.label in labels],
        company=[company for company in facts.companions_of(profile) if company.answer != "unknown"],
        is_long=len(profile.name) > LONG_NAME,
        short_address=f"{urlsplit(root).netloc}/animals/{profile.id}",
        qr_code=qr_code(root + animal_path(profile.id, profile.name)),
    )


def qr_code(address: str) -> Markup:
    """Return the QR code of an address, as SVG that fills its box."""
    code = segno.make_qr(address, error="m")
    drawing = code.svg_inline(omitsize=True, border=QUIET_ZONE, light="#fff")
    return Markup(drawing)  # noqa: S704 - an SVG without text
