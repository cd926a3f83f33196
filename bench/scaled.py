"""The list on PostgreSQL and Redis compared with the embedded stores: ``python -m bench.scaled``.

The command starts both servers in the same way as the tests (tests/servers.py). They do not sync to disk,
which does not affect reads.
"""

import tempfile
from contextlib import ExitStack
from pathlib import Path

import psycopg
import pytest

from bench import measure
from bench.instances import LIST, filled_instance
from bench.measure import Load, Run, fetch, raw
from tests import servers


def main() -> None:
    args = measure.options(__doc__).parse_args()
    measure.demand_wrk()
    with tempfile.TemporaryDirectory(prefix="homeward-bench-") as name, ExitStack() as stack:
        try:
            postgres = stack.enter_context(servers.postgres())
            redis = stack.enter_context(servers.redis())
        except pytest.skip.Exception as missing:
            raise SystemExit(str(missing)) from missing
        stores = {"HOMEWARD_DATABASE_URL": postgres, "HOMEWARD_QUOTA_URL": redis}
        embedded, key = filled_instance(Path(name) / "embedded")
        scaled, scaled_key = filled_instance(Path(name) / "scaled", **stores)
        with psycopg.connect(postgres, autocommit=True) as connection:
            # PostgreSQL vacuums automatically, but its first run does not mark pages as all-visible.
            for _ in range(2):
                connection.execute("VACUUM ANALYZE")
        here, there = stack.enter_context(embedded.serve()), stack.enter_context(scaled.serve())
        assert fetch(here.port, LIST, key)[1].count(b'"id"') == 20
        assert fetch(there.port, LIST, scaled_key)[1].count(b'"id"') == 20
        work = [
            Load("embedded", here, [raw(LIST, key)]),
            Load("PostgreSQL and Redis", there, [raw(LIST, scaled_key)]),
        ]
        run = Run(work, args.rounds, args.seconds)
    run.show()
    ratio = run.rate("PostgreSQL and Redis", "embedded")
    measure.goals([("PostgreSQL and Redis ÷ embedded, requests/s", ratio, "≥", 0.5, "")])
    cost = run.cost("PostgreSQL and Redis", "embedded")
    print(f"CPU per request of our processes alone: {cost:.2f} times.\n")
    measure.machine(args)


if __name__ == "__main__":
    main()
