import json

import click

from adoption.animals import visibility_job
from adoption.commands import Noun
from adoption.projects import publication
from adoption.projects.queries import all_projects, find_project_by_slug
from adoption.storage.database import reading

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
            }
            for each in all_projects(session)
        ]
    if as_json:
        click.echo(json.dumps(rows))
        return
    for row in rows:
        live = f"deploy {row['live_deploy']} live" if row["live_deploy"] else "not published"
        click.echo(f"{row['project']}\t{row['name']}\t{live}")


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
