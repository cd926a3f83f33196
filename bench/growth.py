"""Test whether a request costs more in a large database: ``python -m bench.growth``.

One database has 1,000 animals in one project. The other has 1,000,000 animals in 1,000 projects, and each
request uses a different project's key.

``--million FOLDER`` is an existing instance folder (``homeward demo load --animals 1000000 --projects
1000``). The benchmark copies the folder, and updates the copy's indexes to the current migration.
"""

import os
import random
import shutil
import sqlite3
import sys
import tempfile
from collections.abc import Sequence
from contextlib import ExitStack, closing
from pathlib import Path
from types import SimpleNamespace
from typing import NamedTuple

from bench import measure
from bench.instances import LIST, UNLIMITED, Instance, bearer, new_instance
from bench.measure import Load, Run, fetch, raw

PROJECTS = 1_000
MILLION = 1_000_000
PAGE = 20
READS = ("first page", "deep page", "one animal")
FILE = "homeward.sqlite3"

WITH_ENOUGH = """
SELECT projects.id, projects.slug FROM projects JOIN animals ON animals.project_id = projects.id
WHERE animals.status = 'available' AND animals.listed = 1
GROUP BY projects.id HAVING count(*) > 100 ORDER BY projects.id
"""
DEEP = """
SELECT id FROM animals WHERE project_id = ? AND status = 'available' AND listed = 1
ORDER BY id DESC LIMIT 1 OFFSET 30
"""
SCHEMA = "SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL"


class Reader(NamedTuple):
    """The requests of one project's key."""

    key: dict[str, str]
    deep: str
    animal: int

    def requests(self) -> tuple[bytes, bytes, bytes]:
        paths = (LIST, f"{LIST}&cursor={self.deep}", f"/v1/pets/{self.animal}")
        first, deep, one = (raw(path, self.key) for path in paths)
        return first, deep, one


def copied_instance(given: Path, folder: Path, fresh: Instance) -> Instance:
    """Return a copy of an instance, with the indexes of a fresh instance."""
    folder.mkdir(parents=True)
    with closing(sqlite3.connect(f"file:{given / FILE}?mode=ro", uri=True)) as source:
        source.execute("SELECT count(*) FROM animals").fetchone()
    for file in given.glob(f"{FILE}*"):
        shutil.copy(file, folder)
    with (
        closing(sqlite3.connect(fresh.folder / FILE)) as model,
        closing(sqlite3.connect(folder / FILE)) as copy,
    ):
        wanted, found = set(model.execute(SCHEMA)), set(copy.execute(SCHEMA))
        if others := {row[1] for row in as_sets(wanted) ^ as_sets(found) if row[0] != "index"}:
            sys.exit(f"{given} has other tables than the present migration: {', '.join(sorted(others))}")
        wanted, found = ({row for row in rows if row[0] == "index"} for rows in (wanted, found))
        for _, name, _ in found - wanted:
            copy.execute(f'DROP INDEX "{name}"')
        for _, name, sql in wanted - found:
            print(f"Building the index {name} ...", file=sys.stderr)
            copy.execute(sql)
        copy.commit()
    return Instance(folder)


def as_sets(schema: set[tuple[str, str, str]]) -> set[tuple[str, str, frozenset[str]]]:
    """Return the schema with constraints as sets.

    The order of constraints differs between runs of a migration.
    """
    return {
        (kind, name, frozenset(line.strip(" ,") for line in sql.split("\n"))) for kind, name, sql in schema
    }


def readers(instance: Instance) -> list[Reader]:
    """Return a reader without rate limits for every project with enough animals."""
    database = instance.folder / FILE
    with closing(sqlite3.connect(database)) as connection:
        connection.execute(
            "UPDATE accounts SET plan = 'enterprise', per_minute = ?, per_day = ?", (UNLIMITED, UNLIMITED)
        )
        connection.commit()
        projects = connection.execute(WITH_ENOUGH).fetchall()
        far = {id_: connection.execute(DEEP, (id_,)).fetchone()[0] for id_, _ in projects}
    os.environ.update(instance.environment())
    from werkzeug.test import create_environ

    from adoption.accounts.api_access.api_keys import create_key
    from adoption.request_context import add_to_context
    from api.paging import sign_cursor
    from wsgi import create_app

    made = []
    app = create_app()
    contexts = app.extensions["homeward.contexts"]
    with app.app_context(), contexts.opened(create_environ("/v1/pets")):
        for id_, slug in projects:
            add_to_context(endpoint="v1.list_pets", caller=SimpleNamespace(project_id=id_))
            cursor = f"{far[id_]}-{sign_cursor(str(far[id_]), 'available', app.config['HOMEWARD'])}"
            made.append(Reader(bearer(create_key(slug)[1]), cursor, far[id_]))
    return made


def loads(size: str, stack: ExitStack, instance: Instance) -> list[Load]:
    everybody: Sequence[Reader] = readers(instance)
    random.Random(1).shuffle(everybody)  # type: ignore[arg-type]
    server = stack.enter_context(instance.serve())
    for path in (LIST, f"{LIST}&cursor={everybody[0].deep}"):
        status, body = fetch(server.port, path, everybody[0].key)
        assert status == 200, body
        assert body.count(b'"id"') == PAGE
    columns = zip(*(each.requests() for each in everybody), strict=True)
    named = zip(READS, columns, strict=True)
    return [Load(f"{read}, {size}", server, requests) for read, requests in named]


def main() -> None:
    parser = measure.options(__doc__)
    parser.add_argument("--million", type=Path, metavar="FOLDER", help="a filled instance, to save minutes")
    args = parser.parse_args()
    measure.demand_wrk()
    with tempfile.TemporaryDirectory(prefix="homeward-bench-") as name, ExitStack() as stack:
        small = new_instance(Path(name) / "small")
        if args.million:
            large = copied_instance(args.million, Path(name) / "large", small)
        else:
            print(f"Making {MILLION:,} animals, which takes minutes ...", file=sys.stderr)
            large = new_instance(Path(name) / "large")
            large.load(MILLION, PROJECTS)
        small.load(1_000)
        both = [loads("1 thousand", stack, small), loads("1 million", stack, large)]
        run = Run([each for pair in zip(*both, strict=True) for each in pair], args.rounds, args.seconds)
    run.show()
    measure.goals(
        [
            (
                f"{read}, CPU of 1 million ÷ 1 thousand",
                run.cost(f"{read}, 1 million", f"{read}, 1 thousand"),
                "≤",
                1.12,
                "",
            )
            for read in READS
        ]
    )
    measure.machine(args)


if __name__ == "__main__":
    main()
