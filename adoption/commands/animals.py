import json
import os
import stat
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from adoption.animals.image_format_detection import BYTES_MOST
from adoption.animals.photos import add_photo, clean_alt_text
from adoption.audit.actors import OPERATOR
from adoption.commands import Noun
from adoption.commands.import_options import import_options_from, with_choice_options, with_hints
from adoption.commands.import_summary import summary_lines, undo_hint, undo_summary
from adoption.imports.foreground_runs import import_now, undo_now
from adoption.imports.undo import count_undo
from adoption.projects.queries import find_project_by_slug
from adoption.spreadsheets.exports.export_formats import KINDS, export
from adoption.spreadsheets.exports.petfinder import incomplete_animals
from adoption.spreadsheets.importer import import_animals
from adoption.storage.database import reading

animals = Noun("animals", help="Import, export and photos of a project's animals.")


def progress_bar(words: str) -> Progress:
    return Progress(
        TextColumn(words),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
        disable=not sys.stderr.isatty(),
    )


@animals.command("import")
@click.argument("project")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, readable=True, path_type=Path))
@click.option("--dry-run", is_flag=True, help="Report what would be done, and write nothing.")
@with_choice_options
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def import_file(project: str, file: Path, dry_run: bool, as_json: bool, **flags: Any) -> None:
    """Import the animals of FILE (XLSX, XLS, ODS, CSV, TSV, HTML or JSON) into PROJECT.

    Animals with a known code are updated. All other animals are added. No animal is deleted. Invalid rows are
    rejected, each with its reason; the rest are imported. A blank cell leaves the stored value unchanged.
    """
    bar = progress_bar("Checking" if dry_run else "Importing")
    with with_hints(), bar, file.open("rb") as opened:
        chosen = import_options_from(opened, flags)
        rows = bar.add_task("rows", total=None)
        import_id = None

        def show(done: int, total: int) -> None:
            bar.update(rows, completed=done, total=total)

        if dry_run:
            result = import_animals(project, opened, chosen, dry_run=True, progress=show)
        else:
            import_id, result = import_now(project, opened, file.name, chosen, show)
    if as_json:
        click.echo(json.dumps(result.as_json() | {"import_id": import_id}, ensure_ascii=False))
    else:
        click.echo("\n".join([*summary_lines(result), *undo_hint(project, import_id, result)]))


@animals.command("undo-import")
@click.argument("project")
@click.argument("import_id", type=int)
@click.option("--dry-run", is_flag=True, help="Print what would be undone, and write nothing.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def undo_import(project: str, import_id: int, dry_run: bool, as_json: bool) -> None:
    """Undo the import IMPORT_ID of PROJECT. The id is in the output of the import
    command, and in the address of the import's page.

    Updated values are set back, unless somebody has changed them since. New animals are deleted, except
    those with an application. An import can be undone for 30 days.
    """
    if dry_run:
        with reading() as session:
            project_id = find_project_by_slug(session, project).id
        counts = count_undo(project_id, import_id)
    else:
        with progress_bar("Undoing") as bar:
            task = bar.add_task("rows", total=None)
            counts = undo_now(
                project, import_id, lambda done, total: bar.update(task, completed=done, total=total)
            )
    values = asdict(counts) | {"dry_run": dry_run}
    click.echo(json.dumps(values) if as_json else "\n".join(undo_summary(counts, dry_run)))


@animals.command("add-photo")
@click.argument("project")
@click.argument("animal_id", type=int)
@click.argument("file", type=click.Path(exists=True, dir_okay=False, readable=True, path_type=Path))
@click.option("--alt", default="", metavar="TEXT", help="A description for people who cannot see the photo.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def add_photo_file(project: str, animal_id: int, file: Path, alt: str, as_json: bool) -> None:
    """Add the photo FILE (JPEG, PNG, WebP, AVIF, HEIC or still GIF) to the animal ANIMAL_ID of PROJECT.

    The photo is turned upright. Its metadata, such as where it was taken, is removed.
    """
    with reading() as session:
        project_id = find_project_by_slug(session, project).id
    with file.open("rb") as opened:
        photo = add_photo(project_id, animal_id, opened.read(BYTES_MOST + 1), alt)
    values = {"photo": photo.id, "position": photo.position, "digest": photo.digest}
    if as_json:
        click.echo(json.dumps(values | {"width": photo.width, "height": photo.height, "alt": photo.alt}))
    else:
        click.echo(photo.id)
        click.echo(
            f"Photo {photo.position + 1} of animal {animal_id}: {photo.width} by {photo.height} pixels.",
            err=True,
        )
    if alt and clean_alt_text(alt) != photo.alt:
        click.echo(f"The animal has this photo already, described as: {photo.alt}", err=True)


@animals.command("export")
@click.argument("project")
@click.option("--format", "kind", type=click.Choice(list(KINDS)), default="csv", show_default=True)
@click.option("--public", is_flag=True, help="Leave out private columns, such as microchips.")
def export_all(project: str, kind: str, public: bool) -> None:
    """Print every animal of PROJECT with private columns. Importing the CSV or XLSX again changes nothing."""
    if kind == "xlsx" and sys.stdout.isatty():
        raise click.UsageError("A terminal cannot show a workbook. Write it to a file: > animals.xlsx")
    if kind == "petfinder":
        warn_of_incomplete(project)
    # Bytes, because line ends and the encoding are part of the format.
    export(project, kind, sys.stdout.buffer, not public, OPERATOR, is_file=writes_to_file())
    sys.stdout.buffer.flush()


def writes_to_file() -> bool:
    """Return whether standard output is a file, not a pipe or terminal."""
    try:
        return stat.S_ISREG(os.fstat(sys.stdout.fileno()).st_mode)
    except (OSError, ValueError):
        return False


def warn_of_incomplete(project: str) -> None:
    """Print on standard error which animals Petfinder will leave out."""
    with reading() as session:
        incomplete = incomplete_animals(find_project_by_slug(session, project).id)
    if incomplete.number:
        names = ", ".join(f"{name} ({lacks})" for _, name, lacks in incomplete.first)
        more = ", …" if incomplete.number > len(incomplete.first) else ""
        click.echo(
            f"Petfinder leaves out {incomplete.number:,} animals that lack a field: {names}{more}.", err=True
        )
