"""What a domain does, and its end: made primary, sent on to another, removed."""

from collections.abc import Sequence
from datetime import UTC, datetime

from flask import Response, make_response, render_template, request, url_for

from adoption.accounts.access import ProjectAccess
from adoption.domains import primary_domain, redirects, removals
from adoption.domains.hostnames import display_host, is_apex, record_name
from adoption.domains.models import VERIFIED, Domain
from adoption.domains.queries import domain_of, domains_of, senders_to, target_of
from adoption.errors import Conflict, Invalid, NotFound
from adoption.storage.database import reading
from adoption.text_joining import listed
from portal import htmx
from portal.access import actor
from portal.confirmations import ask_to_confirm
from portal.flash import notice
from portal.staff import may, staff
from portal.staff.domains.pages import back_to_domains
from portal.url_converters import parse_id

STATUS_WORDS = {
    301: "301, permanent",
    302: "302, temporary",
    307: "307, temporary, also for sent forms",
    308: "308, permanent, also for sent forms",
}
NAMED_MOST = 4
"""Domains that a question names; of more it tells how many."""


@staff.post("/domains/<int64:domain_id>/primary")
@may("domains.edit")
def make_primary(access: ProjectAccess, domain_id: int) -> Response:
    try:
        domain = primary_domain.make_primary(access.project.id, domain_id, actor())
        notice(taken_over(domain))
    except Conflict as refusal:
        notice(refusal.sentence, "warn")
    return back_to_domains(domain_id)


def taken_over(domain: Domain) -> str:
    name = display_host(domain.host)
    if domain.primary_of is None:
        return f"{name} becomes the primary domain once it has its certificate. Until then nothing changes."
    return f"{name} is now the primary domain. The domain that was primary before redirects to it."


@staff.get("/domains/<int64:domain_id>/redirect")
@may("domains.edit")
def think_of_redirecting(access: ProjectAccess, domain_id: int) -> Response:
    return redirect_page(access, domain_id)


@staff.post("/domains/<int64:domain_id>/redirect")
@may("domains.edit")
def redirect_domain(access: ProjectAccess, domain_id: int) -> Response:
    to, status = request.form.get("to", ""), request.form.get("status", "301")
    try:
        if to == "site":
            domain = redirects.stop_redirect(access.project.id, domain_id, actor())
            notice(f"{display_host(domain.host)} shows the site itself.")
        else:
            target = parse_id(to)
            chosen = int(status) if status in map(str, STATUS_WORDS) else 0
            domain = redirects.redirect_domain(access.project.id, domain_id, target, chosen, actor())
            notice(f"{display_host(domain.host)} sends its visitors on. Links to single pages keep working.")
    except Invalid as refusal:
        return redirect_page(access, domain_id, refusal.violations[0], 422)
    except Conflict as refusal:
        notice(refusal.sentence, "warn")
    return back_to_domains(domain_id)


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
        "title": f"Remove {name}?",
        "text": effect_of_removal(domain, others, bool(heirs), now),
        "action": where,
        "label": "Remove domain",
        "keep": "Keep domain",
        "back": url_for(".domains", _anchor=f"domain-{domain_id}"),
    }
    if not heirs:
        return ask_to_confirm(**words)
    words["senders"] = join_hosts(senders_to(domain, others))
    able = [(each.id, display_host(each.host)) for each in heirs]
    if htmx.target_id() is not None:
        return htmx.fragment(render_template("staff/domains/_removal.html", heirs=able, **words))
    whole = render_template("staff/domains/removal.html", heirs=able, layout="layouts/staff.html", **words)
    return make_response(whole)


def join_hosts(domains: Sequence[Domain]) -> str:
    names = [display_host(each.host) for each in domains]
    if len(names) > NAMED_MOST:
        names[NAMED_MOST - 1 :] = [f"{len(names) - NAMED_MOST + 1} more"]
    return listed(names)


def effect_of_removal(domain: Domain, others: Sequence[Domain], asks_for_heir: bool, now: datetime) -> str:
    name = display_host(domain.host)
    if domain.verified_host is None:
        return f"{name} was never verified, so visitors see no difference. You can add it again at any time."
    built_in = " You also keep your built-in address." if domain.primary_of else ""
    depend = "" if asks_for_heir else what_becomes_of(senders_to(domain, others), others, now)
    kept = "Your animals do" if depend else "Your animals and your other domains do"
    cname = f"the CNAME record named {record_name(domain.host)}"
    record = "the records for @ that lead here" if is_apex(domain.host) else cname
    return (
        f"{name} stops working at once: visitors' browsers show an error. "
        f"{depend}{kept} not change.{built_in} {https_until(domain)}You can add {name} again at any time. "
        f"Afterwards, delete {record} at your DNS provider, so that nobody else can use {name} here."
    )


def https_until(domain: Domain) -> str:
    """Say how long browsers open a removed domain by https alone, where that was switched on."""
    if not domain.keeps_https:
        return ""
    return "Browsers that were here keep to https for a year, so a new website there needs a certificate. "


def what_becomes_of(senders: Sequence[Domain], others: Sequence[Domain], now: datetime) -> str:
    """Of those that redirect to a domain which is removed; ``others`` are all that are left."""
    if not senders:
        return ""
    to = target_of(senders[0], others, now)
    then = f"are then sent to {display_host(to.host)}" if to else "then see the site there"
    return f"Domains that redirect to it: {join_hosts(senders)}. Their visitors {then}. "


@staff.post("/domains/<int64:domain_id>/removal")
@may("domains.edit")
def remove_domain(access: ProjectAccess, domain_id: int) -> Response:
    heir = request.form.get("heir", "")
    try:
        number = parse_id(heir)
        domain = removals.remove_domain(access.project.id, domain_id, number, actor())
        notice(f"Removed {display_host(domain.host)}.")
    except Conflict as refusal:
        notice(refusal.sentence, "warn")
    return back_to_domains()


def redirect_page(
    access: ProjectAccess, domain_id: int, violation: tuple[str, str] = ("", ""), status: int = 200
) -> Response:
    with reading() as session:
        domain = domain_of(session, access.project.id, domain_id)
        others = domains_of(session, access.project.id)
    if domain.primary_of is not None:
        raise NotFound("The primary domain shows the site.")
    able = [
        each
        for each in others
        if each.state == VERIFIED and not each.redirect_status and each.id != domain_id
    ]
    words = {
        "domain": domain,
        "name": display_host(domain.host),
        "targets": [(each.id, display_host(each.host)) for each in able if each.primary_of is None],
        "statuses": STATUS_WORDS,
        "violation": violation,
    }
    return make_response(render_template("staff/domains/redirect.html", **words), status)
