"""Pages that create, rename and revoke API keys, and lift their bans."""

import time
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import NamedTuple

from flask import Response, current_app, make_response, render_template, request, url_for
from itsdangerous import BadData, URLSafeSerializer

from adoption.accounts.api_access import api_keys
from adoption.accounts.api_access.api_keys import name_of_key
from adoption.accounts.api_access.key_format import DIRECTORY_READ, new_public_id
from adoption.accounts.api_access.page_origins import ORIGINS_MOST
from adoption.accounts.project_access import ProjectAccess
from adoption.accounts.quotas.configured_storage import the_quota_storage
from adoption.errors import Conflict, Invalid
from adoption.storage.database import reading
from adoption.translations import gettext
from portal.confirmation_dialogs import ask_to_confirm
from portal.current_user import actor
from portal.dates import ago
from portal.flash import notice
from portal.responses import see_other
from portal.staff import may, staff
from portal.staff.api_key_forms import LIVES, SCOPE_LABELS, KeyForm, PublishableKeyForm, is_development
from portal.staff.api_key_rows import key_rows


class Fresh(NamedTuple):
    """A new API key, which is shown only once."""

    name: str
    text: str
    curl: str


@staff.get("/keys")
@may("keys.see")
def keys(access: ProjectAccess) -> Response:
    return render_keys_page(access)


@staff.post("/keys")
@may("keys.edit")
def create_key(access: ProjectAccess) -> Response:
    form, now = KeyForm(request.form), datetime.now(UTC)
    if not form.validate():
        return render_keys_page(access, form, status=422)
    public_id = sealed_id(access, request.form.get("form", ""))
    slug, name, scopes = access.project.slug, form.name.data, form.scopes.data
    try:
        _, text = api_keys.create_key(slug, name, scopes, form.expires_at(now), public_id, actor())
    except Conflict:
        return redirect_with_key_exists()
    return render_keys_page(access, fresh=Fresh(name, text, curl_line(text, scopes)))


@staff.post("/keys/publishable")
@may("keys.edit")
def create_publishable_key(access: ProjectAccess) -> Response:
    form, now = PublishableKeyForm(request.form), datetime.now(UTC)
    if not form.validate():
        return render_keys_page(access, page_form=form, status=422)
    public_id = sealed_id(access, request.form.get("form", ""))
    try:
        key, text = api_keys.create_publishable_key(
            access.project.slug,
            form.name.data,
            form.typed_origins,
            form.from_programs.data,
            form.expires_at(now),
            public_id,
            actor(),
            is_development=is_development(),
        )
    except Conflict:
        return redirect_with_key_exists()
    return render_keys_page(
        access, fresh=Fresh(key.name, text, curl_line(text, [DIRECTORY_READ], key.origins))
    )


def redirect_with_key_exists() -> Response:
    notice(
        gettext("That key was already created, and is shown only once. If you lost the key, revoke it."),
        "warn",
    )
    return see_other(url_for(".keys"))


@staff.post("/keys/<int64:key_id>/name")
@may("keys.edit")
def rename_key(access: ProjectAccess, key_id: int) -> Response:
    try:
        key = api_keys.rename_key(access.project.id, key_id, request.form.get("name", ""), actor())
        notice(gettext("Key renamed to %(name)s.", name=name_of_key(key)))
    except Invalid as refusal:
        notice(refusal.violations[0][1], "bad")
    return see_other(url_for(".keys"))


@staff.get("/keys/<int64:key_id>/revocation")
@may("keys.edit")
def revocation(access: ProjectAccess, key_id: int) -> Response:
    with reading() as session:
        key = api_keys.find_key(session, access.project.id, key_id)
    used = gettext("It was used %(when)s.", when=ago(key.last_used_at)) + " " if key.last_used_at else ""
    return ask_to_confirm(
        gettext("Revoke “%(name)s”?", name=name_of_key(key)),
        used
        + gettext(
            "Every program that uses the key stops working straight away, and this cannot be "
            "undone. To avoid a gap, create a new key and switch your programs over first."
        ),
        url_for(".revoke_key", key_id=key_id),
        gettext("Revoke key"),
        gettext("Keep key"),
        url_for(".keys"),
    )


@staff.post("/keys/<int64:key_id>/revocation")
@may("keys.edit")
def revoke_key(access: ProjectAccess, key_id: int) -> Response:
    try:
        key = api_keys.revoke_project_key(access.project.id, key_id, actor())
        notice(gettext("Revoked %(name)s. It no longer works.", name=name_of_key(key)))
    except Conflict:
        notice(gettext("That key was already revoked."), "warn")
    return see_other(url_for(".keys"))


@staff.post("/keys/<int64:key_id>/ban-lifting")
@may("keys.lift")
def lift_ban(access: ProjectAccess, key_id: int) -> Response:
    try:
        key = api_keys.lift_ban(the_quota_storage(), access.project.id, key_id, actor(), time.time())
        notice(gettext("%(name)s is unbanned.", name=name_of_key(key)))
    except Conflict as refusal:
        notice(refusal.sentence, "warn")
    return see_other(url_for(".keys"))


def render_keys_page(
    access: ProjectAccess,
    form: KeyForm | None = None,
    page_form: PublishableKeyForm | None = None,
    fresh: Fresh | None = None,
    status: int = 200,
) -> Response:
    now = datetime.now(UTC)
    with reading() as session:
        found = api_keys.keys_of_project(session, access.project.slug)
    rows = key_rows(found, now)
    words = {
        "working": [row for row in rows if not row.ended],
        "ended": [row for row in rows if row.ended],
        "form": form or KeyForm(),
        "page_form": page_form or PublishableKeyForm(),
        "seal": key_sealer(access).dumps(new_public_id()),
        "fresh": fresh,
        "scope_labels": SCOPE_LABELS,
        "lives": LIVES,
        "origins_most": ORIGINS_MOST,
    }
    return make_response(render_template("staff/api_keys/index.html", **words), status)


def curl_line(key: str, scopes: Sequence[str], origins: str = "") -> str:
    """Return a ``curl`` command that the scopes and origins of this key allow."""
    base = current_app.config["HOMEWARD"].base_url
    begin = f'curl -H "Authorization: Bearer {key}"'
    if origins:
        one_page = origins.split()[0].replace(":*", ":3000").replace("*", "www")
        begin += f' -H "Origin: {one_page}"'
    if "pets:read" in scopes:
        return f'{begin} "{base}/pets?limit=3"'
    if "orders:read" in scopes:
        return f'{begin} "{base}/store/orders?limit=3"'
    if DIRECTORY_READ in scopes:
        return f'{begin} "{base}/directory/shelters?limit=3"'
    animal = """-H "Content-Type: application/json" -d '{"name": "Biscuit", "categoryId": 1}'"""
    return f'{begin} {animal} "{base}/pets"'


def key_sealer(access: ProjectAccess) -> URLSafeSerializer:
    return URLSafeSerializer(current_app.config["SECRET_KEY"], salt=f"new key of {access.project.id}")


def sealed_id(access: ProjectAccess, text: str) -> str | None:
    """Return the public id in the form, so that a form that is sent twice creates only one key.

    None if the form has no valid id.
    """
    try:
        public_id: str = key_sealer(access).loads(text)
    except BadData:
        return None
    return public_id
