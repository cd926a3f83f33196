"""Heading, title and announcement of a catalogue page."""

from adoption.animals.catalogue import COMPANIONS, CatalogueFilters
from portal import labels
from portal.catalogue.search import CatalogueResult


def heading(result: CatalogueResult) -> str:
    """Return how many animals there are, such as "12 cats"."""
    one, many = nouns(result.filters)
    total = total_of(result)
    if result.counts.beyond and result.next:
        return f"More than {total:,} {many}"
    return labels.counted(total, one, many) if total else f"No {many} match"


def nouns(filters: CatalogueFilters) -> tuple[str, str]:
    """Return the singular and the plural of the species."""
    species = labels.SPECIES_BY_ID.get(filters.category_id or 0)
    return (species.one, species.plural) if species else ("animal", "animals")


def total_of(result: CatalogueResult) -> int:
    """Return how many animals there are. The count may be older than the animals on the page."""
    if result.next is None and not result.params.after:
        return len(result.animals)
    return max(result.counts.total, len(result.animals) + (result.next is not None))


def announcement(result: CatalogueResult) -> str:
    """Return what a screen reader announces when the results change."""
    if not result.close:
        return heading(result)
    comes = "comes" if total_of(result) == 1 else "come"
    return f"{nothing_exact(result)} {heading(result)} {comes} close."


def nothing_exact(result: CatalogueResult) -> str:
    return f"Nothing matches “{result.query.left_text}” exactly."


def title(result: CatalogueResult) -> str:
    """Return the title of the page."""
    filters = filters_in_words(result.filters, result.params.status)
    if result.shelter:
        filters = f"{filters or 'animals'} at {result.shelter.name}"
    ending = "" if result.params.status == "sold" else " to adopt"
    filters = labels.capitalise(f"{filters}{ending}") if filters else ""
    quoted = f"“{result.query.left_text}”" if result.query.left_text else ""
    return ": ".join(part for part in (quoted, filters) if part) or "Find an animal"


def filters_in_words(filters: CatalogueFilters, status: str = "") -> str:
    """Return the filters in words, such as "senior dogs good with cats", or "" without any."""
    state = {"available": "available", "pending": "reserved", "sold": "adopted"}.get(status, "")
    adjectives = (state, filters.age, labels.SIZES.get(filters.size or "", "").lower(), filters.sex)
    _, many = nouns(filters)
    companions = " and ".join(each for each in COMPANIONS if each in filters.companions)
    company = f"good with {companions}" if companions else ""
    if not (any(adjectives) or company or filters.category_id):
        return ""
    return " ".join(part for part in (*adjectives, many, company) if part)


def range_in_words(result: CatalogueResult) -> str:
    """Return such as "24 of 80 shown", or "" if all are shown or the page does not begin with the first."""
    if result.params.after or not result.next:
        return ""
    total = total_of(result)
    of = f"more than {total:,}" if result.counts.beyond else f"{total:,}"
    return f"{len(result.animals)} of {of} shown"
