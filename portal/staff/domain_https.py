"""The owner's switch that keeps browsers on https at a domain for a year."""

from flask import Response, request, url_for

from adoption.accounts.access import Place
from adoption.database import reading
from adoption.domains import https_policy
from adoption.domains.names import shown
from adoption.domains.queries import domain_of
from adoption.errors import Conflict
from portal.access import actor
from portal.notices import notice
from portal.staff import may, staff
from portal.staff.confirmations import confirm
from portal.staff.domains import back

LONGER = (
    "For a year, browsers that visited {name} open it over https only. Nobody on an open wifi can then show "
    "them a copy of your site. You cannot take this back from a browser at once: if you later move the "
    "domain to a website without https, people who were here see an error there. Choose it when you are "
    "sure that the domain stays with https. Names below {name} are not affected."
)
SHORTER = (
    "Browsers then keep to https for a day after each visit, as they did at first. A browser that visited "
    "{name} keeps the year until it comes back here once. Wait with a move to a website without https until "
    "most of your visitors have been here again."
)


@staff.get("/domains/<int64:domain_id>/https")
@may("domains.edit")
def ask_about_https(place: Place, domain_id: int) -> Response:
    with reading() as session:
        domain = domain_of(session, place.project.id, domain_id)
    name, longer = shown(domain.host), not domain.keeps_https
    return confirm(
        f"Keep browsers on https for {'a year' if longer else 'a day only'} at {name}?",
        (LONGER if longer else SHORTER).format(name=name),
        url_for(".change_https", domain_id=domain_id, longer="yes" if longer else "no"),
        "Keep for a year" if longer else "Keep for a day",
        "Keep it at a day" if longer else "Keep it at a year",
        url_for(".domains", _anchor=f"domain-{domain_id}"),
        tone="primary",
    )


@staff.post("/domains/<int64:domain_id>/https")
@may("domains.edit")
def change_https(place: Place, domain_id: int) -> Response:
    longer = request.args.get("longer") == "yes"
    try:
        domain = https_policy.keep_on_https(place.project.id, domain_id, longer, actor())
        notice(f"Browsers keep to https for {'a year' if longer else 'a day'} at {shown(domain.host)}.")
    except Conflict as refusal:
        notice(refusal.sentence, "warn")
    return back(domain_id)
