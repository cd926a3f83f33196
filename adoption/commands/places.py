import json
from pathlib import Path

import click

from adoption.commands import Noun
from adoption.places.loaded_postal_codes import load_postal_codes
from adoption.projects.publication import update_places

places = Noun("places", help="Postal codes, for the distance to shelters.")

LINES_SHOWN_MOST = 20


@places.command("load")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, readable=True, path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def load(file: Path, as_json: bool) -> None:
    """Load the postal codes of FILE, such as GB.txt from download.geonames.org/export/zip.

    Loading a file again changes nothing. Invalid lines are rejected, each with its reason; the rest are
    loaded. ZIP codes of the USA need no file.
    """
    with file.open("rb") as lines:
        summary = load_postal_codes(lines)
    update_places(summary.countries)
    if as_json:
        invalid = [each._asdict() for each in summary.invalid]
        click.echo(
            json.dumps(summary._asdict() | {"invalid": invalid, "countries": sorted(summary.countries)})
        )
        return
    click.echo(f"{summary.added} added, {summary.changed} changed, {summary.unchanged} unchanged.")
    for line in summary.invalid[:LINES_SHOWN_MOST]:
        click.echo(f"Line {line.number} {line.reason}.", err=True)
    if more := len(summary.invalid[LINES_SHOWN_MOST:]):
        click.echo(f"{more} more lines are invalid. --json lists them all.", err=True)
