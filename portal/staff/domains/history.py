"""The history of a domain. It is a list in the domain's card, or a page of its own without JavaScript."""

from flask import Response, make_response, render_template

from adoption.accounts.project_access import ProjectAccess
from adoption.domains.history import domain_events
from adoption.domains.hostnames import display_host
from adoption.domains.queries import domain_of
from adoption.storage.database import reading
from portal import htmx
from portal.staff import may, staff
from portal.staff.audit import audit_rows

MOST = 20


@staff.get("/domains/<int64:domain_id>/history")
@may("domains.see")
def domain_history(access: ProjectAccess, domain_id: int) -> Response:
    with reading() as session:
        domain = domain_of(session, access.project.id, domain_id)
        entries = domain_events(session, domain, MOST)
        rows = audit_rows(session, access.account.id, entries)
    words = {
        "domain": domain,
        "name": display_host(domain.host),
        "rows": rows,
        "most": MOST,
    }
    if htmx.target_id() is not None:
        return htmx.fragment(render_template("staff/domains/_history.html", **words))
    return make_response(render_template("staff/domains/history.html", **words))
