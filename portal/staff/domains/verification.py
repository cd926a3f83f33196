"""The button that verifies a domain's records now."""

from flask import Response, url_for

from adoption.accounts.project_access import ProjectAccess
from adoption.domains import verification
from adoption.domains.cname_target_and_dns_servers import current_domain_config
from adoption.domains.dns_check_limits import ChecksBusy, reserve_check
from adoption.domains.hostnames import display_host
from adoption.errors import Conflict, PlanRequired, TooMany
from adoption.translations import gettext
from portal import htmx
from portal.current_user import actor
from portal.flash import notice
from portal.staff import may, staff
from portal.staff.domains.announcements import outcome_in_words
from portal.staff.domains.domains_page import back_to_domains, cards_of, list_of


@staff.post("/domains/<int64:domain_id>/verification")
@may("domains.edit")
def verify_domain(access: ProjectAccess, domain_id: int) -> Response:
    try:
        checked = verify_now_or_soon(access, domain_id)
    except (Conflict, PlanRequired, TooMany) as refusal:
        notice(refusal.sentence, "warn")
        return htmx.client_redirect(url_for(".domains")) if htmx.target_id() else back_to_domains()
    cards = cards_of(access, focus_on=domain_id)
    card = next(card for card in cards if card.id == domain_id)
    others = [each for each in cards if each.id in checked and each.id != domain_id]
    sentence = ". ".join(map(outcome_in_words, [card, *others]))
    if htmx.target_id() is not None:
        return htmx.announced_fragment(list_of(access, cards), sentence)
    notice(f"{sentence}.", "good" if card.right and not card.unanswered else "warn")
    return back_to_domains(domain_id)


def verify_now_or_soon(access: ProjectAccess, domain_id: int) -> list[int]:
    """Check a domain and its pair partner. Return the ids of the checked domains.

    Raises ChecksBusy if too many checks are running. The domain is then checked soon.
    """
    try:
        with reserve_check(access.account.id):
            outcomes = verification.verify_pair(
                access.project.id, domain_id, current_domain_config(), actor()
            )
            return [each.domain.id for each in outcomes]
    except ChecksBusy as busy:
        name = display_host(verification.check_soon(access.project.id, domain_id).host)
        text = gettext("Other checks are under way. We check %(domain)s within a minute.", domain=name)
        raise ChecksBusy(text) from busy
