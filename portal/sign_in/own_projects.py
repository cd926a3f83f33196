"""The shelters of the signed-in user, and the page that lists them."""

from flask import Response, url_for

from adoption.accounts.project_access import ProjectAccess, list_project_access
from adoption.accounts.sessions import SignedInUser
from adoption.storage.database import reading
from portal import current_user, portal_blueprint
from portal.sign_in.required_sign_in import sign_in_required
from portal.sign_in.responses import redirect_onward, render_account_page


def projects_of_current_user() -> list[ProjectAccess]:
    """Return all projects of the signed-in user."""
    with reading() as session:
        return list_project_access(session, current_user.signed_in_person().user_id)


@portal_blueprint.get("/projects")
@sign_in_required
def projects(_who: SignedInUser) -> Response:
    """Redirect to the user's only project, or list the user's projects."""
    own_projects = projects_of_current_user()
    if len(own_projects) == 1:
        return redirect_onward(url_for("staff.animals", slug=own_projects[0].project.slug))
    return render_account_page("sign_in/projects.html")
