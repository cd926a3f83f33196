import json

import click

from adoption.animals import visibility_job
from adoption.commands import Noun
from adoption.projects import publication, site_edits
from adoption.projects.queries import all_projects, find_project_by_slug, slug_of_petfinder_id
from adoption.storage.database import reading
from adoption.three_way_merge import fingerprints

project = Noun("project", help="Adoption sites.")


@project.command("list")
@click.option("--json", "as_json", is_flag=True, help="Print a JSON array.")
def list_projects(as_json: bool) -> None:
    """List all projects."""
    with reading() as session:
        rows = [
            {
                "project": each.slug,
                "name": each.name,
                "account": each.account_id,
                "live_deploy": each.live_deploy,
                "petfinder_id": each.petfinder_id,
            }
            for each in all_projects(session)
        ]
    if as_json:
        click.echo(json.dumps(rows))
        return
    for row in rows:
        live = f"deploy {row['live_deploy']} live" if row["live_deploy"] else "not published"
        click.echo(f"{row['project']}\t{row['name']}\t{live}\t{row['petfinder_id'] or ''}".rstrip())


@project.command("publish")
@click.argument("project")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def publish(project: str, as_json: bool) -> None:
    """Publish the site of PROJECT."""
    deploy = publication.publish_site(project)
    visibility_job.apply_all()  # no worker may be running
    if as_json:
        click.echo(
            json.dumps(
                {"deploy": deploy.number, "succeeded": deploy.succeeded, "reason": deploy.reason or None}
            )
        )
    if not deploy.succeeded:
        raise click.ClickException(f"Deploy {deploy.number} failed. {deploy.reason}")
    click.echo(f"Deploy {deploy.number} of {project} is live.", err=True)


@project.command("unpublish")
@click.argument("project")
def unpublish(project: str) -> None:
    """Take the site of PROJECT offline, and its animals out of all catalogues."""
    with reading() as session:
        project_id = find_project_by_slug(session, project).id
    publication.unpublish_site(project_id)
    visibility_job.apply_all()
    click.echo(
        f"The site of {project} is offline. homeward project publish {project} brings it back.", err=True
    )


@project.command("petfinder-id")
@click.argument("project")
@click.argument("petfinder_id", default="")
def set_petfinder_id(project: str, petfinder_id: str) -> None:
    """Set the Petfinder id of PROJECT, such as NJ333. Without an id, remove it.

    Only one project can have an id. To settle a conflict, remove the id from the other project first.
    """
    with reading() as session:
        found = find_project_by_slug(session, project)
    opened = fingerprints({"in_directory": found.in_directory, "petfinder_id": found.petfinder_id})
    texts = {"in_directory": "yes" if found.in_directory else "", "petfinder_id": petfinder_id}
    saved = site_edits.save_directory_listing(found.id, site_edits.SiteEdit(texts, opened, {}))
    if saved.wrong:
        with reading() as session:
            holder = slug_of_petfinder_id(session, petfinder_id.strip().upper())
        remove = (
            f"{holder} has this id. Remove the id from {holder} first: homeward project petfinder-id {holder}"
        )
        raise click.ClickException(remove if holder else f"{saved.wrong['petfinder_id']}.")
    click.echo(f"The Petfinder id of {project} is {saved.now['petfinder_id'] or 'removed'}.", err=True)
