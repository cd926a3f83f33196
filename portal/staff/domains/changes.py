"""Making a domain primary, redirecting it, and removing it."""

from collections.abc import Sequence
from datetime import UTC, datetime

from flask import Response, make_response, render_template, request, url_for

from adoption.accounts.project_access import ProjectAccess
from adoption.domains import primary_domain, redirects, removals
from adoption.domains.hostnames import display_host, is_apex, record_name
from adoption.domains.models import VERIFIED, Domain
from adoption.domains.queries import domain_of, domains_of, senders_to, target_of
from adoption.errors import Conflict, Invalid, NotFound
from adoption.storage.database import reading
from adoption.text_joining import join_names
from adoption.translations import gettext, message
from portal import htmx
from portal.confirmation_dialogs import ask_to_confirm
from portal.current_user import actor
from portal.flash import notice
from portal.staff import may, staff
from portal.staff.domains.pages import back_to_domains
from portal.url_converters import parse_id

STATUS_LABELS = {
    301: message("301, permanent"),
    302: message("302, temporary"),
    307: message("307, temporary, also for sent forms"),
    308: message("308, permanent, also for sent forms"),
}
NAMED_MOST = 4
"""The most domains that a question names. It counts the others."""


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
        return gettext(
            "%(domain)s becomes the primary domain once it has its certificate. Until then nothing changes.",
            domain=name,
        )
    return gettext(
        "%(domain)s is now the primary domain. The domain that was primary before redirects to it.",
        domain=name,
    )


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
            notice(gettext("%(domain)s shows the site itself.", domain=display_host(domain.host)))
        else:
            target = parse_id(to)
            chosen = int(status) if status in map(str, STATUS_LABELS) else 0
            domain = redirects.redirect_domain(access.project.id, domain_id, target, chosen, actor())
            sent = gettext(
                "%(domain)s sends its visitors on. Links to single pages keep working.",
                domain=display_host(domain.host),
            )
            notice(sent)
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
        "title": gettext("Remove %(domain)s?", domain=name),
        "text": effect_of_removal(domain, others, bool(heirs), now),
        "action": where,
        "label": gettext("Remove domain"),
        "keep": gettext("Keep domain"),
        "back": url_for(".domains", _anchor=f"domain-{domain_id}"),
    }
    if not heirs:
        return ask_to_confirm(**words)
    words["senders"] = join_hosts(senders_to(domain, others))
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
    senders = [] if asks_for_heir else senders_to(domain, others)
    unchanged = (
        message("Your animals do not change.")
        if senders
        else message("Your animals and your other domains do not change.")
    )
    https = message(
        "Browsers that were here keep to https for a year, so a new website there needs a certificate."
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
            "Afterwards, delete the records for @ that lead here at your DNS provider, so that nobody else "
            "can use %(domain)s here.",
            domain=name,
        )
    return gettext(
        "Afterwards, delete the CNAME record named %(record)s at your DNS provider, so that nobody else can "
        "use %(domain)s here.",
        record=record_name(domain.host),
        domain=name,
    )


def effect_on_redirects(senders: Sequence[Domain], others: Sequence[Domain], now: datetime) -> str:
    """Return what happens to the domains that redirect to a removed one. ``others`` are all that are left."""
    to = target_of(senders[0], others, now)
    if to is None:
        return gettext(
            "Domains that redirect to it: %(domains)s. Their visitors then see the site there.",
            domains=join_hosts(senders),
        )
    return gettext(
        "Domains that redirect to it: %(domains)s. Their visitors are then sent to %(target)s.",
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


def redirect_page(
    access: ProjectAccess, domain_id: int, violation: tuple[str, str] = ("", ""), status: int = 200
) -> Response:
    with reading() as session:
        domain = domain_of(session, access.project.id, domain_id)
        others = domains_of(session, access.project.id)
    if domain.primary_of is not None:
        raise NotFound(gettext("The primary domain shows the site."))
    able = [
        each
        for each in others
        if each.state == VERIFIED and not each.redirect_status and each.id != domain_id
    ]
    words = {
        "domain": domain,
        "name": display_host(domain.host),
        "targets": [(each.id, display_host(each.host)) for each in able if each.primary_of is None],
        "statuses": {status: gettext(label) for status, label in STATUS_LABELS.items()},
        "violation": violation,
    }
    return make_response(render_template("staff/domains/redirect.html", **words), status)
