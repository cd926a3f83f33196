"""The API compared with a floor: ``python -m bench.api``.

It measures a list of 20 of 10,000 animals, a single animal, a new animal, records with all fields and two
photos for each animal, and rejected requests. The floor is
a bare Flask view that returns the same bytes (bench/floor.py). For a new animal, the floor is only the
database: one process without HTTP commits the same row repeatedly.
"""

import json
import os
import sqlite3
import tempfile
import time
from contextlib import ExitStack, closing
from pathlib import Path

from adoption.markdown import rendered_columns
from bench import measure
from bench.floor import serving_floor
from bench.instances import LIST, Instance, filled_instance
from bench.measure import Load, Round, Run, Server, fetch, raw

ADDRESSES = 4_000
"""The number of client addresses.

A round needs many addresses, because requests without a key are limited to 60 a minute per address.
"""
RECORDS = "/v1/animals?status=available"
NEW = json.dumps({"name": "Biscuit", "categoryId": 1})
REFUSALS = ("401: wrong key", "429: quota used up", "429: key banned")


class Commits:
    """Single-row commits of the row that createPet writes, on a connection of the service's engine."""

    name = "the database alone"

    def __init__(self, instance: Instance) -> None:
        os.environ["HOMEWARD_INSTANCE"] = str(instance.folder)
        from adoption.storage.database import db
        from wsgi import create_app

        with create_app().app_context():
            self.pooled = db.engine.raw_connection()
        connection = self.pooled.driver_connection
        assert connection is not None
        self.connection = connection
        made = "SELECT * FROM animals WHERE name = 'Biscuit' ORDER BY id DESC LIMIT 1"
        cursor = connection.execute(made)
        row = dict(zip([column[0] for column in cursor.description], cursor.fetchone(), strict=True))
        del row["id"]
        self.sql = f"INSERT INTO animals ({', '.join(row)}) VALUES ({', '.join('?' * len(row))})"
        self.row = tuple(row.values())

    def run(self, seconds: float) -> Round:
        count, used, begun = 0, time.process_time(), time.perf_counter()
        while (passed := time.perf_counter() - begun) < seconds:
            self.connection.execute("BEGIN IMMEDIATE")
            self.connection.execute(self.sql, self.row)
            self.connection.execute("COMMIT")
            count += 1
        return Round(count, passed, time.process_time() - used)


def add_photos_and_texts(instance: Instance) -> None:
    """Give each animal two photos and rendered texts, as animals have that staff saved."""
    with closing(sqlite3.connect(instance.folder / "homeward.sqlite3")) as database, database:
        for id_, text in database.execute("SELECT id, description FROM animals").fetchall():
            made = rendered_columns({"description": text})
            database.execute(
                f"UPDATE animals SET {', '.join(f'{name} = ?' for name in made)} WHERE id = ?",
                (*made.values(), id_),
            )
            database.executemany(
                "INSERT INTO photos (animal_id, position, digest, alt, blur, width, height, created_at)"
                " VALUES (?, ?, ?, '', '', 1600, 1200, '2026-11-29 00:00:00.000000')",
                [(id_, place, f"{id_:032}{place:032}") for place in range(2)],
            )


def until_refused(server: Server, headers: dict[str, str]) -> None:
    while fetch(server.port, LIST, headers)[0] != 429:
        pass


def until_banned(server: Server, headers: dict[str, str]) -> None:
    while b"key_banned" not in fetch(server.port, LIST, headers)[1]:
        pass


def main() -> None:
    args = measure.options(__doc__).parse_args()
    measure.demand_wrk()
    with tempfile.TemporaryDirectory(prefix="homeward-bench-") as name, ExitStack() as stack:
        instance, key = filled_instance(Path(name) / "instance")
        add_photos_and_texts(instance)
        refused = instance.key(instance.account("Refused"))
        # As in production, the service accepts the client's address only from a trusted proxy.
        server = stack.enter_context(instance.serve(HOMEWARD_TRUSTED_PROXIES="127.0.0.1"))
        listed = fetch(server.port, LIST, key)[1]
        animals = json.loads(listed)
        assert len(animals) == 20
        one, record = (f"/v1/{path}/{animals[7]['id']}" for path in ("pets", "animals"))
        floor = stack.enter_context(serving_floor(Path(name), listed, fetch(server.port, one, key)[1]))
        create = Load("create", server, [raw("/v1/pets", key, NEW)], 201)
        create.run(1)  # the row that the floor writes repeatedly
        wrong = [
            raw(LIST, {"Authorization": "Bearer hw_wrong", "X-Forwarded-For": f"10.0.{n // 250}.{n % 250}"})
            for n in range(ADDRESSES)
        ]
        work = [
            Load("floor of the list", floor, [raw("/floor/0", key)]),
            Load("list", server, [raw(LIST, key)]),
            Load("floor of one animal", floor, [raw("/floor/1", key)]),
            Load("one animal", server, [raw(one, key)]),
            Load("20 records", server, [raw(RECORDS, key)]),
            Load("20 records, three members", server, [raw(f"{RECORDS}&fields=id,name,status", key)]),
            Load("one record", server, [raw(record, key)]),
            Load("one record, not modified", server, [raw(record, key | {"If-None-Match": "*"})], 304),
            Commits(instance),
            create,
            Load(REFUSALS[0], server, wrong, 401),
            Load(REFUSALS[1], server, [raw(LIST)], 429, lambda: until_refused(server, {})),
            Load(REFUSALS[2], server, [raw(LIST, refused)], 429, lambda: until_banned(server, refused)),
        ]
        run = Run(work, args.rounds, args.seconds)
    run.show()
    measure.goals(
        [
            ("list ÷ floor, CPU", run.cost("list", "floor of the list"), "≤", 2.5, ""),
            ("list ÷ floor, requests/s", run.rate("list", "floor of the list"), "≥", 0.40, ""),
            ("one animal ÷ floor, CPU", run.cost("one animal", "floor of one animal"), "≤", 2.4, ""),
            ("one animal ÷ floor, requests/s", run.rate("one animal", "floor of one animal"), "≥", 0.42, ""),
            ("20 records ÷ list, requests/s", run.rate("20 records", "list"), "≥", 0.40, ""),
            (
                "three members ÷ list, requests/s",
                run.rate("20 records, three members", "list"),
                "≥",
                0.80,
                "",
            ),
            ("one record ÷ list, requests/s", run.rate("one record", "list"), "≥", 0.60, ""),
            ("304 ÷ list, requests/s", run.rate("one record, not modified", "list"), "≥", 0.85, ""),
            ("create ÷ the database alone", run.rate("create", "the database alone"), "≥", 0.45, ""),
            *((f"{each} ÷ list, CPU", run.cost(each, "list"), "≤", 1.0, "") for each in REFUSALS),
        ]
    )
    measure.machine(args)


if __name__ == "__main__":
    main()
