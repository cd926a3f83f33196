import json
import sys

import click
from flask import current_app
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from adoption.commands import Noun
from demo.loader import LoadResult, load_demo

demo = Noun("demo", help="Made-up shelters and animals.")


@demo.command("load")
@click.option("--animals", type=click.IntRange(0, 100_000_000), default=240, show_default=True)
@click.option("--projects", type=click.IntRange(1, 100_000), default=6, show_default=True)
@click.option("--seed", type=int, default=1, show_default=True, help="Another seed makes other animals.")
@click.option("--yes", is_flag=True, help="Add made-up animals even in production.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def load(animals: int, projects: int, seed: int, yes: bool, as_json: bool) -> None:
    """Add made-up shelters, animals and applications."""
    if current_app.config["HOMEWARD"].environment == "production" and not yes:
        raise click.ClickException(
            "This is a production service, and adopters would see made-up animals. Add --yes to confirm."
        )
    loaded = load_with_bar(animals, projects, seed)
    if as_json:
        counts = {"animals": loaded.animals, "orders": loaded.orders}
        click.echo(json.dumps({"projects": loaded.projects, **counts}))
    click.echo(
        f"Added {loaded.animals:,} animals and {loaded.orders:,} applications "
        f"in {len(loaded.projects):,} project{'s' if len(loaded.projects) != 1 else ''}.",
        err=True,
    )


def load_with_bar(animals: int, projects: int, seed: int) -> LoadResult:
    columns = (TextColumn("Animals"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    hidden = not sys.stderr.isatty()
    with Progress(*columns, console=Console(stderr=True), disable=hidden, transient=True) as bar:
        task = bar.add_task("", total=animals)
        return load_demo(animals, projects, seed, progress=lambda added: bar.advance(task, added))
