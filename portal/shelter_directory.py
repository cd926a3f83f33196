"""The directory of published shelters, searched by name or town."""

from flask import Response, abort, make_response, render_template, request, url_for

from adoption.animals.shelter_cover_photos_and_counts import count_waiting_animals, covers_of
from adoption.projects.shelter_directory import BY_NAME, BY_TOWN, ORDERS, directory_page
from adoption.search_words import words_in
from adoption.translations import gettext, message
from portal import portal_blueprint
from portal.sites.hosts import current_site

PAGE_SIZE = 24
ORDER_LABELS = {BY_NAME: message("Name"), BY_TOWN: message("Town")}
WORDS_MOST = 10


@portal_blueprint.get("/shelters")
def shelters() -> Response:
    if current_site():
        abort(404)
    question = " ".join(request.args.get("q", "").replace("\0", " ").split())[:100]
    order = request.args.get("sort", "")
    order = order if order in ORDERS else BY_NAME
    number = page_number(request.args.get("page", ""))
    found = directory_page(words_in(question)[:WORDS_MOST], order, number, PAGE_SIZE)
    ids = [shelter.project_id for shelter in found.shelters]
    page = render_template(
        "shelters/index.html",
        question=question,
        order=order,
        orders=[
            (key, gettext(label), directory_address(question, key, 1)) for key, label in ORDER_LABELS.items()
        ],
        found=found,
        waiting=count_waiting_animals(ids),
        covers=covers_of(ids),
        next_page=directory_address(question, order, found.number + 1) if found.number < found.last else None,
        previous_page=directory_address(question, order, found.number - 1) if found.number > 1 else None,
    )
    return make_response(page)


def page_number(text: str) -> int:
    return max(1, int(text)) if text.isascii() and text.isdecimal() and len(text) < 5 else 1


def directory_address(question: str, order: str, number: int) -> str:
    return url_for(
        "portal.shelters",
        q=question or None,
        sort=order if order != BY_NAME else None,
        page=number if number > 1 else None,
    )
