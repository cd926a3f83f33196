"""Refusals in business terms. Pages, the API and commands have tables of their answers to refusals."""


class Refusal(Exception):
    """A request that the rules do not allow. ``sentence`` is for the user."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence)
        self.sentence = sentence


class NotFound(Refusal):
    """The thing does not exist, or belongs to another owner."""


class Gone(Refusal):
    """The thing existed and was removed. ``category_id`` is the category of a removed animal."""

    def __init__(self, sentence: str, category_id: int | None = None) -> None:
        super().__init__(sentence)
        self.category_id = category_id


class NotAllowed(Refusal):
    """The caller is known, but lacks the permission."""


class AccessEnded(NotAllowed):
    """The caller is no longer a member of this account."""


class ProofRequired(NotAllowed):
    """The change requires a recent use of the password or a passkey."""


class PlanRequired(NotAllowed):
    """The account's plan does not include the requested feature, but another plan does."""


class PlanLimit(NotAllowed):
    """The account has reached a limit of its plan. Existing data stays."""


class Invalid(Refusal):
    """Input is invalid. ``violations`` is a list of fields, each with the reason."""

    def __init__(self, violations: list[tuple[str, str]]) -> None:
        super().__init__("; ".join(f"{field}: {reason}" for field, reason in violations))
        self.violations = violations


class Conflict(Refusal):
    """The request contradicts the current state."""


class IdempotencyConflict(Conflict):
    """An ``Idempotency-Key`` was reused with a different body."""


class TooMany(Refusal):
    """There were too many attempts. The next attempt is allowed after ``seconds``."""

    def __init__(self, sentence: str, seconds: int = 3_600) -> None:
        super().__init__(sentence)
        self.seconds = seconds


class Unavailable(Refusal):
    """A store is unreachable, locked or full. Nothing was changed, and a retry may succeed."""


class Busy(Unavailable):
    """Too many requests are being handled. Nothing was changed, and a retry may succeed."""


class FileRefused(Refusal):
    """A file cannot be read. The sentence says how to fix it."""


class SettingRefused(Refusal):
    """A setting is invalid. The sentence contains its name."""
