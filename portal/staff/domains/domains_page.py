"""The page of domains: the form for a new domain, and the list of cards that updates itself."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from flask import Response, make_response, redirect, render_template, request, url_for

from adoption.accounts.plans import PLANS
from adoption.accounts.project_access import ProjectAccess
from adoption.certificates.authority_rate_limits import limited_until
from adoption.certificates.certificate_states import CertificateStatus, certificate_statuses
from adoption.certificates.order_queue import QueueState, state_of_queue
from adoption.certificates.shelter_origins import secured_port
from adoption.domains import additions
from adoption.domains.cname_target_and_dns_servers import current_domain_config
from adoption.domains.hostnames import display_host
from adoption.domains.models import Domain
from adoption.domains.ownership_claims import proofs_wanted
from adoption.domains.queries import domains_of
from adoption.errors import Conflict, Invalid, PlanRequired
from adoption.platform_addresses import site_address
from adoption.projects.request_hosts import parse_host_header
from adoption.storage.database import reading
from adoption.text_joining import join_names
from adoption.translations import gettext, message
from portal import htmx
from portal.current_user import actor
from portal.flash import notice
from portal.staff import may, staff
from portal.staff.domains.announcements import card_mark, domain_announcement
from portal.staff.domains.card_classes import DomainCard, Surroundings
from portal.staff.domains.cards import domain_card
from portal.staff.domains.pairs import pair_to_offer, pair_words


@staff.get("/domains")
@may("domains.see")
def domains(access: ProjectAccess) -> Response:
    return render_domains_page(access, cards_of(access))


@staff.post("/domains")
@may("domains.edit")
def add_domain(access: ProjectAccess) -> Response:
    typed, primary = request.form.get("domain", ""), request.form.get("role") == "primary"
    with_www = bool(request.form.get("pair"))
    try:
        made = additions.add_domains(
            access.project.id, typed, current_domain_config(), primary, with_www, actor()
        )
    except Invalid as refusal:
        return render_domains_page(
            access, cards_of(access), error=refusal.violations[0][1], typed=typed, status=422
        )
    except (Conflict, PlanRequired) as refusal:
        return render_domains_page(access, cards_of(access), error=refusal.sentence, typed=typed, status=422)
    cards = cards_of(access)
    ids = [each.id for each in made]
    added = [card for card in cards if card.id in ids]
    if not added:  # A colleague has removed the domain meanwhile.
        return back_to_domains()
    sentence = added_in_words(added)
    if htmx.target_id() is not None:
        cards[cards.index(added[0])] = added[0]._replace(focus="name")
        return render_domains_page(access, cards, announced=sentence)
    notice(sentence)
    return back_to_domains(added[0].id)


def added_in_words(added: Sequence[DomainCard]) -> str:
    names, records = join_names([card.name for card in added]), sum(len(card.values) for card in added)
    if len(added) > 1:
        text = message(
            "%(domains)s are added. Add the records below at your DNS provider, then press one Verify for "
            "both."
        )
    elif records > 1:
        text = message("%(domains)s is added. Add the records below at your DNS provider, then press Verify.")
    else:
        text = message("%(domains)s is added. Add the record below at your DNS provider, then press Verify.")
    return gettext(text, domains=names)


@staff.get("/domains/list")
@may("domains.see", in_background=True)
def domain_list(access: ProjectAccess) -> Response:
    """Return the cards that have changed since the page was loaded, or an empty response."""
    if htmx.target_id() is None:
        return back_to_domains()
    cards, seen = cards_of(access), request.args.getlist("seen")
    words = page_words(access, cards)
    marks = words["seen"]
    if seen == marks:
        return make_response("", 204)
    sentence = domain_announcement(cards, seen)
    if [each.partition("-")[0] for each in seen] != [each.partition("-")[0] for each in marks]:
        return htmx.retarget("#domain-list", announced_response(list_of(access, cards), sentence))
    fresh = [card for card in cards if card_mark(card) not in seen]
    built_in_new = marks[-1] not in seen
    text = render_template("staff/domains/_news.html", fresh=fresh, built_in_new=built_in_new, **words)
    return announced_response(text, sentence)


def announced_response(text: str, sentence: str) -> Response:
    return htmx.announced_fragment(text, sentence) if sentence else htmx.fragment(text)


def back_to_domains(domain_id: int | None = None) -> Response:
    anchor = f"domain-{domain_id}" if domain_id else None
    return make_response(redirect(url_for(".domains", _anchor=anchor), 303))


def may_have_domains(access: ProjectAccess) -> bool:
    return PLANS[access.account.plan].custom_domains


def cards_of(access: ProjectAccess, focus_on: int | None = None) -> list[DomainCard]:
    now = datetime.now(UTC)
    with reading() as session:
        found = domains_of(session, access.project.id)
        proofs = proofs_wanted(session, found, access.account.id, now)
        held = certificate_statuses(session, [each.id for each in found], now)
        limit, queue = limited_until(session, now), state_of_queue(session, access.account.id, now)
    around = surroundings_of(access, found, proofs, held, now)._replace(limited_until=limit, queue=queue)
    return [domain_card(each, around, focus_on) for each in found]


def surroundings_of(
    access: ProjectAccess,
    found: Sequence[Domain],
    proofs: dict[int, str],
    held: dict[int, CertificateStatus],
    now: datetime,
) -> Surroundings:
    scheme, _, host = site_address(access.project.slug).partition("://")
    port = parse_host_header(host.rstrip("/")).port
    config = current_domain_config()
    return Surroundings(
        domains=found,
        target=config.target,
        addresses=config.addresses,
        issuer=config.issuers[0],
        proofs=proofs,
        shows=may_have_domains(access) and access.project.live_deploy is not None,
        certificates=config.certificates,
        statuses=held,
        limited_until=None,
        queue=QueueState(),
        challenge_zone=config.challenge_zone,
        scheme=scheme,
        port=port,
        secured_port=secured_port(port),
        now=now,
    )


def page_words(access: ProjectAccess, cards: list[DomainCard]) -> dict[str, Any]:
    primary = next((card for card in cards if card.primary), None)
    live, has_domains = access.project.live_deploy is not None, may_have_domains(access)
    leads_on = primary is not None and primary.live
    built_in = f"0-{primary.name if primary else ''}-{leads_on}-{live}"
    return {
        "cards": cards,
        "pace": min((card.pace for card in cards if card.pace), default=0),
        "seen": [*map(card_mark, cards), built_in],
        "primary": primary,
        "leads_on": leads_on,
        "built_in": site_address(access.project.slug).partition("://")[2].rstrip("/"),
        "built_in_address": site_address(access.project.slug),
        "live": live,
        "gives_domains": has_domains,
        "certificates": current_domain_config().certificates,
    }


def list_of(access: ProjectAccess, cards: list[DomainCard]) -> str:
    return render_template("staff/domains/_list.html", **page_words(access, cards))


def render_domains_page(
    access: ProjectAccess,
    cards: list[DomainCard],
    error: str = "",
    typed: str = "",
    announced: str = "",
    status: int = 200,
) -> Response:
    """Return the page of domains. If htmx replaces the page, screen readers announce ``announced``."""
    with reading() as session:
        own = domains_of(session, access.project.id)
    offered = display_host(pair_to_offer(own, current_domain_config().addresses))
    words = page_words(access, cards) | {
        **pair_words(typed or offered, own),
        "pair_chosen": not error or "pair" in request.form,
        "error": error,
        "typed": typed,
        "announced": announced,
        "offered": offered,
        "plan": access.account.plan.capitalize(),
        "has_redirects": any(card.route for card in cards),
    }
    return make_response(render_template("staff/domains/index.html", **words), status)
