"""The platform's own certificate.

The service orders it, and an edge without certificate files shows it.
"""

from sqlalchemy import update

from adoption.certificates.models import PlatformCertificate
from adoption.clocks import utc_now
from adoption.storage.database import transaction
from tests.edge.browser_client import handshake, visit
from tests.edge.environment import PLATFORM, Environment
from tests.waiting import wait_for


def wait_for_platform_certificate(environment: Environment) -> None:
    """Wait until an edge shows the certificate.

    Pebble skips the challenge in one of a hundred orders, whatever its settings are. A failed order is due
    again at once, not after some minutes.
    """

    def is_shown() -> bool:
        if handshake(environment.edges[1].https_port, PLATFORM):
            return True
        failed = update(PlatformCertificate).where(PlatformCertificate.failures > 0)
        with environment.app.app_context(), transaction() as session:
            repeated = session.execute(failed.values(failures=0, next_step_at=utc_now()))
        if repeated.rowcount:
            environment.add_verified()  # this command makes the queue look for due orders
        return False

    wait_for("the platform's certificate", is_shown)


def test_the_platforms_own_certificate_is_ordered_and_renewed_without_a_restart(
    environment: Environment,
) -> None:
    edge, below = environment.edges[1].https_port, f"riverside.{PLATFORM}"
    wait_for_platform_certificate(environment)
    before = handshake(edge, PLATFORM)
    assert before is not None
    assert "Pebble" in before.issuer
    assert handshake(edge, below) == before
    assert visit(edge, PLATFORM, "/", environment.authority.roots()).status == 200
    assert visit(edge, below, "/", environment.authority.roots()).status == 404
    with environment.app.app_context(), transaction() as session:
        session.execute(update(PlatformCertificate).values(next_step_at=utc_now()))
    environment.add_verified()  # this command makes the queue look for due renewals
    wait_for("another certificate", lambda: handshake(edge, PLATFORM) != before)
    assert visit(edge, below, "/", environment.authority.roots()).status == 404


def test_the_records_of_the_platforms_challenges_are_removed(environment: Environment) -> None:
    wait_for_platform_certificate(environment)
    environment.add_verified()
    name = f"_acme-challenge.{PLATFORM}"

    def calls(verb: str) -> list[list[str]]:
        return sorted(call[1:] for call in environment.zone.hook.calls() if call[:2] == [verb, name])

    wait_for("the records to be removed", lambda: len(calls("remove")) == len(calls("set")))
    assert len(calls("set")) >= 2  # one record for the host, and one for its wildcard
    assert calls("remove") == calls("set")
