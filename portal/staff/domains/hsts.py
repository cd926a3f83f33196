"""The time for which browsers use only https at a domain (HSTS): a day, or a year if an owner chooses so."""

from flask import Response, request, url_for

from adoption.accounts.project_access import ProjectAccess
from adoption.domains import hsts
from adoption.domains.hostnames import display_host
from adoption.domains.queries import domain_of
from adoption.errors import Conflict
from adoption.storage.database import reading
from adoption.translations import gettext, message
from portal.confirmation_dialogs import ask_to_confirm
from portal.current_user import actor
from portal.flash import notice
from portal.staff import may, staff
from portal.staff.domains.domains_page import back_to_domains

LONGER = message(
    "Browsers already use only https, the secure connection, for a day after each "
    "visit to %(domain)s. This setting makes it a year, and so protects visitors on "
    "an open wifi from false copies of your site. You cannot undo it quickly: if you "
    "move %(domain)s to a website without https, everyone who visited %(domain)s in "
    "the last year sees an error. Your other domains are not affected."
)
SHORTER = message(
    "Browsers then use only https, the secure connection, for a day after each visit to %(domain)s. A "
    "browser that has been here keeps the year until its next visit. If you want to move %(domain)s to a "
    "website without https, wait until most of your visitors have come back once."
)


@staff.get("/domains/<int64:domain_id>/https")
@may("domains.edit")
def ask_about_https(access: ProjectAccess, domain_id: int) -> Response:
    with reading() as session:
        domain = domain_of(session, access.project.id, domain_id)
    name, longer = display_host(domain.host), not domain.keeps_https
    if longer:
        title = gettext("Keep browsers on https for a year at %(domain)s?", domain=name)
        label, keep = gettext("Set one year"), gettext("Keep one day")
    else:
        title = gettext("Keep browsers on https for a day only at %(domain)s?", domain=name)
        label, keep = gettext("Set one day"), gettext("Keep one year")
    return ask_to_confirm(
        title,
        gettext(LONGER if longer else SHORTER, domain=name),
        url_for(".change_https", domain_id=domain_id, longer="yes" if longer else "no"),
        label,
        keep,
        url_for(".domains", _anchor=f"domain-{domain_id}"),
        tone="primary",
    )


@staff.post("/domains/<int64:domain_id>/https")
@may("domains.edit")
def change_https(access: ProjectAccess, domain_id: int) -> Response:
    longer = request.args.get("longer") == "yes"
    try:
        domain = hsts.set_https_period(access.project.id, domain_id, longer, actor())
        year = message("Browsers now use only https at %(domain)s, for a year after each visit.")
        day = message("Browsers now use only https at %(domain)s, for a day after each visit.")
        notice(gettext(year if longer else day, domain=display_host(domain.host)))
    except Conflict as refusal:
        notice(refusal.sentence, "warn")
    return back_to_domains(domain_id)
