"""The platform's own certificate, ordered by the service and shown by an edge that has no files."""

from sqlalchemy import update

from adoption.certificates.platform.models import PlatformCertificate
from adoption.clocks import utc_now
from adoption.database import transaction
from tests.edge.visiting import handshake, visit
from tests.edge.world import PLATFORM, World
from tests.waiting import wait_for


def test_the_platforms_own_certificate_is_ordered_and_renewed_without_a_restart(world: World) -> None:
    edge = world.edges[1].https_port
    wait_for("the platform's certificate", lambda: handshake(edge, PLATFORM))
    before = handshake(edge, PLATFORM)
    assert before is not None
    assert "Pebble" in before.issuer
    assert visit(edge, PLATFORM, "/", world.authority.root()).status == 200
    with world.app.app_context(), transaction() as session:
        session.execute(update(PlatformCertificate).values(next_step_at=utc_now()))
    world.verified()  # has the queue look for what is due
    wait_for("another certificate", lambda: handshake(edge, PLATFORM) != before)
    assert visit(edge, PLATFORM, "/", world.authority.root()).status == 200
