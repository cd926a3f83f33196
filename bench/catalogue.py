"""The cost of pages and searches with a million animals: ``python -m bench.catalogue``.

Pages are compared with the API's list. The statements of a search are measured separately, in the database.
``--million FOLDER`` has the same meaning as in ``bench.growth``.
"""

import os
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack
from datetime import UTC, datetime
from itertools import product
from pathlib import Path

from bench import measure
from bench.growth import MILLION, PROJECTS, copied_instance
from bench.instances import LIST, Instance, filled_instance, new_instance
from bench.measure import Load, Run, fetch, raw

SEARCHES = 500
CLIENTS = 200
"""The number of network addresses that send searches. The limit per address is 300 searches a minute."""
PREFIXES = {
    "cat": ("tab", "siam", "gin", "lu", "bel", "long"),
    "dog": ("lab", "shep", "col", "ter", "whip", "spa"),
}
"""The beginnings of breeds and names, as a person types them."""
FILTERED = "/?species={}&sex=female&q={}"


def pages(name: str, stack: ExitStack, instance: Instance, key: dict[str, str]) -> list[Load]:
    # The service accepts the client's address from a trusted proxy.
    server = stack.enter_context(instance.serve(HOMEWARD_TRUSTED_PROXIES="127.0.0.1"))
    for path in ("/", FILTERED.format("cat", "lu")):
        status, body = fetch(server.port, path)
        assert status == 200, body
        assert b'<li class="animal-card"' in body
    asked = [FILTERED.format(species, word) for species, words in PREFIXES.items() for word in words]
    searches = [raw(path, {"X-Forwarded-For": f"10.{n}.0.1"}) for n, path in product(range(CLIENTS), asked)]
    return [
        Load(f"list, {name}", server, [raw(LIST, key)]),
        Load(f"catalogue, {name}", server, [raw("/")]),
        Load(f"filter and search, {name}", server, searches),
    ]


def searches(instance: Instance) -> dict[str, float]:
    """Return the database's CPU time for a page of each kind of search.

    Each CPU time is the median over many words, in milliseconds.
    """
    os.environ.update(instance.environment())
    from adoption.animals.catalogue import CatalogueFilters
    from adoption.animals.catalogue_orders import best_match
    from adoption.animals.full_text_queries import Term, plain_terms
    from wsgi import create_app

    today = datetime.now(UTC).date()
    rng = random.Random(1)

    def median(wanted: Callable[[], CatalogueFilters]) -> float:
        costs = []
        for _ in range(SEARCHES):
            asked = wanted()
            before = time.process_time()
            best_match(asked, None, 25, today)
            costs.append(time.process_time() - before)
        return statistics.median(costs) * 1e3

    every = [word for words in PREFIXES.values() for word in words]

    def words() -> tuple[Term, ...]:
        return plain_terms(rng.choice(every), 1)

    with create_app().app_context():
        return {
            "search by prefix in one project": median(
                lambda: CatalogueFilters(rng.randint(1, PROJECTS), words=words())
            ),
            "search by prefix in all": median(lambda: CatalogueFilters(words=words())),
        }


def main() -> None:
    parser = measure.options(__doc__)
    parser.add_argument("--million", type=Path, metavar="FOLDER", help="a filled instance, to save minutes")
    args = parser.parse_args()
    measure.demand_wrk()
    with tempfile.TemporaryDirectory(prefix="homeward-bench-") as name, ExitStack() as stack:
        small, small_key = filled_instance(Path(name) / "small")
        if args.million:
            large = copied_instance(args.million, Path(name) / "large", small)
        else:
            print(f"Making {MILLION:,} animals, which takes minutes ...", file=sys.stderr)
            large = new_instance(Path(name) / "large")
            large.load(MILLION, PROJECTS)
        project = large.homeward("project", "list").split()[0]
        large.unlimit(project)
        work = pages("10 thousand", stack, small, small_key) + pages(
            "1 million", stack, large, large.key(project)
        )
        run = Run(work, args.rounds, args.seconds)
        found = searches(large)
    run.show()
    measure.goals(
        [
            (
                f"{page}, requests/s ÷ list, {size}",
                run.rate(f"{page}, {size}", f"list, {size}"),
                "≥",
                goal,
                "",
            )
            for size in ("10 thousand", "1 million")
            for page, goal in (("catalogue", 0.5), ("filter and search", 0.25))
        ]
        + [
            (f"{what}, database", figure, "≤", 1 if "one" in what else 5, " ms")
            for what, figure in found.items()
        ]
    )
    measure.machine(args)


if __name__ == "__main__":
    main()
