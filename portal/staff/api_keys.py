"""Pages that create, rename and revoke API keys, and lift their bans."""

import time
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

from flask import Response, current_app, make_response, render_template, request, url_for
from itsdangerous import BadData, URLSafeSerializer
from wtforms import Form, SelectField, SelectMultipleField, StringField
from wtforms.validators import ValidationError

from adoption.accounts.api_access import api_keys
from adoption.accounts.api_access.api_keys import name_of_key
from adoption.accounts.api_access.key_format import SCOPES, new_public_id
from adoption.accounts.models import ApiKey
from adoption.accounts.project_access import ProjectAccess
from adoption.accounts.quotas.bans import Ban
from adoption.accounts.quotas.configured_storage import the_quota_storage
from adoption.errors import Conflict, Invalid, Unavailable
from adoption.storage.database import reading
from adoption.translations import gettext, message
from portal.capitalization import capitalise
from portal.confirmation_dialogs import ask_to_confirm
from portal.current_user import actor
from portal.dates import ago, day_of, duration_in_words
from portal.flash import notice
from portal.responses import see_other
from portal.staff import may, staff

SCOPE_LABELS = {
    "pets:read": (
        message("Read animals"),
        message("See your animals as adopters do: name, species and status."),
    ),
    "pets:write": (message("Add animals"), message("Add new animals to your list.")),
    "orders:read": (
        message("Read applications"),
        message("See the status of applications, never who applied."),
    ),
}
LIVES = {
    "": message("Never"),
    "30": message("In 30 days"),
    "90": message("In 90 days"),
    "365": message("In a year"),
}
"""The choices for when an API key expires: the number of days until then, and the label."""


class KeyForm(Form):
    name = StringField(filters=[lambda text: " ".join((text or "").split())])
    scopes = SelectMultipleField(choices=list(SCOPES), validate_choice=False, default=("pets:read",))
    expires = SelectField(choices=list(LIVES), validate_choice=False, default="")

    def validate_name(self, field: Any) -> None:
        try:
            api_keys.check_key_name(field.data)
        except ValueError as error:
            raise ValidationError(str(error)) from error

    def validate_scopes(self, field: Any) -> None:
        if not field.data or not set(field.data) <= set(SCOPES):
            raise ValidationError(gettext("Choose at least one permission"))

    def validate_expires(self, field: Any) -> None:
        if field.data not in LIVES:
            raise ValidationError(gettext("Choose when the key expires"))

    @property
    def summary(self) -> list[tuple[str, str]]:
        return [(f"key-{name}", str(sentences[0])) for name, sentences in self.errors.items()]

    def expires_at(self, now: datetime) -> datetime | None:
        return now + timedelta(days=int(self.expires.data)) if self.expires.data else None


class ApiKeyRow(NamedTuple):
    """An API key in the table, or in the list of keys that no longer work."""

    id: int
    name: str
    start: str
    access: str
    used: Any
    created: Any
    ended: Any
    """A sentence about when the key was revoked or expired. Empty while the key works."""
    expires: Any
    ban: str
    """How much longer the key is banned, in words. Empty without a ban."""
    lifting: str
    """When an owner can lift the ban: ``now`` or ``later``.

    Empty if there is no ban, or if the ban ends before an owner can lift it.
    """


class Fresh(NamedTuple):
    """A new API key, which is shown only once."""

    name: str
    text: str
    curl: str


@staff.get("/keys")
@may("keys.see")
def keys(access: ProjectAccess) -> Response:
    return render_keys_page(access, KeyForm())


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
        notice(
            gettext("That key was already created, and is shown only once. If you lost it, revoke it."),
            "warn",
        )
        return see_other(url_for(".keys"))
    return render_keys_page(access, KeyForm(), Fresh(name, text, curl_line(text, scopes)))


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
            "Anything that uses it stops working straight away, and this cannot be undone. "
            "To avoid a gap, create a new key and switch over first."
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
    access: ProjectAccess, form: KeyForm, fresh: Fresh | None = None, status: int = 200
) -> Response:
    now = datetime.now(UTC)
    with reading() as session:
        found = api_keys.keys_of_project(session, access.project.slug)
    rows = key_rows(found, now)
    words = {
        "working": [row for row in rows if not row.ended],
        "ended": [row for row in rows if row.ended],
        "form": form,
        "seal": key_sealer(access).dumps(new_public_id()),
        "fresh": fresh,
        "scope_labels": SCOPE_LABELS,
        "lives": LIVES,
    }
    return make_response(render_template("staff/api_keys/index.html", **words), status)


def key_rows(keys: Sequence[ApiKey], now: datetime) -> list[ApiKeyRow]:
    """Return the rows of the keys, newest first. If the quota store does not answer, they show no bans."""
    try:
        bans = the_quota_storage().bans_of(
            [key.id for key in keys if key.revoked_at is None], now.timestamp()
        )
    except Unavailable:
        bans = {}
    rows = []
    for key in reversed(keys):
        ban = bans.get(key.id)
        rows.append(
            ApiKeyRow(
                key.id,
                name_of_key(key),
                f"hw_{key.public_id[:4]}…",
                capitalise(
                    ", ".join(gettext(SCOPE_LABELS[scope][0]).lower() for scope in key.scopes.split())
                ),
                last_use_in_words(key.last_used_at, now),
                last_use_in_words(key.created_at, now),
                ban_end(key, now),
                day_of(key.expires_at, now) if key.expires_at else "",
                duration_in_words(ban.ends - now.timestamp()) if ban else "",
                when_liftable(ban, now.timestamp()) if ban else "",
            )
        )
    return rows


def when_liftable(ban: Ban, now: float) -> str:
    if ban.liftable_from <= now:
        return "now"
    return "later" if ban.liftable_from < ban.ends else ""


def last_use_in_words(when: datetime | None, now: datetime) -> Any:
    return ago(when, now, capitalised=True) if when else ""


def ban_end(key: ApiKey, now: datetime) -> Any:
    if key.revoked_at is not None:
        return gettext("Revoked %(when)s", when=ago(key.revoked_at, now))
    if key.expires_at is not None and key.expires_at <= now:
        return gettext("Expired %(when)s", when=ago(key.expires_at, now))
    return ""


def curl_line(key: str, scopes: Sequence[str]) -> str:
    """Return a ``curl`` command that the scopes of this key allow."""
    base = current_app.config["HOMEWARD"].base_url
    begin = f'curl -H "Authorization: Bearer {key}"'
    if "pets:read" in scopes:
        return f'{begin} "{base}/pets?limit=3"'
    if "orders:read" in scopes:
        return f'{begin} "{base}/store/orders?limit=3"'
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
