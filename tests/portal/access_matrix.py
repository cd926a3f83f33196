"""The access matrix: every route that depends on the user, and the users who are allowed.

A new staff route gets one line in ``ROUTES`` for each method: its endpoint, the method, its path below
``/projects/<slug>/`` (or a whole path), the permission (``permissions.PERMISSIONS``) that it needs, and the
smallest valid form. ``{animal}`` in a path, filter or form stands for the id of an animal. The function of
the same name in ``THINGS`` creates the animal for each visit, in the shelter of a colleague. List every id
that a path, a form field or a filter can contain. Another tenant then tries the id.
"""

import io
import itertools
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from string import Formatter
from typing import Any

from sqlalchemy import func, select

from adoption.accounts.api_access.api_keys import create_key
from adoption.accounts.models import Invitation, Member, Passkey, SignIn, User
from adoption.accounts.permissions import EVERYBODY, PERMISSIONS
from adoption.animals.models import BulkChange
from adoption.animals.photo_models import Photo, PhotoUpload
from adoption.audit.actors import Actor
from adoption.audit.models import AuditEntry
from adoption.imports import import_job, start_and_cancel, uploads
from adoption.orders.models import Application, Order
from adoption.projects.adoption_forms import OwnQuestion, add_question
from adoption.projects.models import Project
from adoption.storage.database import reading, transaction
from adoption.storage.media_store import the_media_store
from tests import domains, factories
from tests.cast import PASSWORD, Colleague

NUMBERS = itertools.count(1)

SELF = "self"
"""The right of every signed-in user over their own data."""


@dataclass
class Route:
    endpoint: str
    method: str
    path: str
    right: str
    form: dict[str, object] = field(default_factory=dict)
    then: int = 0
    """The status for allowed users. 0 means the default: 200 for a page, 303 for a form."""

    @property
    def status(self) -> int:
        return self.then or (200 if self.method == "GET" else 303)

    @property
    def roles(self) -> frozenset[str]:
        return EVERYBODY if self.right == SELF else PERMISSIONS[self.right]

    @property
    def things(self) -> list[str]:
        """The things whose ids are in the route's path or form."""
        texts = [self.path, *(each for each in self.form.values() if isinstance(each, str))]
        return sorted({name for text in texts for _, name, _, _ in Formatter().parse(text) if name})

    def made_for(self, whose: Colleague) -> "Route":
        """Return the route with ids of things that were created for this colleague."""
        ids = {name: THINGS[name](whose) for name in self.things}
        form = {
            name: each.format(**ids) if isinstance(each, str) else each for name, each in self.form.items()
        }
        return Route(self.endpoint, self.method, self.path.format(**ids), self.right, form, self.then)


def animal(of: Colleague) -> int:
    return factories.animal(Project(id=of.project_id), "Zqbiscuit", photos=1)


def photo(of: Colleague) -> str:
    """A photo of an animal. The path has the ids of both."""
    animal_id = animal(of)
    with reading() as session:
        photo_id = session.scalars(select(Photo.id).where(Photo.animal_id == animal_id)).one()
    return f"{animal_id}/photos/{photo_id}"


def upload(of: Colleague) -> str:
    """A photo that is being processed. The path has its id and the animal's."""
    animal_id = animal(of)
    made = PhotoUpload(
        account_id=of.account_id, animal_id=animal_id, file_key="uploads/00", created_at=datetime.now(UTC)
    )
    with transaction() as session:
        session.add(made)
    return f"{animal_id}/uploads/{made.id}"


def photo_name(of: Colleague) -> str:
    """The name of a photo's file."""
    animal_id = animal(of)
    name = f"{animal_id:032}{0:032}-400.webp"
    the_media_store().keep({name: b"a picture"})
    return name


def wanted(of: Colleague) -> int:
    """An animal with an application."""
    asked = select(Application.animal_id).where(Application.id == application(of))
    with reading() as session:
        return session.scalars(asked).one()


def bulk_change(of: Colleague) -> int:
    """A change of one animal that can be undone."""
    animal_id = animal(of)
    rest = {
        "change": "status",
        "value": "available",
        "before": f'{{"{animal_id}": {{"status": ["pending", "available"]}}}}',
    }
    return add(BulkChange(project_id=of.project_id, created_at=datetime.now(UTC), **rest))


def question(of: Colleague) -> str:
    """A question of the shelter's own on its adoption form."""
    given = OwnQuestion(f"Zqgarden {next(NUMBERS)}?")
    return add_question(of.project_id, given, Actor(None, of.email)).key


def member(of: Colleague) -> int:
    """Another member of the account."""
    return add(Member(account_id=of.account_id, user_id=person(), role="staff", created_at=factories.NOW))


def person() -> int:
    return add(User(email=f"zq{next(NUMBERS)}@elm.example", name="Zqrobin", created_at=factories.NOW))


def invitation(of: Colleague) -> int:
    number = next(NUMBERS)
    return add(
        Invitation(
            account_id=of.account_id,
            email=f"zq{number}@elm.example",
            role="staff",
            token_hash=f"{number:064}",
            created_at=factories.NOW,
            expires_at=datetime.now(UTC) + timedelta(days=1),
        )
    )


def sign_in(of: Colleague) -> int:
    """Another session of the same colleague."""
    now = datetime.now(UTC)
    rest = {"created_at": now, "seen_at": now, "expires_at": now + timedelta(days=1)}
    return add(SignIn(user_id=id_of(of), token_hash=f"{next(NUMBERS):064}", **rest))


def passkey(of: Colleague) -> int:
    credential = str(next(NUMBERS)).encode()
    rest = {"public_key": b"", "name": "Zqphone", "created_at": factories.NOW}
    return add(Passkey(user_id=id_of(of), credential_id=credential, **rest))


def key(of: Colleague) -> int:
    return int(create_key(of.slug, "Zqkey")[0].id)


def audit_entry(of: Colleague) -> int:
    """The newest audit entry. It is about an API key."""
    create_key(of.slug, "Zqkey")
    with reading() as session:
        newest = select(func.max(AuditEntry.id)).where(AuditEntry.account_id == of.account_id)
        return session.scalars(newest).one() + 1


def spreadsheet(of: Colleague) -> int:
    """A spreadsheet whose columns are not checked yet."""
    file = io.BytesIO(b"code,name,species,born\nZq1,Zqrex,Dog,31/02/2020\nZq2,Zqbo,Dog,\n")
    return uploads.upload_spreadsheet(of.project_id, "zqanimals.csv", file, Actor(id_of(of), of.email)).id


def waiting_import(of: Colleague) -> int:
    return start_and_cancel.request_run(of.project_id, spreadsheet(of), True, Actor(id_of(of), of.email)).id


def tried_import(of: Colleague) -> int:
    """A file that was checked, with a rejected row."""
    import_id = waiting_import(of)
    import_job.run_waiting()
    return import_id


DONE = itertools.count(1)


def done_import(of: Colleague) -> int:
    """An import that added an animal and can be undone."""
    file = io.BytesIO(f"code,name,species\nZq-done-{next(DONE)},Zqmoss,Dog\n".encode())
    import_id = uploads.upload_spreadsheet(of.project_id, "zqdone.csv", file, Actor(id_of(of), of.email)).id
    start_and_cancel.request_run(of.project_id, import_id, False, Actor(id_of(of), of.email))
    import_job.run_waiting()
    return import_id


def id_of(colleague: Colleague) -> int:
    with reading() as session:
        return session.scalars(select(User.id).where(User.email == colleague.email)).one()


def add(row: Any) -> int:
    with transaction() as session:
        session.add(row)
        session.flush()
        return int(row.id)


def application(of: Colleague, status: str = "placed", held_for: str = "") -> int:
    """An application with one order, unless it is held."""
    number = f"{next(NUMBERS):064}"
    rest = {"home": "own", "why": "Zqwhy", "created_at": factories.NOW, "token_hash": number}
    rest |= {"email": f"zq{int(number)}@example.org", "submission": number, "held_for": held_for}
    whose = {"project_id": of.project_id, "animal_id": animal(of)}
    made = add(Application(name="Zqsam", **whose, **rest))
    if not held_for:
        when = {"created_at": factories.NOW, "updated_at": factories.NOW}
        add(Order(application_id=made, status=status, **whose, **when))
    return made


def approved(of: Colleague) -> int:
    return application(of, "approved")


def completed(of: Colleague) -> int:
    return application(of, "completed")


def held(of: Colleague) -> int:
    return application(of, held_for="Zqspam")


def domain(of: Colleague) -> int:
    """A verified domain that is not primary. On the free plan, no job checks the domain's DNS."""
    return domains.add_verified_row(of.project_id, f"zq{next(NUMBERS)}.zq-domain.example")


THINGS: dict[str, Callable[[Colleague], object]] = {
    "application": application,
    "approved": approved,
    "completed": completed,
    "held": held,
    "applicant": application,
    "animal": animal,
    "photo": photo,
    "upload": upload,
    "photo_name": photo_name,
    "wanted": wanted,
    "bulk_change": bulk_change,
    "question": question,
    "member": member,
    "invitation": invitation,
    "sign_in": sign_in,
    "passkey": passkey,
    "key": key,
    "domain": domain,
    "audit_entry": audit_entry,
    "spreadsheet": spreadsheet,
    "waiting_import": waiting_import,
    "tried_import": tried_import,
    "done_import": done_import,
}

EDIT = "animals.edit"
ANIMALS = [
    Route("staff.animals", "GET", "animals", "animals.see"),
    Route("staff.change_animal", "POST", "animals/{animal}/changes", EDIT, {"do": "hold"}),
    Route("staff.change_animals", "POST", "animals/changes", EDIT, {"do": "hold", "id": "{animal}"}),
    Route("staff.remove_animals", "GET", "animals/removal?id={animal}", EDIT),
    Route("staff.remove_animals", "POST", "animals/removal?id={animal}", EDIT),
    Route("staff.adopt_animals", "GET", "animals/adoption?id={wanted}", EDIT),
    Route("staff.adopt_animals", "POST", "animals/adoption?id={wanted}", EDIT, {"tell": "no"}),
    Route("staff.change_details", "GET", "animals/details?id={animal}", EDIT),
    Route("staff.change_details", "POST", "animals/details?id={animal}", EDIT, {"house_trained": "yes"}),
    Route("staff.take_back", "POST", "animals/changes/{bulk_change}/reversal", EDIT),
    Route("staff.new_animal", "GET", "animals/new?like={animal}", EDIT),
    Route(
        "staff.new_animal",
        "POST",
        "animals/new",
        EDIT,
        {"name": "Rex", "category_id": "1", "status": "available", "visibility": "shown", "fee": "hidden"},
    ),
    Route(
        "staff.new_animal",
        "POST",
        "animals/new",
        EDIT,
        {
            "name": "Rex",
            "category_id": "1",
            "status": "available",
            "visibility": "shown",
            "fee": "hidden",
            "bonded_with": "{animal}",
        },
    ),
    Route(
        "staff.check_new", "POST", "animals/checks/bonded_with", EDIT, {"bonded_with": "{animal}"}, then=200
    ),
    Route("staff.edit_animal", "GET", "animals/{animal}", EDIT),
    Route("staff.edit_animal", "POST", "animals/{animal}", EDIT, then=422),
    Route("staff.check_edited", "POST", "animals/{animal}/checks/name", EDIT, then=200),
    Route("staff.photo_file", "GET", "photos/{photo_name}", "animals.see"),
    Route("staff.add_photos", "POST", "animals/{animal}/photos", EDIT),
    Route("staff.show_photo_upload", "GET", "animals/{upload}", EDIT, then=303),
    Route("staff.describe_photo_upload", "POST", "animals/{upload}/description", EDIT, {"alt": "A cat"}),
    Route("staff.remove_photo_upload", "POST", "animals/{upload}/removal", EDIT),
    Route("staff.describe_photo", "POST", "animals/{photo}/description", EDIT, {"alt": "A cat"}),
    Route("staff.move_photo", "POST", "animals/{photo}/position", EDIT, {"to": "first"}),
    Route("staff.order_photos", "POST", "animals/{animal}/photos/order", EDIT, then=409),
    Route("staff.remove_photo", "GET", "animals/{photo}/removal", EDIT),
    Route("staff.remove_photo", "POST", "animals/{photo}/removal", EDIT),
]

MEMBERS = [
    Route("staff.team", "GET", "members", "members.see"),
    Route(
        "staff.invite",
        "POST",
        "members/invitations",
        "members.edit",
        {"email": "sam@example.org", "role": "staff"},
    ),
    Route("staff.think_of_revoking", "GET", "members/invitations/{invitation}/removal", "members.edit"),
    Route("staff.revoke_invitation", "POST", "members/invitations/{invitation}/removal", "members.edit"),
    Route("staff.invite_again", "POST", "members/invitations/{invitation}/sending", "members.edit"),
    Route("staff.think_of_changing_role", "GET", "members/{member}/role?role=owner", "members.edit"),
    Route("staff.send_reset", "POST", "members/{member}/password-reset", "members.edit"),
    Route("staff.change_role", "POST", "members/{member}/role", "members.edit", {"role": "owner"}),
    Route("staff.think_of_removing_member", "GET", "members/{member}/removal", "members.edit"),
    Route("staff.remove_member", "POST", "members/{member}/removal", "members.edit"),
]

SETTINGS = [
    Route("staff.general", "GET", "settings", "project.see"),
    Route("staff.save_directory", "POST", "settings/directory", "project.edit", {"in_directory": "yes"}),
    Route("staff.save_time_zone", "POST", "settings/time-zone", "project.edit", then=422),
    Route("staff.save_texts", "POST", "settings", "project.edit", then=422),
    Route("staff.adoption_form", "GET", "adoption-form", "project.see"),
    Route("staff.add_question", "POST", "adoption-form/questions", "project.edit", then=422),
    Route("staff.edit_question", "GET", "adoption-form/questions/{question}", "project.edit"),
    Route("staff.edit_question", "POST", "adoption-form/questions/{question}", "project.edit", then=422),
    Route("staff.remove_question", "GET", "adoption-form/questions/{question}/removal", "project.edit"),
    Route("staff.remove_question", "POST", "adoption-form/questions/{question}/removal", "project.edit"),
    Route(
        "staff.switch_question",
        "POST",
        "adoption-form/questions/{question}/asked",
        "project.edit",
        {"asked": "no"},
    ),
    Route("staff.reorder_questions", "POST", "adoption-form/order", "project.edit", {"up": "why"}),
    Route("staff.colour_sample", "GET", "settings/colour?colour=%23ffe14d", "project.edit"),
    Route("staff.deploys", "GET", "settings/deploys", "project.see"),
    Route("staff.new_site", "GET", "sites/new?name=Elm", "project.add"),
    Route("staff.add_site", "POST", "sites", "project.add", {"name": "Elm"}),
    Route("staff.preview_site", "POST", "settings/preview", "project.see"),
    Route("staff.preview_animal", "POST", "animals/{animal}/preview", "animals.see"),
    Route("staff.stop_site_preview", "GET", "settings/preview/removal", "project.see"),
    Route("staff.stop_site_preview", "POST", "settings/preview/removal", "project.see"),
    Route("staff.stop_animal_preview", "GET", "animals/{animal}/preview/removal", "animals.see"),
    Route("staff.stop_animal_preview", "POST", "animals/{animal}/preview/removal", "animals.see"),
    Route("staff.publish_site", "POST", "settings/deploys", "project.publish"),
    Route("staff.rollback", "GET", "settings/deploys/1/return", "project.publish"),
    Route("staff.roll_back", "POST", "settings/deploys/1/return", "project.publish"),
    Route("staff.offline", "GET", "settings/offline", "project.publish"),
    Route("staff.take_offline", "POST", "settings/offline", "project.publish"),
    Route("staff.domains", "GET", "domains", "domains.see"),
    Route("staff.add_domain", "POST", "domains", "domains.edit", then=422),
    Route("staff.domain_list", "GET", "domains/list", "domains.see", then=303),
    Route("staff.domain_history", "GET", "domains/{domain}/history", "domains.see"),
    Route("staff.ask_about_https", "GET", "domains/{domain}/https", "domains.edit"),
    Route("staff.change_https", "POST", "domains/{domain}/https", "domains.edit"),
    Route("staff.domain_pair", "GET", "domains/pair", "domains.edit"),
    Route("staff.redirects", "GET", "domains/redirects.json", "domains.see"),
    Route("staff.verify_domain", "POST", "domains/{domain}/verification", "domains.edit"),
    Route("staff.make_primary", "POST", "domains/{domain}/primary", "domains.edit"),
    Route("staff.think_of_redirecting", "GET", "domains/{domain}/redirect", "domains.edit"),
    Route("staff.redirect_domain", "POST", "domains/{domain}/redirect", "domains.edit", {"to": "site"}),
    Route(
        "staff.redirect_domain",
        "POST",
        "domains/{domain}/redirect",
        "domains.edit",
        {"to": "{domain}"},
        then=422,
    ),
    Route("staff.think_of_removing", "GET", "domains/{domain}/removal", "domains.edit"),
    Route("staff.remove_domain", "POST", "domains/{domain}/removal", "domains.edit", {"heir": "{domain}"}),
    Route("staff.keys", "GET", "keys", "keys.see"),
    Route("staff.create_key", "POST", "keys", "keys.edit", {"name": "A", "scopes": "pets:read"}, then=200),
    Route(
        "staff.create_publishable_key",
        "POST",
        "keys/publishable",
        "keys.edit",
        {"page-name": "A", "page-origins": "https://adopt.example.org"},
        then=200,
    ),
    Route("staff.rename_key", "POST", "keys/{key}/name", "keys.edit", {"name": "Feed"}),
    Route("staff.revocation", "GET", "keys/{key}/revocation", "keys.edit"),
    Route("staff.revoke_key", "POST", "keys/{key}/revocation", "keys.edit"),
    Route("staff.lift_ban", "POST", "keys/{key}/ban-lifting", "keys.lift"),
    Route("staff.usage", "GET", "usage", "usage.see"),
    Route("staff.windows", "GET", "usage/windows", "usage.see"),
    Route("staff.request_plan", "POST", "usage/request", "plan.request", {"plan": "pro"}),
    Route("staff.withdraw_request", "POST", "usage/request/withdrawal", "plan.request"),
    Route("staff.audit", "GET", "audit?before={audit_entry}", "audit.see"),
    Route("staff.audit_file", "GET", "audit.csv", "audit.see"),
]

OWN = [
    Route("portal.projects", "GET", "/projects", SELF, then=303),
    Route("portal.account", "GET", "/account", SELF),
    Route("portal.rename", "POST", "/account/name", SELF, {"name": "Sam"}),
    Route(
        "portal.change_password",
        "POST",
        "/account/password",
        SELF,
        {"password": PASSWORD},
    ),
    Route(
        "portal.change_email",
        "POST",
        "/account/email",
        SELF,
        {"email": "another@example.org"},
    ),
    Route("portal.sign_out_there", "POST", "/account/sign-ins/{sign_in}/removal", SELF),
    Route("portal.sign_out_elsewhere", "POST", "/account/sign-ins/removal", SELF),
    Route("portal.want_passkey", "POST", "/account/passkeys/challenge", SELF, then=200),
    Route("portal.add_passkey", "POST", "/account/passkeys", SELF),
    Route("portal.rename_passkey", "POST", "/account/passkeys/{passkey}/name", SELF, {"name": "Watch"}),
    Route("portal.think_of_removing_passkey", "GET", "/account/passkeys/{passkey}/removal", SELF),
    Route("portal.review_passkeys", "GET", "/account/passkeys", SELF),
    Route("portal.remove_all_passkeys", "POST", "/account/passkeys/removal", SELF),
    Route("portal.confirm_identity", "GET", "/account/identity", SELF),
    Route("portal.confirm_identity", "POST", "/account/identity", SELF, {"password": PASSWORD}),
    Route("portal.confirm_identity_by_passkey", "POST", "/account/identity/passkey", SELF, then=422),
    Route("portal.remove_passkey", "POST", "/account/passkeys/{passkey}/removal", SELF),
]


SEE, DECIDE, FORGET = "applications.see", "applications.decide", "applications.forget"
APPLICATIONS = [
    Route("staff.applications", "GET", "applications?box=all&animal={animal}", SEE),
    Route("staff.application", "GET", "applications/{application}", SEE),
    Route("staff.send_private_link", "GET", "applications/{application}/private-link", DECIDE),
    Route("staff.send_private_link", "POST", "applications/{application}/private-link", DECIDE),
    Route("staff.add_note", "POST", "applications/{application}/notes", DECIDE, {"note": "Kind."}),
    Route("staff.approve_application", "GET", "applications/{application}/approval", DECIDE),
    Route("staff.approve_application", "POST", "applications/{application}/approval?seen=placed", DECIDE),
    Route("staff.take_approval_back", "GET", "applications/{approved}/approval/removal", DECIDE),
    Route(
        "staff.take_approval_back", "POST", "applications/{approved}/approval/removal?seen=approved", DECIDE
    ),
    Route("staff.complete_adoption", "GET", "applications/{approved}/completion", DECIDE),
    Route("staff.complete_adoption", "POST", "applications/{approved}/completion?seen=approved", DECIDE),
    Route("staff.take_animal_in", "GET", "applications/{completed}/return", DECIDE),
    Route("staff.take_animal_in", "POST", "applications/{completed}/return?seen=completed", DECIDE),
    Route("staff.decline_application", "GET", "applications/{application}/refusal", DECIDE),
    Route("staff.decline_application", "POST", "applications/{application}/refusal?seen=placed", DECIDE),
    Route("staff.release_application", "POST", "applications/{held}/release", DECIDE),
    Route("staff.discard_application", "GET", "applications/{held}/deletion", DECIDE),
    Route("staff.discard_application", "POST", "applications/{held}/deletion", DECIDE),
    Route("staff.assign_application", "POST", "applications/{application}/assignee", DECIDE),
    Route("staff.assign_applications", "POST", "applications/assignees", DECIDE),
    Route("staff.decline_applications", "GET", "applications/refusals?case={application}:placed", DECIDE),
    Route("staff.decline_applications", "POST", "applications/refusals", DECIDE),
    Route("staff.reopen_applications", "POST", "applications/reopening?ref={application}", DECIDE),
    Route("staff.applicant", "GET", "applicants/{applicant}", SEE),
    Route("staff.export_applicant", "POST", "applicants/{applicant}/export", SEE, then=200),
    Route("staff.erase_applicant", "GET", "applicants/{applicant}/erasure", FORGET),
    Route("staff.erase_applicant", "POST", "applicants/{applicant}/erasure", FORGET),
]

IMPORT, EXPORT = "animals.import", "animals.export"
SPREADSHEETS = [
    Route("staff.imports", "GET", "imports", IMPORT),
    Route("staff.upload_import", "POST", "imports", IMPORT, then=422),
    Route("staff.show_import", "GET", "imports/{spreadsheet}", IMPORT),
    Route("staff.choose_columns", "POST", "imports/{spreadsheet}/columns", IMPORT),
    Route("staff.forget_choices", "POST", "imports/{spreadsheet}/forget-choices", IMPORT),
    Route("staff.start_import", "POST", "imports/{spreadsheet}/start", IMPORT, {"run": "try"}),
    Route("staff.ask_to_undo_import", "GET", "imports/{done_import}/undo", IMPORT),
    Route("staff.undo_import", "POST", "imports/{done_import}/undo", IMPORT),
    Route("staff.ask_to_cancel", "GET", "imports/{waiting_import}/cancel", IMPORT),
    Route("staff.cancel_import", "POST", "imports/{waiting_import}/cancel", IMPORT),
    Route("staff.download_report", "GET", "imports/{tried_import}/refused.csv", IMPORT),
    Route("staff.export_animals", "GET", "export", EXPORT),
    Route("staff.download_export", "POST", "export", EXPORT, {"format": "csv"}, then=200),
]

LEAVING = [
    Route("staff.think_of_leaving", "GET", "members/departure", "members.see"),
    Route("staff.leave", "POST", "members/departure", "members.see"),
]
"""Routes that come last. After such a route, no other route is open to the user."""

ROUTES = [*SPREADSHEETS, *APPLICATIONS, *OWN, *SETTINGS, *MEMBERS, *ANIMALS, *LEAVING]

DOOR = {
    "portal.sign_in": {"GET", "POST"},
    "portal.ask_for_passkey": {"POST"},
    "portal.sign_in_by_passkey": {"POST"},
    "portal.sign_out": {"POST"},
    "portal.sign_up": {"GET", "POST"},
    "portal.finish_sign_up": {"GET", "POST"},
    "portal.mailbox": {"GET"},
    "portal.forgotten": {"GET", "POST"},
    "portal.new_password": {"GET", "POST"},
    "portal.invitation": {"GET", "POST"},
    "portal.new_email": {"GET", "POST"},
    "portal.preview": {"GET"},
    "portal.preview_animal": {"GET"},
    "portal.preview_photo": {"GET"},
}
"""Routes for visitors who sign in. They show no stored data. Other tests cover their forms."""
