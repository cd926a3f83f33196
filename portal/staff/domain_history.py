"""What happened to a domain: a list inside its card, and a page without script."""

from flask import Response, make_response, render_template

from adoption.accounts.access import Place
from adoption.accounts.names import names_of_actors
from adoption.database import reading
from adoption.domains.history import history_of
from adoption.domains.names import shown
from adoption.domains.queries import domain_of
from portal import fragments
from portal.staff import may, staff
from portal.staff.audit import row_of

MOST = 20


@staff.get("/domains/<int64:domain_id>/history")
@may("domains.see")
def domain_history(place: Place, domain_id: int) -> Response:
    with reading() as session:
        domain = domain_of(session, place.project.id, domain_id)
        entries = history_of(session, domain, MOST)
        names = names_of_actors(session, place.account.id, {entry.actor for entry in entries})
    words = {
        "domain": domain,
        "name": shown(domain.host),
        "rows": [row_of(entry, names) for entry in entries],
        "most": MOST,
    }
    if fragments.asked_for() is not None:
        return fragments.fragment(render_template("staff/domains/_history.html", **words))
    return make_response(render_template("staff/domains/history.html", **words))
