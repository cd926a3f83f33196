"""The page of an animal. If the animal is gone, the page shows other animals of the same species."""

import hashlib
import re
import time
from collections.abc import Iterable
from datetime import date
from typing import Any, NamedTuple
from urllib.parse import quote

from flask import Response, make_response, redirect, render_template, request, url_for
from markupsafe import Markup

from adoption.animals.allowed_values import ID_LARGEST
from adoption.animals.catalogue import CatalogueFilters
from adoption.animals.catalogue_cards import Listing
from adoption.animals.catalogue_orders import newest
from adoption.animals.page_paths import animal_path
from adoption.animals.public_profiles import Profile, profile_of
from adoption.animals.similar_animals import similar_to
from adoption.animals.tags import tags_of
from adoption.errors import Gone, NotFound
from adoption.markdown import first_words
from adoption.places.nearby_projects import metres_to_project
from adoption.projects.introductions import load_introduction
from adoption.projects.published_sites import Site
from adoption.text_joining import join_names
from adoption.translations import cached_by_language, gettext
from portal import dates, htmx, portal_blueprint
from portal.animal_labels import SPECIES_BY_ID, STATUSES
from portal.animals import facts
from portal.animals.application_form import ApplicationForm, application_form
from portal.animals.application_form_seal import new_seal
from portal.animals.cards import render_card
from portal.animals.social_meta import social_photo_alt, social_preview
from portal.markdown import html_of_markdown
from portal.nearness import NEAR_LONGEST, distance_in_words, place_or_error
from portal.phone_links import tel_number
from portal.sites.hosts import canonical_origin, current_site, origin

SIMILAR = 4
"""The number of cards of similar animals: one row on a wide screen."""
ABOUT_LONGEST = 240
NAME_IN_SENTENCES = 40
"""The most characters of a name that fit into headings and buttons."""
PAGES_KEPT = 60

ADDRESS = re.compile(r"([0-9]{1,19})(-.*)?", re.ASCII | re.DOTALL)


@portal_blueprint.get("/animals/<address>")
def animal(address: str) -> Response:
    try:
        profile = find_shown_animal(address)
    except Gone as refusal:
        return render_gone(refusal)
    path = animal_path(profile.id, profile.name)
    if request.path != path:
        query = quote(request.query_string, safe="%&=+?/:;,@!$'()*~-._")
        return make_response(redirect(f"{path}?{query}" if query else path, 301))
    return render_profile(profile)


def find_shown_animal(address: str) -> Profile:
    """Return the animal whose id is at the start of the address.

    Raises Gone if the animal is no longer listed, and NotFound if visitors cannot see the animal for another
    reason.
    """
    found = ADDRESS.fullmatch(address)
    if not found or int(found[1]) > ID_LARGEST:
        raise NotFound(gettext("There is no such animal here."))
    return profile_of(int(found[1]), project_of_site())


def project_of_site() -> int | None:
    site = current_site()
    return site.project_id if site else None


def render_profile(profile: Profile, form: ApplicationForm | None = None, status: int = 200) -> Response:
    """Return an animal's page. The form on the page is blank, or was sent with errors."""
    seen = shown_profile(profile)
    if form is not None:
        return htmx.vary_by_htmx(make_response(render_whole_profile(seen, form), status))
    text, tag = blank_page(seen)
    response = htmx.vary_by_htmx(make_response(add_seal(text, profile.id) if profile.is_open else text))
    response.set_etag(tag, weak=True)
    if profile.is_open:
        response.headers["Cache-Control"] = "private, no-cache"
    response.make_conditional(request)
    return response


class ShownProfile(NamedTuple):
    """Everything that the page shows except the form."""

    animal: Profile
    similar: tuple[Listing, ...]
    photo: int
    """Index of the large photo."""
    site: Site | None
    today: date
    root: str
    """Origin of this page, such as ``https://homeward.example/``."""
    canonical: str = ""
    """Origin of the animal's canonical address."""
    away: str = ""
    """The distance from the place in the address, such as "about 12 miles away"."""


def shown_profile(profile: Profile) -> ShownProfile:
    today = dates.current_date(profile.shelter.time_zone)
    canonical = canonical_origin(profile.shelter.slug)
    similar = similar_to(profile, SIMILAR, project_of_site(), today)
    return ShownProfile(
        profile,
        tuple(similar),
        chosen_photo(profile),
        current_site(),
        today,
        f"{origin()}/",
        canonical,
        distance_of(profile.project_id),
    )


def distance_of(project_id: int) -> str:
    """Return how far the shelter is from the place in the address; empty if a place is unknown."""
    place, _ = place_or_error(request.args.get("near", "")[:NEAR_LONGEST])
    metres = metres_to_project(place.lat, place.lng, project_id) if place else None
    within = request.args.get("within", "").casefold()
    return "" if metres is None else distance_in_words(metres, within)


class UnsealedForm(ApplicationForm):
    """A blank form for the cached page. ``add_seal`` adds a new seal for each visitor."""

    seal = "not-sealed-yet"


def add_seal(text: str, animal_id: int) -> str:
    seal = new_seal(animal_id, time.time()).sealed()
    return text.replace(f'value="{UnsealedForm.seal}"', f'value="{seal}"')


# The key is everything that the page shows, so a cached page is never out of date.
@cached_by_language(PAGES_KEPT)
def blank_page(seen: ShownProfile) -> tuple[str, str]:
    """Return the page with an unsealed form, and its ETag."""
    text = render_whole_profile(seen, application_form(seen.animal, kind=UnsealedForm))
    # The ETag changes daily, so that browsers do not keep a form that has expired.
    return text, hashlib.sha256(f"{seen.today} {text}".encode()).hexdigest()[:32]


def render_whole_profile(seen: ShownProfile, form: ApplicationForm) -> str:
    shown_large = gallery_values(seen.animal, seen.photo)
    return render_template("animals/show.html", **shown_large, **profile_values(seen), form=form)


def gallery_values(profile: Profile, large: int) -> dict[str, Any]:
    return {
        "animal": profile,
        "address": animal_path(profile.id, profile.name),
        "species": SPECIES_BY_ID[profile.category_id],
        "alts": [social_photo_alt(profile, photo) for photo in profile.photos],
        "chosen": large,
    }


def chosen_photo(profile: Profile) -> int:
    """Return the index of the photo that the address asks for, such as 1 for ``?photo=2``; otherwise 0."""
    text = request.args.get("photo", "")
    number = int(text) if re.fullmatch("[0-9]{1,3}", text, re.ASCII) else 1
    return number - 1 if 1 <= number <= len(profile.photos) else 0


def profile_values(seen: ShownProfile) -> dict[str, Any]:
    """Return the texts of the page, without its gallery."""
    profile, today = seen.animal, seen.today
    shelter, species = profile.shelter, SPECIES_BY_ID[profile.category_id]
    they = (
        profile.name
        if len(profile.name) <= NAME_IN_SENTENCES
        else gettext("this %(animal)s", animal=species.one)
    )
    open_mates = [mate.name for mate in profile.mates if mate.status != "sold"]
    return {
        "preview": social_preview(profile),
        "they": they,
        "badge": STATUSES[profile.status],
        "called": facts.name_of_kind(profile, today),
        "waiting": facts.animal_waiting_time(profile, today),
        "facts": facts.fact_table(profile, today),
        "company": facts.companions_of(profile),
        "together": join_names([they, *open_mates]),
        "mates": join_names([mate.name for mate in profile.mates]) if profile.mates else "",
        "mate_cards": similar_cards(profile.mates, today),
        "needs": html_of_markdown(profile.special_needs_note, profile.needs_html),
        "tags": tags_of(profile.tags),
        "story": html_of_markdown(profile.description, profile.description_html),
        "away": seen.away,
        "about": first_words(shelter.about, ABOUT_LONGEST, load_introduction(shelter.project_id).beginning),
        "dialled": tel_number(shelter.contact_phone),
        "of_shelter": url_for("portal.catalogue", shelter=None if seen.site else shelter.slug),
        "share_title": gettext("Meet %(name)s", name=profile.name),
        "all_of_them": url_for("portal.catalogue", species=species.slug),
        "similar": similar_cards(seen.similar, today),
        "similar_title": gettext("Other %(animals)s who are waiting", animals=species.plural),
    }


def similar_cards(animals: Iterable[Listing], today: date) -> list[Markup]:
    return [render_card(animal, today) for animal in animals]


def render_gone(refusal: Gone) -> Response:
    """Return the page of an animal that is gone, with other animals of its species."""
    today = dates.current_date()
    category = refusal.category_id
    filters = CatalogueFilters(project_id=project_of_site(), category_id=category, statuses=("available",))
    species = SPECIES_BY_ID[category] if category else None
    plural = species.plural if species else gettext("animals")
    page = render_template(
        "animals/gone.html",
        species=species,
        all_of_them=url_for("portal.catalogue", species=species.slug if species else None),
        similar=similar_cards(newest(filters, None, SIMILAR, today), today),
        similar_title=gettext("%(animals)s who are waiting", animals=plural.capitalize()),
    )
    return htmx.vary_by_htmx(make_response(page, 410))
