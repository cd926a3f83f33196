"""Adding another site to an account."""

from flask import Response, make_response, render_template, request, url_for

from adoption.accounts import new_sites
from adoption.accounts.project_access import ProjectAccess
from adoption.errors import Invalid, TooMany
from adoption.platform_addresses import site_address
from adoption.translations import gettext
from portal.current_user import actor
from portal.flash import notice
from portal.responses import see_other
from portal.staff import may, staff


@staff.get("/sites/new")
@may("project.add")
def new_site(access: ProjectAccess) -> Response:
    """Ask for the name of the site. After that, show the web address and ask for confirmation."""
    name = request.args.get("name")
    if name is None:
        return render_new_site_form("")
    try:
        checked = new_sites.check_new_site_name(name)
    except Invalid as refusal:
        return render_new_site_form(name, error=refusal.violations[0][1])
    slug, why_numbered = new_sites.preview_slug(checked)
    return render_new_site_form(checked, site_address(slug), why_numbered=why_numbered)


@staff.post("/sites")
@may("project.add")
def add_site(access: ProjectAccess) -> Response:
    name = request.form.get("name", "")
    try:
        project = new_sites.add_site(access, name, actor())
    except Invalid as refusal:
        return render_new_site_form(name, error=refusal.violations[0][1])
    except TooMany as refusal:
        return render_new_site_form(name, error=refusal.sentence)
    notice(
        gettext(
            "%(name)s added. Its web address will be %(address)s.",
            name=project.name,
            address=site_address(project.slug),
        )
    )
    return see_other(url_for(".animals", slug=project.slug))


def render_new_site_form(name: str, address: str = "", error: str = "", why_numbered: str = "") -> Response:
    """Return the form for the name. If ``address`` is given, return the question whether to add the site."""
    text = render_template(
        "staff/sites/new.html", name=name, address=address, error=error, why_numbered=why_numbered
    )
    return make_response(text, 422 if error else 200)
