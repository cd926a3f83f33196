"""Making a domain the primary domain of its site."""

from flask import Response

from adoption.accounts.project_access import ProjectAccess
from adoption.domains import primary_domain
from adoption.domains.hostnames import display_host
from adoption.domains.models import Domain
from adoption.errors import Conflict
from adoption.translations import gettext
from portal.current_user import actor
from portal.flash import notice
from portal.staff import may, staff
from portal.staff.domains.domains_page import back_to_domains


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
