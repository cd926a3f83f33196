from collections.abc import Collection
from datetime import UTC, datetime

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from adoption.audit import trail
from adoption.audit.actors import OPERATOR, Actor
from adoption.errors import Conflict
from adoption.places.project_places import set_project_place
from adoption.projects.deploys import find_live_deploy, find_successful_deploy
from adoption.projects.introductions import render_introduction
from adoption.projects.models import SITE_TEXTS, Deploy, Project, SiteTexts
from adoption.projects.published_sites import LIVE
from adoption.projects.queries import find_project_by_slug, is_visibility_changing
from adoption.projects.shelter_search_index import index_site
from adoption.storage import queue
from adoption.storage.database import reading, transaction
from adoption.translations import gettext


def publish_site(slug: str, by: Actor = OPERATOR, now: datetime | None = None) -> Deploy:
    """Publish a project's site as a numbered deploy. A successful deploy is live immediately.

    If the deploy failed, it has a ``reason``, and the previous deploy stays live. Raises NotFound if the
    project does not exist.
    """
    with transaction() as session:
        project = lock_project(session, find_project_by_slug(session, slug).id)
        deploy = create_deploy(session, project, project, by, now)
    start_visibility(project.id)
    return deploy


def roll_back_site(project_id: int, number: int, by: Actor = OPERATOR, now: datetime | None = None) -> Deploy:
    """Publish the texts of an earlier deploy again, as a new deploy. The draft does not change.

    Raises NotFound if the deploy failed or does not exist, and Conflict if the deploy is live.
    """
    with transaction() as session:
        project = lock_project(session, project_id)
        if number == project.live_deploy:
            raise Conflict(gettext("Version %(number)s is already live.", number=number))
        earlier = find_successful_deploy(session, project_id, number)
        deploy = create_deploy(session, project, earlier, by, now, restores=number)
    start_visibility(project_id)
    return deploy


def unpublish_site(project_id: int, by: Actor = OPERATOR, now: datetime | None = None) -> None:
    """Take a site offline, and remove its animals from all catalogues.

    Raises Conflict if the site is not published.
    """
    with transaction() as session:
        project = lock_project(session, project_id)
        if project.live_deploy is None:
            raise Conflict(gettext("The site is not published."))
        detail = f"Version {project.live_deploy} was live"
        project.live_deploy = None
        trail.record(
            session, by, "site.unpublished", project.account_id, project.id, project.name, detail, now
        )
    start_visibility(project_id)


def start_visibility(project_id: int) -> None:
    """Start the job that shows or hides the animals of a large project."""
    if is_visibility_changing(project_id):
        queue.start_job("apply_visibility")


def lock_project(session: Session, project_id: int) -> Project:
    """Return the project, locked, so that each deploy gets a number of its own."""
    return session.get_one(Project, project_id, with_for_update=True, populate_existing=True)


def create_deploy(
    session: Session,
    project: Project,
    texts: SiteTexts,
    by: Actor,
    now: datetime | None,
    restores: int | None = None,
) -> Deploy:
    last = session.scalar(select(func.max(Deploy.number)).where(Deploy.project_id == project.id))
    reason = why_not_publishable(texts)
    deploy = Deploy(
        project_id=project.id,
        number=(last or 0) + 1,
        succeeded=not reason,
        reason=reason,
        restores=restores,
        published_by=by.name,
        **{text: getattr(texts, text) for text in SITE_TEXTS},
        **render_introduction(texts.about),
        created_at=now or datetime.now(UTC),
    )
    session.add(deploy)
    session.flush()  # the triggers of ``live_deploy`` read the deploy
    if deploy.succeeded:
        project.live_deploy = deploy.number
        index_site(session, project.id, deploy)
        set_project_place(session, project.id, deploy)
    succeeded = "site.published" if restores is None else "site.rolled-back"
    action = succeeded if deploy.succeeded else "site.publish-failed"
    detail = reason or ("" if restores is None else f"Texts of version {restores}")
    thing = f"Version {deploy.number}"
    trail.record(session, by, action, project.account_id, project.id, thing, detail, now)
    return deploy


def why_not_publishable(texts: SiteTexts) -> str:
    """Return what the site needs before it can be published, as a sentence; empty if nothing is missing."""
    if not texts.name.strip():
        return "Add the name of your shelter, then publish again."
    if not texts.contact_email.strip():
        return "Add a contact email so adopters can reach you, then publish again."
    return ""


def update_places(countries: Collection[str]) -> int:
    """Set the places of the published sites in these countries again. Return the number of the sites."""
    live = select(Project.id).join(Deploy, LIVE).where(Deploy.country.in_(countries))
    with reading() as session:
        ids = session.scalars(live).all()
    for project_id in ids:
        with transaction() as session:
            project = lock_project(session, project_id)
            if deploy := find_live_deploy(session, project):
                set_project_place(session, project_id, deploy)
    return len(ids)
