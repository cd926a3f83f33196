"""Refusals in business words. Each door has one table from these to its own statuses and sentences."""


class Refusal(Exception):
    """Something asked for that the rules do not allow; the sentence is for the person who asked."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence)
        self.sentence = sentence


class NotFound(Refusal):
    """There is no such thing within the owner it was looked for in."""


class Gone(Refusal):
    """It was there, and was taken away. ``category_id`` tells what kind of animal it was, of an animal."""

    def __init__(self, sentence: str, category_id: int | None = None) -> None:
        super().__init__(sentence)
        self.category_id = category_id


class NotAllowed(Refusal):
    """The caller is known, and may not do this."""


class AccessEnded(NotAllowed):
    """The caller was a member of this account, and is not any more."""


class ProofRequired(NotAllowed):
    """The change needs the password or a passkey, used within the last minutes."""


class PlanRequired(NotAllowed):
    """The account's plan does not give this; another does."""


class PlanLimit(NotAllowed):
    """The account has reached a limit of its plan. What exists stays."""


class Invalid(Refusal):
    """What was given breaks rules; every broken one is in ``violations``, by the field's name."""

    def __init__(self, violations: list[tuple[str, str]]) -> None:
        super().__init__("; ".join(f"{field}: {reason}" for field, reason in violations))
        self.violations = violations


class Conflict(Refusal):
    """What was asked contradicts what is already there."""


class IdempotencyConflict(Conflict):
    """An ``Idempotency-Key`` came again with another body."""


class TooMany(Refusal):
    """The same was asked for so often that it is not even taken down any more; ``seconds`` tells how long."""

    def __init__(self, sentence: str, seconds: int = 3_600) -> None:
        super().__init__(sentence)
        self.seconds = seconds


class Unavailable(Refusal):
    """A store that is needed cannot be reached, is locked or full. Nothing was changed; it will pass."""


class Busy(Unavailable):
    """Too many requests are being handled. Nothing was changed; it will pass."""


class FileRefused(Refusal):
    """A file as a whole cannot be read; the sentence tells what to do about it."""


class SettingRefused(Refusal):
    """A setting from the environment is wrong; the sentence names it."""
