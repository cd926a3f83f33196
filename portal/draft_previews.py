"""Previews of an unpublished site or animal, for anyone with the link."""

from typing import Any

from flask import Response, g, render_template, request, url_for
from markupsafe import Markup

from adoption import draft_previews
from adoption.accounts.project_access import find_project_access
from adoption.animals.catalogue_cards import Listing
from adoption.domains.site_lookup import ServedSite
from adoption.draft_previews import ANIMALS_MOST, DraftPreview
from adoption.errors import NotAllowed, NotFound
from adoption.request_context import add_to_context
from adoption.storage.database import reading
from adoption.storage.media_store import the_media_store
from adoption.translations import gettext
from portal import current_user, portal_blueprint
from portal.animals.animal_page import ShownProfile, chosen_photo, gallery_values, profile_values
from portal.animals.cards import animal_card
from portal.animals.photos import NAME, photo_response
from portal.dates import current_date, day_and_time
from portal.responses import private
from portal.sign_in.responses import link_expired_page, render_account_page
from portal.sites.hosts import origin


def open_preview(token: str) -> DraftPreview:
    """Open a link, and use its draft texts and photos on the page.

    Raises NotFound if the link does not work.
    """
    preview = draft_previews.open_link(token)
    add_to_context(served=ServedSite(preview.site, ""))
    g.photo_root = url_for("portal.preview_photo", token=token, name="").rstrip("/")
    return preview


@portal_blueprint.get("/preview/<token>")
def preview(token: str) -> Response:
    try:
        shown = open_preview(token)
        if shown.animal_id is not None:
            return animal_page(token, shown, shown.animal_id)
    except NotFound as refusal:
        return no_longer(refusal)
    found = draft_previews.listings(shown, limit=ANIMALS_MOST)
    return render_account_page(
        "previews/site.html", cards=preview_cards(token, found), most=ANIMALS_MOST, **bar(token, shown)
    )


@portal_blueprint.get("/preview/<token>/animals/<int64:animal_id>")
def preview_animal(token: str, animal_id: int) -> Response:
    try:
        return animal_page(token, open_preview(token), animal_id)
    except NotFound as refusal:
        return no_longer(refusal)


@portal_blueprint.get("/preview/<token>/photos/<name>")
def preview_photo(token: str, name: str) -> Response:
    match = NAME.fullmatch(name)
    is_shown = match and draft_previews.shows_photo(draft_previews.open_link(token), match[1])
    content = the_media_store().read_for_page(name) if is_shown else None
    if match is None or content is None:
        raise NotFound(gettext("There is no such photo."))
    return private(photo_response(match[2] or "jpeg", name, content))


def animal_page(token: str, preview: DraftPreview, animal_id: int) -> Response:
    profile, today = draft_previews.profile_in(preview, animal_id), current_date(preview.site.time_zone)
    seen = ShownProfile(profile, (), chosen_photo(profile), preview.site, today, f"{origin()}/")
    whole_site = url_for(".preview", token=token) if preview.animal_id is None else ""
    words: dict[str, Any] = gallery_values(profile, seen.photo) | profile_values(seen)
    words |= {
        "address": request.path,
        "of_shelter": whole_site or "#main",
        "whole_site": whole_site,
        "is_preview": True,
        "mate_cards": preview_cards(token, profile.mates),
    }
    return render_account_page("previews/animal.html", **words, **bar(token, preview))


def preview_cards(token: str, animals: list[Listing] | tuple[Listing, ...]) -> list[Markup]:
    """Render cards that link to pages of the preview."""
    today = current_date()
    shown = [
        animal_card(each, today)._replace(
            address=url_for("portal.preview_animal", token=token, animal_id=each.id)
        )
        for each in animals
    ]
    return [Markup(render_template("catalogue/_card.html", card=card)) for card in shown]  # noqa: S704


def bar(token: str, preview: DraftPreview) -> dict[str, Any]:
    """Return what the bar at the top of a preview shows."""
    words: dict[str, Any] = {"slug": preview.slug}
    back, stop = "staff.general", "staff.stop_site_preview"
    if preview.animal_id is not None:
        words |= {"animal_id": preview.animal_id}
        back, stop = "staff.edit_animal", "staff.stop_animal_preview"
    return {
        "link": f"{origin()}{url_for('.preview', token=token)}",
        "until": day_and_time(preview.expires_at),
        **({"back": url_for(back, **words), "stop": url_for(stop, **words)} if is_of_team(preview) else {}),
    }


def is_of_team(preview: DraftPreview) -> bool:
    """Return whether the visitor is signed in as a member of the shelter."""
    person = current_user.current_person()
    if person is None:
        return False
    with reading() as session:
        try:
            find_project_access(session, person.user_id, preview.slug)
        except (NotAllowed, NotFound):
            return False
    return True


def no_longer(refusal: NotFound) -> Response:
    add_to_context(served=None)
    return link_expired_page(refusal, url_for(".sign_in"), gettext("Sign in"))
