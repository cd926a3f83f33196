"""API usage is stored when a server stops."""

from collections.abc import Callable
from datetime import UTC, datetime

from sqlalchemy import select

from adoption.accounts.models import UsageDay
from adoption.settings import Settings
from adoption.storage.database import db, reading
from tests.serving.conftest import Running
from wsgi import create_app


def test_usage_of_all_workers_is_saved_at_sigterm(
    serve: Callable[..., Running],
) -> None:
    running = serve(workers=2)
    key = running.keys["free"]
    paths = ["/v1/pets"] * 55 + ["/v1/nowhere"] * 5 + ["/v1/pets"] * 4
    begun = datetime.now(UTC).date()
    statuses = [running.get(path, key).status for path in paths]
    assert (statuses.count(200), statuses.count(404), statuses.count(429)) == (55, 5, 4)
    running.stop()
    app = create_app(Settings.from_environment({"HOMEWARD_INSTANCE": str(running.instance)}))
    with app.app_context(), reading() as session:
        rows = session.scalars(select(UsageDay)).all()
        db.engine.dispose()
    assert {row.day for row in rows} <= {begun, datetime.now(UTC).date()}
    counts = [sum(getattr(row, name) for row in rows) for name in ("requests", "refusals", "errors")]
    assert counts == [64, 4, 5]
