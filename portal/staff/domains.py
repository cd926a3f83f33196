"""Domains: added, verified, made primary, sent on and removed."""

from datetime import UTC, datetime
from typing import Any

from flask import Response, jsonify, make_response, redirect, render_template, request, url_for

from adoption.accounts.access import Place
from adoption.accounts.plans import PLANS
from adoption.database import reading
from adoption.domains import actions, verifying
from adoption.domains.names import shown
from adoption.domains.queries import domains_of, redirects_of, token_wanted
from adoption.domains.terms import the_terms
from adoption.errors import Conflict, Invalid, PlanRequired
from portal import fragments
from portal.access import actor
from portal.notices import notice
from portal.sites import site_address
from portal.staff import may, staff
from portal.staff.domain_words import (
    Card,
    Surroundings,
    card_of,
    fingerprint,
    outcome_in_words,
    pair_to_offer,
)


@staff.get("/domains")
@may("domains.see")
def domains(place: Place) -> Response:
    return page(place)


@staff.post("/domains")
@may("domains.edit")
def add_domain(place: Place) -> Response:
    typed, primary = request.form.get("domain", ""), request.form.get("role") == "primary"
    try:
        made = actions.add(place.project.id, typed, the_terms(), primary, actor())
    except Invalid as refusal:
        return page(place, error=refusal.violations[0][1], typed=typed, status=422)
    except (Conflict, PlanRequired) as refusal:
        return page(place, error=refusal.sentence, typed=typed, status=422)
    notice(f"{shown(made.host)} is added. Make the record below at your DNS provider, then press Verify.")
    return back(made.id)


@staff.get("/domains/list")
@may("domains.see")
def domain_list(place: Place) -> Response:
    """What the page asks for while a domain waits; nothing where nothing is new."""
    if fragments.asked_for() is None:
        return back()
    cards = cards_of(place)
    if request.args.get("seen") == fingerprint(cards):
        return make_response("", 204)
    return fragments.fragment(list_of(place, cards))


@staff.post("/domains/<int64:domain_id>/verification")
@may("domains.edit")
def verify_domain(place: Place, domain_id: int) -> Response:
    try:
        verifying.verify(place.project.id, domain_id, the_terms(), actor())
    except (Conflict, PlanRequired) as refusal:
        notice(refusal.sentence, "warn")
        return fragments.elsewhere(url_for(".domains")) if fragments.asked_for() else back()
    cards = cards_of(place, focus_on=domain_id)
    told = outcome_in_words(next(card for card in cards if card.id == domain_id))
    if fragments.asked_for() is not None:
        return fragments.announced(list_of(place, cards), told)
    notice(f"{told}.", "good" if told.endswith("verified") else "warn")
    return back(domain_id)


@staff.get("/domains/redirects.json")
@may("domains.see")
def redirects(place: Place) -> Response:
    """The redirects in force, each with ``from``, ``to`` and ``status``."""
    with reading() as session:
        found = redirects_of(domains_of(session, place.project.id))
    response = jsonify(found)
    response.headers["Content-Disposition"] = f"attachment; filename={place.project.slug}-redirects.json"
    return response


def back(domain_id: int | None = None) -> Response:
    anchor = f"domain-{domain_id}" if domain_id else None
    return make_response(redirect(url_for(".domains", _anchor=anchor), 303))


def may_have_domains(place: Place) -> bool:
    return PLANS[place.account.plan].custom_domains


def cards_of(place: Place, focus_on: int | None = None) -> list[Card]:
    scheme, _, host = site_address(place.project.slug).partition("://")
    port = host.rstrip("/").rpartition(":")[2]
    with reading() as session:
        found = domains_of(session, place.project.id)
        tokens = {each.id: token_wanted(session, each, place.account.id) for each in found}
    shows = may_have_domains(place) and place.project.live_deploy is not None
    around = Surroundings(
        found,
        the_terms().target,
        tokens,
        shows,
        scheme,
        f":{port}" if port.isdecimal() else "",
        datetime.now(UTC),
    )
    return [card_of(each, around, focus_on) for each in found]


def words_of(place: Place, cards: list[Card]) -> dict[str, Any]:
    primary = next((card for card in cards if card.primary), None)
    return {
        "cards": cards,
        "waiting": any(card.waiting for card in cards),
        "seen": fingerprint(cards),
        "primary": primary,
        "built_in": site_address(place.project.slug).partition("://")[2].rstrip("/"),
        "built_in_address": site_address(place.project.slug),
        "live": place.project.live_deploy is not None,
        "gives_domains": may_have_domains(place),
    }


def list_of(place: Place, cards: list[Card]) -> str:
    return render_template("staff/domains/_list.html", **words_of(place, cards))


def page(place: Place, error: str = "", typed: str = "", status: int = 200) -> Response:
    cards = cards_of(place)
    with reading() as session:
        offered = pair_to_offer(domains_of(session, place.project.id))
    words = words_of(place, cards) | {
        "error": error,
        "typed": typed,
        "offered": shown(offered) if offered else "",
        "plan": place.account.plan.capitalize(),
        "has_redirects": any(card.route for card in cards),
    }
    return make_response(render_template("staff/domains/index.html", **words), status)
