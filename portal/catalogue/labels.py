"""Heading, title and announcement of a catalogue page."""

from adoption.animals.catalogue import COMPANIONS, CatalogueFilters
from portal import labels
from portal.catalogue.search import CatalogueResult


def heading(found: CatalogueResult) -> str:
    """Return how many animals there are, such as "12 cats"."""
    one, many = nouns(found.wanted)
    total = total_of(found)
    if found.counts.beyond and found.next:
        return f"More than {total:,} {many}"
    return labels.counted(total, one, many) if total else f"No {many} match"


def nouns(wanted: CatalogueFilters) -> tuple[str, str]:
    """Return the singular and the plural of the species."""
    species = labels.SPECIES_BY_ID.get(wanted.category_id or 0)
    return (species.one, species.plural) if species else ("animal", "animals")


def total_of(found: CatalogueResult) -> int:
    """Return how many animals there are. The count may be older than the animals on the page."""
    if found.next is None and not found.asked.after:
        return len(found.animals)
    return max(found.counts.total, len(found.animals) + (found.next is not None))


def announcement(found: CatalogueResult) -> str:
    """Return what a screen reader announces when the results change."""
    if not found.close:
        return heading(found)
    comes = "comes" if total_of(found) == 1 else "come"
    return f"{nothing_exact(found)} {heading(found)} {comes} close."


def nothing_exact(found: CatalogueResult) -> str:
    return f"Nothing matches “{found.query.left_text}” exactly."


def title(found: CatalogueResult) -> str:
    """Return the title of the page."""
    filters = filters_in_words(found.wanted, found.asked.status)
    if found.shelter:
        filters = f"{filters or 'animals'} at {found.shelter.name}"
    ending = "" if found.asked.status == "sold" else " to adopt"
    filters = labels.capitalise(f"{filters}{ending}") if filters else ""
    quoted = f"“{found.query.left_text}”" if found.query.left_text else ""
    return ": ".join(part for part in (quoted, filters) if part) or "Find an animal"


def filters_in_words(wanted: CatalogueFilters, status: str = "") -> str:
    """Return the filters in words, such as "senior dogs good with cats", or "" without any."""
    state = {"available": "available", "pending": "reserved", "sold": "adopted"}.get(status, "")
    adjectives = (state, wanted.age, labels.SIZES.get(wanted.size or "", "").lower(), wanted.sex)
    _, many = nouns(wanted)
    companions = " and ".join(each for each in COMPANIONS if each in wanted.companions)
    company = f"good with {companions}" if companions else ""
    if not (any(adjectives) or company or wanted.category_id):
        return ""
    return " ".join(part for part in (*adjectives, many, company) if part)


def range_in_words(found: CatalogueResult) -> str:
    """Return such as "24 of 80 shown", or "" if all are shown or the page does not begin with the first."""
    if found.asked.after or not found.next:
        return ""
    total = total_of(found)
    of = f"more than {total:,}" if found.counts.beyond else f"{total:,}"
    return f"{len(found.animals)} of {of} shown"
