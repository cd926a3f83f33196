"""Every published shelter, to find one by its name or place."""

from flask import Response, abort, make_response, render_template, request, url_for

from adoption.animals.counts import waiting_in
from adoption.projects.queries import Shelter, every_shelter
from adoption.search_words import words_in
from portal import people
from portal.sites import current_site

SHOWN = 60


@people.get("/shelters")
def shelters() -> Response:
    if current_site():
        abort(404)
    question = " ".join(request.args.get("q", "").replace("\0", " ").split())[:100]
    found = [shelter for shelter in every_shelter() if has_words(shelter, words_in(question))]
    last = max(1, -(-len(found) // SHOWN))
    number = min(page_number(request.args.get("page", "")), last)
    shown = found[(number - 1) * SHOWN : number * SHOWN]
    page = render_template(
        "shelters/index.html",
        question=question,
        total=len(found),
        shelters=shown,
        waiting=waiting_in([shelter.project_id for shelter in shown]),
        next_page=address(question, number + 1) if len(found) > number * SHOWN else None,
        previous_page=address(question, number - 1) if number > 1 else None,
    )
    return make_response(page)


def has_words(shelter: Shelter, words: list[str]) -> bool:
    told = words_in(f"{shelter.name} {shelter.place}")
    return all(any(each.startswith(word) for each in told) for word in words)


def page_number(text: str) -> int:
    return max(1, int(text)) if text.isascii() and text.isdecimal() and len(text) < 5 else 1


def address(question: str, number: int) -> str:
    return url_for("portal.shelters", q=question or None, page=number if number > 1 else None)
