"""Orders in place of certificates whose private key is lost, because no key in the settings decrypts it."""

from datetime import datetime

from sqlalchemy import select

from adoption.certificates.models import Certificate
from adoption.certificates.renewal_times import soonest_renewal
from adoption.certificates.x509 import read_certificate
from adoption.domains.models import Domain
from adoption.storage.database import reading, transaction


def reorder_certificate(host: str, now: datetime) -> None:
    """Order a new certificate for a host whose private key is lost. Until then, visitors get no certificate.

    A certificate is replaced only when it is at least a day old. Otherwise two servers with different
    encryption keys would replace each other's certificates endlessly.
    """
    query = select(Certificate, Domain).join(Domain, Domain.id == Certificate.domain_id)
    query = query.where(Domain.verified_host == host)
    with reading() as session:
        found = session.execute(query).first()
        if found is None or not (found[1].live_until or renews_later_than_possible(found[0], now)):
            return
    with transaction() as session:
        # Lock the domain before its certificate, as a removal does.
        domain = session.get(Domain, found[1].id, with_for_update=True)
        held = session.get(Certificate, found[1].id, with_for_update=True)
        if domain is None or held is None or held.serial != found[0].serial:
            return
        domain.live_until = None  # until the new certificate is live, no domain redirects to this domain
        if renews_later_than_possible(held, now):
            held.renew_at = soonest_reorder(held, now)
            held.seen_at, held.next_look_at = None, now  # the staff page shows what visitors get


def renews_later_than_possible(held: Certificate, now: datetime) -> bool:
    return held.renew_at > soonest_reorder(held, now)


def soonest_reorder(held: Certificate, now: datetime) -> datetime:
    return max(now, soonest_renewal(read_certificate(held.chain), held.issued_at))
