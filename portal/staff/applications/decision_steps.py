"""The texts of each decision about an application: the question, its effect and the notice afterwards."""

from collections.abc import Callable
from typing import NamedTuple

from adoption.orders import decisions
from adoption.orders.application_details import ApplicationDetails
from adoption.orders.decisions import DecisionResult
from adoption.text_joining import listed
from portal.labels import counted
from portal.staff.applications.labels import later_readers_in_words, who

Decide = Callable[..., DecisionResult]


class DecisionStep(NamedTuple):
    """A decision and the texts of its page."""

    to: str
    """The new state of the application."""
    decide: Decide
    title: Callable[[ApplicationDetails], str]
    effect: Callable[[ApplicationDetails], str]
    label: str
    keep: str
    done: Callable[[DecisionResult], str]
    tone: str = "primary"
    tells: bool = True
    """Whether the email is ticked at first."""


def approval_effect(file: ApplicationDetails) -> str:
    return f"{animal_names(file)} will be shown as Adoption pending. You can undo the approval later."


def undo_effect(file: ApplicationDetails) -> str:
    """Return what happens to each animal: one that is adopted or approved for someone else stays so."""
    taken = {name for each in file.approved_rivals for name in each.names}
    animals = file.case.animals
    adopted = [each.name for each in animals if each.status == "sold"]
    pending = [each.name for each in animals if each.status == "pending" and each.name in taken]
    free = [name for name in file.case.names if name not in adopted + pending]
    return " ".join(
        sentence.format(listed(names), "stays" if len(names) == 1 else "stay")
        for names, sentence in (
            (free, "Others can adopt {0} again."),
            (pending, "{0} {1} Adoption pending."),
            (adopted, "{0} {1} Adopted."),
        )
        if names
    )


def completion_effect(file: ApplicationDetails) -> str:
    number = len(file.others.found)
    closed = f" {counted(number, 'other application')} will be closed." if number else ""
    return (
        f"{animal_names(file)} will be shown as Adopted.{closed} Emails cannot be unsent. If an animal comes "
        "back, you can record a return later."
    )


def return_effect(file: ApplicationDetails) -> str:
    return (
        f"People can apply for {animal_names(file)} again. Earlier applicants are not emailed. "
        "This cannot be undone."
    )


def approved(done: DecisionResult) -> str:
    return f"Approved. {listed(done.names)} {is_or_are(done)} now Adoption pending.{emailed(done)}"


def completed(done: DecisionResult) -> str:
    have = "has" if len(done.names) == 1 else "have"
    people = (
        f" {counted(done.emailed.number, 'email')} sent." if done.emailed.number else " No email was sent."
    )
    return f"{listed(done.names)} {have} found a home.{people}{later_readers_in_words(done.emailed)}"


def return_notice(done: DecisionResult) -> str:
    return f"{listed(done.names)} {is_or_are(done)} back and can be adopted again.{emailed(done)}"


def is_or_are(done: DecisionResult) -> str:
    return "is" if len(done.names) == 1 else "are"


def emailed(done: DecisionResult) -> str:
    if not done.emailed.number:
        return " No email was sent."
    return f" The applicant has been emailed.{later_readers_in_words(done.emailed)}"


APPROVAL = DecisionStep(
    "approved",
    decisions.approve_application,
    lambda file: f"Approve {name_animals(file)} for {animal_names(file)}?",
    approval_effect,
    "Approve",
    "Keep it waiting",
    approved,
)

UNDONE_APPROVAL = DecisionStep(
    "placed",
    decisions.undo_approval,
    lambda file: f"Undo the approval of {name_animals(file)}?",
    undo_effect,
    "Undo approval",
    "Keep approval",
    lambda done: f"Approval undone. The application is to be reviewed again.{emailed(done)}",
    "danger",
)

COMPLETION = DecisionStep(
    "completed",
    decisions.complete_adoption,
    lambda file: f"Complete the adoption of {animal_names(file)} by {name_animals(file)}?",
    completion_effect,
    "Complete adoption",
    "Not yet",
    completed,
)

RETURN = DecisionStep(
    "returned",
    decisions.record_return,
    lambda file: f"Record that {animal_names(file)} came back from {name_animals(file)}?",
    return_effect,
    "Record the return",
    "Cancel",
    return_notice,
    tells=False,
)

REFUSAL = DecisionStep(
    "declined",
    decisions.decline_application,
    lambda file: f"Decline {name_animals(file)} for {animal_names(file)}?",
    lambda _file: "They can apply again at any time.",
    "Decline application",
    "Keep application",
    lambda done: f"Declined.{emailed(done)}",
    "danger",
)


def animal_names(file: ApplicationDetails) -> str:
    return listed(file.case.names)


def name_animals(file: ApplicationDetails) -> str:
    application = file.case.application
    return who(application) if application and not application.forgotten_at else "this applicant"
