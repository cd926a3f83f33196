"""The owner's switch that keeps browsers on https at a domain for a year."""

from flask import Response, request, url_for

from adoption.accounts.access import ProjectAccess
from adoption.domains import https_policy
from adoption.domains.hostnames import display_host
from adoption.domains.queries import domain_of
from adoption.errors import Conflict
from adoption.storage.database import reading
from portal.access import actor
from portal.confirmations import ask_to_confirm
from portal.flash import notice
from portal.staff import may, staff
from portal.staff.domains.pages import back_to_domains

LONGER = (
    "Browsers already use only https, the secure connection, for a day after each visit to {name}. With "
    "this, they do so for a year. It protects visitors on an open wifi from false copies of your site. You "
    "cannot undo it quickly: if you move {name} to a website without https, visitors of the last year see "
    "an error. Your other domains are not affected."
)
SHORTER = (
    "Browsers then use only https, the secure connection, for a day after each visit to {name}. A browser "
    "that has been here keeps the year until its next visit. If you want to move {name} to a website "
    "without https, wait until most of your visitors have come back once."
)


@staff.get("/domains/<int64:domain_id>/https")
@may("domains.edit")
def ask_about_https(access: ProjectAccess, domain_id: int) -> Response:
    with reading() as session:
        domain = domain_of(session, access.project.id, domain_id)
    name, longer = display_host(domain.host), not domain.keeps_https
    return ask_to_confirm(
        f"Keep browsers on https for {'a year' if longer else 'a day only'} at {name}?",
        (LONGER if longer else SHORTER).format(name=name),
        url_for(".change_https", domain_id=domain_id, longer="yes" if longer else "no"),
        "Set one year" if longer else "Set one day",
        "Keep one day" if longer else "Keep one year",
        url_for(".domains", _anchor=f"domain-{domain_id}"),
        tone="primary",
    )


@staff.post("/domains/<int64:domain_id>/https")
@may("domains.edit")
def change_https(access: ProjectAccess, domain_id: int) -> Response:
    longer = request.args.get("longer") == "yes"
    try:
        domain = https_policy.set_https_period(access.project.id, domain_id, longer, actor())
        notice(
            f"Browsers keep to https for {'a year' if longer else 'a day'} at {display_host(domain.host)}."
        )
    except Conflict as refusal:
        notice(refusal.sentence, "warn")
    return back_to_domains(domain_id)
