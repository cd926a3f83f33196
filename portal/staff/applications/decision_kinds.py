"""The kinds of decisions about an application, each with the texts of its page and the notice afterwards."""

from collections.abc import Callable
from typing import NamedTuple

from adoption.orders import decisions
from adoption.orders.application_page_data import ApplicationOverview
from adoption.orders.decisions import DecisionResult
from adoption.text_joining import join_names
from adoption.translations import gettext, message, ngettext
from portal.staff.applications.labels import later_readers_in_words

Decide = Callable[..., DecisionResult]


class DecisionKind(NamedTuple):
    """A kind of decision, with the texts of its page."""

    to: str
    """The state of the application after the decision."""
    decide: Decide
    title: Callable[[ApplicationOverview], str]
    effect: Callable[[ApplicationOverview], str]
    label: str
    """The label of the button that decides."""
    keep: str
    """The label of the button that leaves the application unchanged."""
    done: Callable[[DecisionResult], str]
    tone: str = "primary"
    tells: bool = True
    """Whether the email to the applicant is ticked when the page is opened."""


def approval_effect(file: ApplicationOverview) -> str:
    return gettext(
        "%(animals)s will be shown as Adoption pending. You can undo the approval later.",
        animals=animal_names(file),
    )


def undo_effect(file: ApplicationOverview) -> str:
    """Return a sentence about the effect that the undo of an approval has on each animal.

    If the animal is adopted, or approved for someone else, its status does not change.
    """
    taken = {name for each in file.approved_rivals for name in each.names}
    animals = file.case.animals
    adopted = [each.name for each in animals if each.status == "sold"]
    pending = [each.name for each in animals if each.status == "pending" and each.name in taken]
    free = [name for name in file.case.names if name not in adopted + pending]
    sentences = []
    if free:
        sentences.append(gettext("Others can adopt %(animals)s again.", animals=join_names(free)))
    if pending:
        sentences.append(
            ngettext(
                "%(animals)s stays Adoption pending.",
                "%(animals)s stay Adoption pending.",
                len(pending),
                animals=join_names(pending),
            )
        )
    if adopted:
        sentences.append(
            ngettext(
                "%(animals)s stays Adopted.",
                "%(animals)s stay Adopted.",
                len(adopted),
                animals=join_names(adopted),
            )
        )
    return " ".join(sentences)


def completion_effect(file: ApplicationOverview) -> str:
    number = len(file.others.found)
    sentences = [gettext("%(animals)s will be shown as Adopted.", animals=animal_names(file))]
    if number:
        sentences.append(
            ngettext(
                "%(num)s other application will be closed.",
                "%(num)s other applications will be closed.",
                number,
            )
        )
    sentences.append(
        gettext("Emails cannot be unsent. If an animal comes back, you can record a return later.")
    )
    return " ".join(sentences)


def return_effect(file: ApplicationOverview) -> str:
    return gettext(
        "People can apply for %(animals)s again. Earlier applicants are not emailed. This cannot be undone.",
        animals=animal_names(file),
    )


def approval_notice(done: DecisionResult) -> str:
    sentence = ngettext(
        "Approved. %(animals)s is now Adoption pending.",
        "Approved. %(animals)s are now Adoption pending.",
        len(done.names),
        animals=join_names(done.names),
    )
    return sentence + email_sentence(done)


def completion_notice(done: DecisionResult) -> str:
    number, names = done.emailed.number, join_names(done.names)
    sentences = [
        ngettext(
            "%(animals)s has found a home.", "%(animals)s have found a home.", len(done.names), animals=names
        ),
        ngettext("%(num)s email sent.", "%(num)s emails sent.", number)
        if number
        else gettext("No email was sent."),
    ]
    return " ".join(sentences) + later_readers_in_words(done.emailed)


def return_notice(done: DecisionResult) -> str:
    sentence = ngettext(
        "%(animals)s is back and can be adopted again.",
        "%(animals)s are back and can be adopted again.",
        len(done.names),
        animals=join_names(done.names),
    )
    return sentence + email_sentence(done)


def email_sentence(done: DecisionResult) -> str:
    if not done.emailed.number:
        return " " + gettext("No email was sent.")
    return " " + gettext("The applicant has been emailed.") + later_readers_in_words(done.emailed)


APPROVAL = DecisionKind(
    "approved",
    decisions.approve_application,
    lambda file: gettext("Approve %(name)s for %(animals)s?", **names_for_title(file)),
    approval_effect,
    message("Approve"),
    message("Keep it waiting"),
    approval_notice,
)

UNDONE_APPROVAL = DecisionKind(
    "placed",
    decisions.undo_approval,
    lambda file: gettext("Undo the approval of %(name)s?", **names_for_title(file)),
    undo_effect,
    message("Undo approval"),
    message("Keep approval"),
    lambda done: gettext("Approval undone. The application is to be reviewed again.") + email_sentence(done),
    "danger",
)

COMPLETION = DecisionKind(
    "completed",
    decisions.complete_adoption,
    lambda file: gettext("Complete the adoption of %(animals)s by %(name)s?", **names_for_title(file)),
    completion_effect,
    message("Complete adoption"),
    message("Not yet"),
    completion_notice,
)

RETURN = DecisionKind(
    "returned",
    decisions.record_return,
    lambda file: gettext("Record that %(animals)s came back from %(name)s?", **names_for_title(file)),
    return_effect,
    message("Record the return"),
    message("Cancel"),
    return_notice,
    tells=False,
)

REFUSAL = DecisionKind(
    "declined",
    decisions.decline_application,
    lambda file: gettext("Decline %(name)s for %(animals)s?", **names_for_title(file)),
    lambda _file: gettext("They can apply again at any time."),
    message("Decline application"),
    message("Keep application"),
    lambda done: gettext("Declined.") + email_sentence(done),
    "danger",
)


def animal_names(file: ApplicationOverview) -> str:
    return join_names(file.case.names)


def applicant_name(file: ApplicationOverview) -> str:
    application = file.case.application
    if application is None or application.forgotten_at:
        return gettext("this applicant")
    return application.name


def names_for_title(file: ApplicationOverview) -> dict[str, str]:
    """Return the names that the title of the page contains."""
    return {"name": applicant_name(file), "animals": animal_names(file)}
