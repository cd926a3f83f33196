"""Redirects of domains: changing a domain's redirect, and the list of redirects as JSON."""

from datetime import UTC, datetime

from flask import Response, jsonify, make_response, render_template, request

from adoption.accounts.project_access import ProjectAccess
from adoption.domains import redirects
from adoption.domains.hostnames import display_host
from adoption.domains.models import VERIFIED
from adoption.domains.queries import domain_of, domains_of, redirects_of
from adoption.errors import Conflict, Invalid, NotFound
from adoption.storage.database import reading
from adoption.translations import gettext, message
from portal.current_user import actor
from portal.flash import notice
from portal.staff import may, staff
from portal.staff.domains.domains_page import back_to_domains
from portal.url_converters import parse_id

STATUS_LABELS = {
    301: message("301, permanent"),
    302: message("302, temporary"),
    307: message("307, temporary, also for sent forms"),
    308: message("308, permanent, also for sent forms"),
}


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
                "%(domain)s now redirects its visitors. Links to an animal's page keep working.",
                domain=display_host(domain.host),
            )
            notice(sent)
    except Invalid as refusal:
        return redirect_page(access, domain_id, refusal.violations[0], 422)
    except Conflict as refusal:
        notice(refusal.sentence, "warn")
    return back_to_domains(domain_id)


def redirect_page(
    access: ProjectAccess, domain_id: int, violation: tuple[str, str] = ("", ""), status: int = 200
) -> Response:
    with reading() as session:
        domain = domain_of(session, access.project.id, domain_id)
        others = domains_of(session, access.project.id)
    if domain.primary_of is not None:
        raise NotFound(
            gettext(
                "The primary domain cannot be redirected, because it shows the site. Make another "
                "domain primary first."
            )
        )
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


@staff.get("/domains/redirects.json", endpoint="redirects")
@may("domains.see")
def download_redirects(access: ProjectAccess) -> Response:
    """Return the active redirects as JSON, each with ``from``, ``to`` and ``status``."""
    with reading() as session:
        found = redirects_of(domains_of(session, access.project.id), datetime.now(UTC))
    response = jsonify(found)
    response.headers["Content-Disposition"] = f"attachment; filename={access.project.slug}-redirects.json"
    return response
