"""An animal's page, which outlives its listing: a link to one always leads to somebody who waits."""

import hashlib
import re
import time
from collections.abc import Iterable
from datetime import date
from functools import lru_cache
from typing import Any, NamedTuple
from urllib.parse import quote

from flask import Response, make_response, redirect, render_template, request, url_for
from markupsafe import Markup

from adoption.animals.catalogue import ID_LARGEST, CatalogueFilters, newest
from adoption.animals.listings import Listing
from adoption.animals.profiles import Profile, profile_of, similar_to
from adoption.errors import Gone, NotFound
from adoption.projects.introductions import load_introduction
from adoption.projects.queries import Site
from adoption.text_joining import listed
from portal import dates, htmx, people
from portal.animals import facts
from portal.animals.application_form import ApplicationForm, application_form, fresh_seal
from portal.animals.cards import animal_path, card
from portal.animals.social_meta import social_photo_alt, social_preview
from portal.labels import SPECIES_BY_ID, STATUSES, dialled
from portal.markdown import first_words, html_of_markdown
from portal.sites.hosts import canonical_origin, current_site, origin

SIMILAR = 4
"""Cards of similar animals: one row of them on a wide screen."""
ABOUT_LONGEST = 240
NAME_IN_SENTENCES = 40
"""Letters of a name that headings and buttons still have room for."""
PAGES_KEPT = 60

ADDRESS = re.compile(r"([0-9]{1,19})(-.*)?", re.ASCII | re.DOTALL)


@people.get("/animals/<address>")
def animal(address: str) -> Response:
    try:
        profile = find_shown_animal(address)
    except Gone as refusal:
        return gone(refusal)
    right = animal_path(profile.id, profile.name)
    if request.path != right:
        query = quote(request.query_string, safe="%&=+?/:;,@!$'()*~-._")
        return make_response(redirect(f"{right}?{query}" if query else right, 301))
    return render_profile(profile)


def find_shown_animal(address: str) -> Profile:
    """The animal that an address begins with the id of. Raises NotFound and Gone."""
    found = ADDRESS.fullmatch(address)
    if not found or int(found[1]) > ID_LARGEST:
        raise NotFound("There is no such animal here.")
    return profile_of(int(found[1]), project_of_site())


def project_of_site() -> int | None:
    site = current_site()
    return site.project_id if site else None


def render_profile(profile: Profile, form: ApplicationForm | None = None, status: int = 200) -> Response:
    """Return an animal's page.

    ``form`` is one that was sent and needs a second look; without it a blank one stands there.
    """
    seen = seen_now(profile)
    if form is not None:
        return htmx.varied(make_response(render_whole_profile(seen, form), status))
    text, tag = blank_page(seen)
    response = htmx.varied(make_response(sealed(text, profile.id) if profile.is_open else text))
    response.set_etag(tag, weak=True)
    if profile.is_open:
        response.headers["Cache-Control"] = "private, no-cache"
    response.make_conditional(request)
    return response


class Seen(NamedTuple):
    """All that a page shows, and nothing else."""

    animal: Profile
    similar: tuple[Listing, ...]
    chosen: int
    site: Site | None
    today: date
    root: str
    """Where the page stands, such as ``https://homeward.example/``."""
    canonical: str = ""
    """Where the animal's one address is."""


def seen_now(profile: Profile) -> Seen:
    today = dates.current_date(profile.shelter.time_zone)
    canonical = canonical_origin(profile.shelter.slug)
    similar = similar_to(profile, SIMILAR, project_of_site(), today)
    return Seen(profile, tuple(similar), chosen(profile), current_site(), today, f"{origin()}/", canonical)


class Blank(ApplicationForm):
    """A form that is nobody's yet: each visitor's copy gets a seal of its own."""

    seal = "of-nobody-yet"


def sealed(text: str, animal_id: int) -> str:
    """A page with its blank form made one visitor's."""
    seal = fresh_seal(animal_id, time.time()).sealed()
    return text.replace(f'value="{Blank.seal}"', f'value="{seal}"')


# Kept by all that is shown on it, so that what is kept can never be out of date.
@lru_cache(maxsize=PAGES_KEPT)
def blank_page(seen: Seen) -> tuple[str, str]:
    """The page, and a tag that changes when it does."""
    text = render_whole_profile(seen, application_form(seen.animal, kind=Blank))
    # The day counts too: whoever has the page keeps its form with it, which must not grow too old to be sent.
    return text, hashlib.sha256(f"{seen.today} {text}".encode()).hexdigest()[:32]


def render_whole_profile(seen: Seen, form: ApplicationForm) -> str:
    shown_large = gallery(seen.animal, seen.chosen)
    return render_template("animals/show.html", **shown_large, **profile_words(seen), form=form)


def gallery(profile: Profile, large: int) -> dict[str, Any]:
    return {
        "animal": profile,
        "address": animal_path(profile.id, profile.name),
        "species": SPECIES_BY_ID[profile.category_id],
        "alts": [social_photo_alt(profile, photo) for photo in profile.photos],
        "chosen": large,
    }


def chosen(profile: Profile) -> int:
    """Which photo the address asks to see large, from 0; the first where it asks for none that there is."""
    asked = request.args.get("photo", "")
    number = int(asked) if re.fullmatch("[0-9]{1,3}", asked, re.ASCII) else 1
    return number - 1 if 1 <= number <= len(profile.photos) else 0


def profile_words(seen: Seen) -> dict[str, Any]:
    """Everything on the page beside its gallery, in words."""
    profile, today = seen.animal, seen.today
    shelter, species = profile.shelter, SPECIES_BY_ID[profile.category_id]
    they = profile.name if len(profile.name) <= NAME_IN_SENTENCES else f"this {species.one}"
    open_mates = [mate.name for mate in profile.mates if mate.status != "sold"]
    return {
        "preview": social_preview(profile),
        "they": they,
        "badge": STATUSES[profile.status],
        "called": facts.called(profile, today),
        "waiting": facts.waiting_time(profile, today),
        "facts": facts.fact_table(profile, today),
        "company": facts.company_of(profile),
        "together": listed([they, *open_mates]),
        "mates": listed([mate.name for mate in profile.mates]) if profile.mates else "",
        "mate_cards": similar_cards(profile.mates, today),
        "needs": html_of_markdown(profile.special_needs_note, profile.needs_html),
        "story": html_of_markdown(profile.description, profile.description_html),
        "about": first_words(shelter.about, ABOUT_LONGEST, load_introduction(shelter.project_id).beginning),
        "dialled": dialled(shelter.contact_phone),
        "of_shelter": url_for("portal.catalogue", shelter=None if seen.site else shelter.slug),
        "share_title": f"Meet {profile.name}",
        "all_of_them": url_for("portal.catalogue", species=species.slug),
        "similar": similar_cards(seen.similar, today),
        "similar_title": f"Other {species.plural} who are waiting",
    }


def similar_cards(animals: Iterable[Listing], today: date) -> list[Markup]:
    return [card(each, today) for each in animals]


def gone(refusal: Gone) -> Response:
    """The page that stands where an animal's was, with others of its species."""
    today = dates.current_date()
    category = refusal.category_id
    wanted = CatalogueFilters(project_id=project_of_site(), category_id=category, statuses=("available",))
    species = SPECIES_BY_ID[category] if category else None
    plural = species.plural if species else "animals"
    page = render_template(
        "animals/gone.html",
        species=species,
        all_of_them=url_for("portal.catalogue", species=species.slug if species else None),
        similar=similar_cards(newest(wanted, None, SIMILAR, today), today),
        similar_title=f"{plural.capitalize()} who are waiting",
    )
    return htmx.varied(make_response(page, 410))
