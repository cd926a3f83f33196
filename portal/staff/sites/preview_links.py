"""Preview links to a site's draft or to an animal: creating them, and stopping them."""

from typing import Any

from flask import Response, g, request, url_for
from markupsafe import Markup

from adoption import draft_previews
from adoption.accounts.project_access import ProjectAccess
from adoption.translations import gettext
from portal.confirmation_dialogs import ask_to_confirm
from portal.current_user import actor
from portal.dates import day_and_time
from portal.flash import notice
from portal.responses import see_other
from portal.staff import may, staff


@staff.post("/settings/preview")
@may("project.see")
def preview_site(access: ProjectAccess) -> Response:
    """Create a link to the site with its draft texts, and redirect to it."""
    token = draft_previews.make_link(access.project, None, actor())
    return see_other(url_for("portal.preview", token=token))


@staff.post("/animals/<int64:animal_id>/preview")
@may("animals.see")
def preview_animal(access: ProjectAccess, animal_id: int) -> Response:
    """Create a link to an animal that visitors may not see yet, and redirect to it."""
    token = draft_previews.make_link(access.project, animal_id, actor())
    return see_other(url_for("portal.preview", token=token))


@staff.route("/settings/preview/removal", methods=["GET", "POST"])
@may("project.see")
def stop_site_preview(access: ProjectAccess) -> Response:
    return stop_preview(access, None, url_for(".general"))


@staff.route("/animals/<int64:animal_id>/preview/removal", methods=["GET", "POST"])
@may("animals.see")
def stop_animal_preview(access: ProjectAccess, animal_id: int) -> Response:
    return stop_preview(access, animal_id, url_for(".edit_animal", animal_id=animal_id))


def stop_preview(access: ProjectAccess, animal_id: int | None, back: str) -> Response:
    """Ask whether to stop all preview links to the site or to an animal. If confirmed, stop them."""
    name = draft_previews.what_is_shown(access.project, animal_id)
    if request.method == "POST":
        draft_previews.stop_links(access.project, animal_id, actor())
        notice(gettext("Stopped. Preview links to %(name)s no longer work.", name=name))
        return see_other(back)
    return ask_to_confirm(
        gettext("Stop the preview link to %(name)s?", name=name),
        gettext(
            "All preview links to %(name)s stop working at once, for everyone. You can make a new link at "
            "any time.",
            name=name,
        ),
        request.path,
        gettext("Stop the link"),
        gettext("Keep the link"),
        back,
    )


@staff.context_processor
def preview_dates() -> dict[str, Any]:
    """Return the template function for when a preview link ends. It returns None if there is no link."""
    access: ProjectAccess | None = g.get("access")

    def preview_until(animal_id: int | None = None) -> Markup | None:
        until = draft_previews.works_until(access.project.id, animal_id) if access else None
        return day_and_time(until) if until else None

    return {"preview_until": preview_until}
