"""The heading and title of a catalogue page, and its other texts with numbers of animals."""

from adoption.animals.catalogue import COMPANIONS, CatalogueFilters
from adoption.text_joining import join_names
from adoption.translations import gettext, message, ngettext
from portal import animal_labels
from portal.capitalization import capitalise
from portal.catalogue.filters import COMPANION_NAMES
from portal.catalogue.search import CatalogueResult
from portal.translated_labels import Labels

STATES = Labels(
    {"available": message("available"), "pending": message("reserved"), "sold": message("adopted")}
)


def heading(result: CatalogueResult) -> str:
    """Return the number of animals in words, such as "12 cats"."""
    total = total_of(result)
    if not total:
        return gettext("No %(animals)s match", animals=plural_of(result.filters))
    number = animal_labels.count_animals(total, result.filters.category_id)
    if result.counts.beyond and result.next:
        return gettext("More than %(animals)s", animals=number)
    return number


def show_found(result: CatalogueResult) -> str:
    """Return the label of the button that closes the filters."""
    if not result.animals:
        return gettext("No animals match")
    number = animal_labels.count_animals(total_of(result), result.filters.category_id)
    if result.counts.beyond and result.next:
        return gettext("Show more than %(animals)s", animals=number)
    return gettext("Show %(animals)s", animals=number)


def plural_of(filters: CatalogueFilters) -> str:
    species = animal_labels.SPECIES_BY_ID.get(filters.category_id or 0)
    return species.plural if species else gettext("animals")


def total_of(result: CatalogueResult) -> int:
    """Return the number of animals.

    The count can be older than the list of animals. So the result is never smaller than the number of animals
    on the page.
    """
    if result.next is None and not result.params.after:
        return len(result.animals)
    return max(result.counts.total, len(result.animals) + (result.next is not None))


def announcement(result: CatalogueResult) -> str:
    """Return what a screen reader announces when the results change."""
    if result.place_error:
        return f"{result.place_error} {heading(result)}"
    if not result.close:
        return heading(result)
    total, animals = total_of(result), heading(result)
    close = ngettext("%(animals)s comes close.", "%(animals)s come close.", total, animals=animals)
    return f"{nothing_exact(result)} {close}"


def nothing_exact(result: CatalogueResult) -> str:
    return gettext("Nothing matches “%(words)s” exactly.", words=result.query.left_text)


def title(result: CatalogueResult) -> str:
    """Return the title of the page."""
    filters = filters_in_words(result.filters, result.params.status)
    if result.shelter:
        animals = filters or gettext("animals")
        filters = gettext("%(animals)s at %(shelter)s", animals=animals, shelter=result.shelter.name)
    if filters and result.params.status != "sold":
        filters = gettext("%(animals)s to adopt", animals=filters)
    if result.place:
        animals = filters or gettext("animals to adopt")
        filters = gettext("%(animals)s near %(place)s", animals=animals, place=result.place.label)
    quoted = f"“{result.query.left_text}”" if result.query.left_text else ""
    return ": ".join(filter(None, (quoted, capitalise(filters)))) or gettext("Find an animal")


def filters_in_words(filters: CatalogueFilters, status: str = "") -> str:
    """Return the filters in words, such as "senior dogs good with cats", or "" if no filter is set."""
    adjectives = (
        STATES.get(status, ""),
        animal_labels.AGE_GROUPS.get(filters.age or "", "").lower(),
        animal_labels.SIZES.get(filters.size or "", "").lower(),
        animal_labels.SEXES.get(filters.sex or "", "").lower(),
    )
    companions = [COMPANION_NAMES[name].lower() for name in COMPANIONS if name in filters.companions]
    if not (any(adjectives) or companions or filters.category_id):
        return ""
    animals = plural_of(filters)
    for adjective in filter(None, reversed(adjectives)):
        animals = gettext("%(adjective)s %(animals)s", adjective=adjective, animals=animals)
    if not companions:
        return animals
    return gettext("%(animals)s good with %(companions)s", animals=animals, companions=join_names(companions))


def range_in_words(result: CatalogueResult) -> str:
    """Return the range in words, such as "24 of 80 shown".

    Empty if the page shows all animals, or if the page does not begin with the first animal.
    """
    if result.params.after or not result.next:
        return ""
    numbers = {"shown": len(result.animals), "total": f"{total_of(result):,}"}
    if result.counts.beyond:
        return gettext("%(shown)s of more than %(total)s shown", **numbers)
    return gettext("%(shown)s of %(total)s shown", **numbers)
