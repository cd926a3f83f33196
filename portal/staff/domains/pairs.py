"""Pairs of an apex and its ``www``: the offer to add both domains."""

from collections.abc import Sequence

from flask import Response, render_template, request

from adoption.accounts.project_access import ProjectAccess
from adoption.domains.cname_target_and_dns_servers import current_domain_config
from adoption.domains.hostname_parser import NameRefused, host_in
from adoption.domains.hostnames import display_host, is_apex, www_partner
from adoption.domains.models import Domain
from adoption.domains.queries import domains_of
from adoption.storage.database import reading
from portal import htmx
from portal.staff import may, staff
from portal.staff.domains.expected_records import provider_of


def pair_to_offer(domains: Sequence[Domain], addresses: Sequence[str]) -> str:
    """Return a domain to offer: the apex or the ``www`` of a pair that the project has only half of.

    Empty if there is none. An apex is not offered if its provider has no record that can lead it here.
    ``addresses`` are the IP addresses of our servers.
    """
    own = {domain.host for domain in domains}
    for domain in domains:
        other, provider = www_partner(domain.host), provider_of(domain)
        if other is None or other in own:
            continue
        if not is_apex(other) or not provider or provider.apex or addresses:
            return other
    return ""


@staff.get("/domains/pair")
@may("domains.edit")
def domain_pair(access: ProjectAccess) -> Response:
    """Return the offer to add the other domain of the pair too, while the user types a domain."""
    with reading() as session:
        words = pair_words(request.args.get("domain", ""), domains_of(session, access.project.id))
    chosen = "pair" in request.args
    return htmx.fragment(render_template("staff/domains/_pair.html", pair_chosen=chosen, **words))


def pair_words(typed: str, own: Sequence[Domain]) -> dict[str, str | bool | None]:
    """Return the template values of the offer. ``pair`` is the other domain of the pair.

    ``pair`` is None if no valid domain is typed, and empty if there is nothing to offer.
    """
    try:
        host = host_in(typed, current_domain_config().ours)
    except NameRefused:
        return {"pair": None}
    other = www_partner(host)
    is_free = other and other not in {each.host for each in own}
    pair = display_host(other) if other and is_free else ""
    return {"pair": pair, "pair_of": display_host(host), "has_domains": bool(own)}
