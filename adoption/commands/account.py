import json
import sys

import click

from adoption.accounts import account_creation, plan_changes
from adoption.accounts.new_sites import preview_slug
from adoption.accounts.plan_requests import list_plan_requests
from adoption.accounts.plans import GB, PLANS, Caps, quota_of_plan
from adoption.commands import Noun
from adoption.storage.database import reading
from adoption.time_zones import UTC_NAME

account = Noun("account", help="Accounts of shelters and rescues, and their plans.")


@account.command("create")
@click.argument("name")
@click.option("--owner", required=True, metavar="EMAIL", help="The owner's address.")
@click.option("--plan", type=click.Choice(list(PLANS)), default="free", show_default=True)
@click.option("--time-zone", default=UTC_NAME, show_default=True, help="Such as Europe/London.")
@click.option("--password-stdin", is_flag=True, help="Read the owner's password from standard input.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def create(name: str, owner: str, plan: str, time_zone: str, password_stdin: bool, as_json: bool) -> None:
    """Make an account NAME with its first project."""
    password = sys.stdin.readline().rstrip("\r\n") if password_stdin else None
    why_numbered = preview_slug(name).why_numbered
    made, project = account_creation.create_account(name, owner, plan, password, time_zone=time_zone)
    if as_json:
        values = {"account": made.id, "project": project.slug, "name": made.name, "plan": made.plan}
        click.echo(json.dumps(values | {"owner": project.contact_email}))
    else:
        click.echo(project.slug)
        created = f"Account {made.id} on the {made.plan} plan, with the project {project.slug}."
        click.echo(f"{created} {why_numbered}".rstrip(), err=True)


@account.command("set-plan")
@click.argument("project")
@click.argument("plan", metavar="PLAN", type=click.Choice(list(PLANS)))
@click.option("--per-minute", type=int, help="Requests a minute; for enterprise alone.")
@click.option("--per-day", type=int, help="Requests a day; for enterprise alone.")
@click.option("--animals", type=int, help="Animals at most; for enterprise alone. No limit by default.")
@click.option(
    "--photos-gb", type=int, help="GB of photos at most; for enterprise alone. No limit by default."
)
@click.option("--imports-a-day", type=int, help="Imports a day; for enterprise alone. No limit by default.")
def set_plan(
    project: str,
    plan: str,
    per_minute: int | None,
    per_day: int | None,
    animals: int | None,
    photos_gb: int | None,
    imports_a_day: int | None,
) -> None:
    """Put the account of PROJECT on PLAN, from the next request on."""
    caps = Caps(animals, None if photos_gb is None else photos_gb * GB, imports_a_day)
    changed = plan_changes.set_plan(project, plan, per_minute, per_day, caps=caps)
    quota = quota_of_plan(changed.plan, changed.per_minute, changed.per_day)
    numbers = [f"{quota.per_minute:,} requests a minute", f"{quota.per_day:,} a day", *caps.in_words]
    click.echo(f"{changed.name} is on the {plan} plan: {', '.join(numbers)}.", err=True)


@account.command("requests")
@click.option("--json", "as_json", is_flag=True, help="Print a JSON array.")
def requests(as_json: bool) -> None:
    """List the plans that owners have asked for, oldest first.

    set-plan grants a plan, which then disappears from the list.
    """
    with reading() as session:
        rows = [
            {
                "project": each.project,
                "name": each.name,
                "plan": each.plan,
                "requested": each.requested,
                "since": each.since.isoformat(timespec="seconds"),
            }
            for each in list_plan_requests(session)
        ]
    if as_json:
        click.echo(json.dumps(rows))
        return
    for row in rows:
        click.echo("\t".join(row.values()))
    if not rows:
        click.echo("Nobody has asked for another plan.", err=True)
