"""Removal of a domain, with a page that describes the effects and asks for confirmation."""

from collections.abc import Sequence
from datetime import UTC, datetime

from flask import Response, make_response, render_template, request, url_for

from adoption.accounts.project_access import ProjectAccess
from adoption.domains import removals
from adoption.domains.hostnames import display_host, is_apex, record_name
from adoption.domains.models import Domain
from adoption.domains.queries import domain_of, domains_of, domains_redirecting_to, redirect_target
from adoption.errors import Conflict
from adoption.storage.database import reading
from adoption.text_joining import join_names
from adoption.translations import gettext, message
from portal import htmx
from portal.confirmation_dialogs import ask_to_confirm
from portal.current_user import actor
from portal.flash import notice
from portal.staff import may, staff
from portal.staff.domains.domains_page import back_to_domains
from portal.url_converters import parse_id

NAMED_MOST = 4
"""The maximum of domains that a sentence names. Further domains are only counted."""


@staff.get("/domains/<int64:domain_id>/removal")
@may("domains.edit")
def think_of_removing(access: ProjectAccess, domain_id: int) -> Response:
    now = datetime.now(UTC)
    with reading() as session:
        domain = domain_of(session, access.project.id, domain_id)
        heirs = removals.find_replacements(session, domain, now)
        others = [each for each in domains_of(session, access.project.id) if each.id != domain_id]
    name, where = display_host(domain.host), url_for(".remove_domain", domain_id=domain_id)
    words = {
        "title": gettext("Remove %(domain)s?", domain=name),
        "text": effect_of_removal(domain, others, bool(heirs), now),
        "action": where,
        "label": gettext("Remove domain"),
        "keep": gettext("Keep domain"),
        "back": url_for(".domains", _anchor=f"domain-{domain_id}"),
    }
    if not heirs:
        return ask_to_confirm(**words)
    words["senders"] = join_hosts(domains_redirecting_to(domain, others))
    able = [(each.id, display_host(each.host)) for each in heirs]
    if htmx.target_id() is not None:
        return htmx.fragment(render_template("staff/domains/_removal.html", heirs=able, **words))
    page = render_template("staff/domains/removal.html", heirs=able, layout="layouts/staff.html", **words)
    return make_response(page)


def join_hosts(domains: Sequence[Domain]) -> str:
    names = [display_host(each.host) for each in domains]
    if len(names) > NAMED_MOST:
        names[NAMED_MOST - 1 :] = [gettext("%(number)s more", number=len(names) - NAMED_MOST + 1)]
    return join_names(names)


def effect_of_removal(domain: Domain, others: Sequence[Domain], asks_for_heir: bool, now: datetime) -> str:
    name = display_host(domain.host)
    if domain.verified_host is None:
        return gettext(
            "%(domain)s was never verified, so visitors see no difference. You can add it again at any time.",
            domain=name,
        )
    senders = [] if asks_for_heir else domains_redirecting_to(domain, others)
    unchanged = (
        message("Your animals do not change.")
        if senders
        else message("Your animals and your other domains do not change.")
    )
    https = message(
        "For a year, browsers that were here use only https, so a new website there needs a certificate."
    )
    sentences = [
        gettext("%(domain)s stops working at once: visitors' browsers show an error.", domain=name),
        effect_on_redirects(senders, others, now) if senders else "",
        gettext(unchanged),
        gettext("You also keep your built-in address.") if domain.primary_of else "",
        gettext(https) if domain.keeps_https else "",
        gettext("You can add %(domain)s again at any time.", domain=name),
        records_to_delete(domain, name),
    ]
    return " ".join(filter(None, sentences))


def records_to_delete(domain: Domain, name: str) -> str:
    if is_apex(domain.host):
        return gettext(
            "Afterwards, go to your DNS provider and delete the records for @ that lead here. "
            "Otherwise someone else could use %(domain)s here.",
            domain=name,
        )
    return gettext(
        "Afterwards, go to your DNS provider and delete the CNAME record named "
        "%(record)s. Otherwise someone else could use %(domain)s here.",
        record=record_name(domain.host),
        domain=name,
    )


def effect_on_redirects(senders: Sequence[Domain], others: Sequence[Domain], now: datetime) -> str:
    """Return a sentence about what happens to the domains that redirect to the removed domain.

    ``senders`` are the domains that redirect to it, and ``others`` are all domains that stay.
    """
    to = redirect_target(senders[0], others, now)
    if to is None:
        return gettext(
            "Other domains redirect to it: %(domains)s. From then on they show the site themselves.",
            domains=join_hosts(senders),
        )
    return gettext(
        "Other domains redirect to it: %(domains)s. From then on they redirect to %(target)s.",
        domains=join_hosts(senders),
        target=display_host(to.host),
    )


@staff.post("/domains/<int64:domain_id>/removal")
@may("domains.edit")
def remove_domain(access: ProjectAccess, domain_id: int) -> Response:
    heir = request.form.get("heir", "")
    try:
        number = parse_id(heir)
        domain = removals.remove_domain(access.project.id, domain_id, number, actor())
        notice(gettext("Removed %(domain)s.", domain=display_host(domain.host)))
    except Conflict as refusal:
        notice(refusal.sentence, "warn")
    return back_to_domains()
