import json

import click
from flask import current_app

from adoption.accounts.api_access import api_keys
from adoption.accounts.api_access.key_format import SCOPES
from adoption.accounts.models import ApiKey
from adoption.commands import Noun
from adoption.storage.database import reading

key = Noun("key", help="API keys of a project.")


@key.command("create")
@click.argument("project")
@click.option("--name", default="", help="What will use it.")
@click.option(
    "--scope", "scopes", multiple=True, type=click.Choice(SCOPES), help="Only this scope. May be repeated."
)
@click.option(
    "--origin",
    "origins",
    multiple=True,
    help="Make a key for web pages of this website, such as https://adopt.example.org. May be repeated.",
)
@click.option("--from-programs", is_flag=True, help="With --origin: programs can use the key too.")
def create(
    project: str, name: str, scopes: tuple[str, ...], origins: tuple[str, ...], from_programs: bool
) -> None:
    """Make a key for PROJECT and print it. It is not shown again."""
    if (origins and scopes) or (from_programs and not origins):
        raise click.UsageError(
            "A key for web pages only reads the directory: use --origin without --scope, and --from-programs "
            "only with --origin."
        )
    if origins:
        is_development = current_app.config["HOMEWARD"].environment == "development"
        made, text = api_keys.create_publishable_key(
            project, name, origins, from_programs, is_development=is_development
        )
    else:
        made, text = api_keys.create_key(project, name, scopes)
    click.echo(text)
    click.echo(
        f"Key {made.public_id} for {project}, with {made.scopes}. The key is not shown again.", err=True
    )


@key.command("list")
@click.argument("project")
@click.option("--json", "as_json", is_flag=True, help="Print a JSON array.")
def list_keys(project: str, as_json: bool) -> None:
    """List the keys of PROJECT."""
    with reading() as session:
        rows = [key_row(each) for each in api_keys.keys_of_project(session, project)]
    if as_json:
        click.echo(json.dumps(rows))
        return
    for row in rows:
        state = "revoked" if row["revoked"] else "active"
        click.echo("\t".join([str(row["id"]), state, str(row["name"]), " ".join(row["scopes"])]))  # type: ignore[arg-type]


def key_row(key: ApiKey) -> dict[str, object]:
    times = {
        "created": key.created_at,
        "last_used": key.last_used_at,
        "expires": key.expires_at,
        "revoked": key.revoked_at,
    }
    return {
        "id": key.public_id,
        "name": key.name,
        "scopes": key.scopes.split(),
        "origins": key.origins.split(),
        **{what: time and time.isoformat(timespec="seconds") for what, time in times.items()},
    }


@key.command("revoke")
@click.argument("key_id")
def revoke(key_id: str) -> None:
    """Revoke a key from the next request on. KEY_ID is its id or its complete text."""
    revoked = api_keys.revoke_key(key_id)
    click.echo(f"Revoked {revoked.public_id}.", err=True)
