"""Sentences about what the undo of an import will do, and about what it did."""

from adoption.imports.undo import UndoCounts
from adoption.translations import gettext, ngettext

Effects = list[tuple[int, str]]
"""Pairs of a number of animals or photos, and a sentence about them."""


def undo_sentences(counts: UndoCounts, is_done: bool) -> list[str]:
    """Return a sentence for each effect of an undo. Effects on no animals or photos are left out."""
    effects = past_effects(counts) if is_done else planned_effects(counts)
    if sentences := [sentence for number, sentence in effects if number]:
        return sentences
    if is_done:
        return [gettext("There was nothing left to undo.")]
    return [gettext("There is nothing left to undo.")]


def planned_effects(counts: UndoCounts) -> Effects:
    return [
        (
            counts.deleted,
            ngettext(
                "%(num)s animal that this import added will be deleted.",
                "%(num)s animals that this import added will be deleted.",
                counts.deleted,
            ),
        ),
        (
            counts.removed,
            ngettext(
                "%(num)s animal that this import added will be "
                "moved to the removed animals, because of later changes.",
                "%(num)s animals that this import added will be "
                "moved to the removed animals, because of later changes.",
                counts.removed,
            ),
        ),
        (
            counts.with_applications,
            ngettext(
                "%(num)s animal that this import added will be kept, because of applications.",
                "%(num)s animals that this import added will be kept, because of applications.",
                counts.with_applications,
            ),
        ),
        (
            counts.restored,
            ngettext(
                "%(num)s animal that this import updated will be set back to the earlier values.",
                "%(num)s animals that this import updated will be set back to the earlier values.",
                counts.restored,
            ),
        ),
        (
            counts.kept,
            ngettext(
                "Later changes to %(num)s animal that this import updated will be kept.",
                "Later changes to %(num)s animals that this import updated will be kept.",
                counts.kept,
            ),
        ),
        (
            counts.photos,
            ngettext(
                "%(num)s photo that this import added to existing animals will be removed.",
                "%(num)s photos that this import added to existing animals will be removed.",
                counts.photos,
            ),
        ),
    ]


def past_effects(counts: UndoCounts) -> Effects:
    return [
        (
            counts.deleted,
            ngettext(
                "%(num)s animal that this import added was deleted.",
                "%(num)s animals that this import added were deleted.",
                counts.deleted,
            ),
        ),
        (
            counts.removed,
            ngettext(
                "%(num)s animal that this import added was "
                "moved to the removed animals, because of later changes.",
                "%(num)s animals that this import added were "
                "moved to the removed animals, because of later changes.",
                counts.removed,
            ),
        ),
        (
            counts.with_applications,
            ngettext(
                "%(num)s animal that this import added was kept, because of applications.",
                "%(num)s animals that this import added were kept, because of applications.",
                counts.with_applications,
            ),
        ),
        (
            counts.restored,
            ngettext(
                "%(num)s animal that this import updated was set back to the earlier values.",
                "%(num)s animals that this import updated were set back to the earlier values.",
                counts.restored,
            ),
        ),
        (
            counts.kept,
            ngettext(
                "Later changes to %(num)s animal that this import updated were kept.",
                "Later changes to %(num)s animals that this import updated were kept.",
                counts.kept,
            ),
        ),
        (
            counts.photos,
            ngettext(
                "%(num)s photo that this import added to existing animals was removed.",
                "%(num)s photos that this import added to existing animals were removed.",
                counts.photos,
            ),
        ),
    ]
