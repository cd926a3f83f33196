"""What a catalogue page says of itself: its heading, its title, and what a screen reader hears."""

from adoption.animals.catalogue import COMPANIONS, CatalogueFilters
from portal import labels
from portal.catalogue.search import CatalogueResult


def heading(found: CatalogueResult) -> str:
    """How many animals there are."""
    one, many = nouns(found.wanted)
    total = total_of(found)
    if found.counts.beyond and found.next:
        return f"More than {total:,} {many}"
    return labels.counted(total, one, many) if total else f"No {many} match"


def nouns(wanted: CatalogueFilters) -> tuple[str, str]:
    """One animal and several, of the species that is wanted."""
    species = labels.SPECIES_BY_ID.get(wanted.category_id or 0)
    return (species.one, species.plural) if species else ("animal", "animals")


def total_of(found: CatalogueResult) -> int:
    """How many there are: what is shown, where that is all; a count may be a little older than the page."""
    if found.next is None and not found.asked.after:
        return len(found.animals)
    return max(found.counts.total, len(found.animals) + (found.next is not None))


def announcement(found: CatalogueResult) -> str:
    """What a screen reader says when the results change."""
    if not found.close:
        return heading(found)
    comes = "comes" if total_of(found) == 1 else "come"
    return f"{nothing_exact(found)} {heading(found)} {comes} close."


def nothing_exact(found: CatalogueResult) -> str:
    return f"Nothing matches “{found.query.left_text}” exactly."


def title(found: CatalogueResult) -> str:
    """What the page is, for a browser's tab and a bookmark."""
    filters = filters_in_words(found.wanted, found.asked.status)
    if found.shelter:
        filters = f"{filters or 'animals'} at {found.shelter.name}"
    ending = "" if found.asked.status == "sold" else " to adopt"
    filters = labels.capital(f"{filters}{ending}") if filters else ""
    quoted = f"“{found.query.left_text}”" if found.query.left_text else ""
    return ": ".join(part for part in (quoted, filters) if part) or "Find an animal"


def filters_in_words(wanted: CatalogueFilters, status: str = "") -> str:
    """The filters as people say them, such as "senior dogs good with cats"; empty without any."""
    state = {"available": "available", "pending": "reserved", "sold": "adopted"}.get(status, "")
    adjectives = (state, wanted.age, labels.SIZES.get(wanted.size or "", "").lower(), wanted.sex)
    _, many = nouns(wanted)
    companions = " and ".join(each for each in COMPANIONS if each in wanted.companions)
    company = f"good with {companions}" if companions else ""
    if not (any(adjectives) or company or wanted.category_id):
        return ""
    return " ".join(part for part in (*adjectives, many, company) if part)


def range_in_words(found: CatalogueResult) -> str:
    """How far the page reaches; empty where all are shown, and where it began in the middle."""
    if found.asked.after or not found.next:
        return ""
    total = total_of(found)
    of = f"more than {total:,}" if found.counts.beyond else f"{total:,}"
    return f"{len(found.animals)} of {of} shown"
