"""Detection of report rows that are not animals: totals, page numbers and print dates."""

import re
from collections.abc import Sequence

TOTAL = re.compile(
    r"(grand |sub[- ]?|overall )?"
    r"(totals?|totale|totaal|sum|summe|gesamt|gesamtsumme|somme|suma|soma|count|average)"
    r"( (of|number of|de))?( (animals?|dogs?|cats?|pets?|records?|rows?))?( count)?( [\d.,]+)?"
)
FOOTER = re.compile(
    r"(page \d+( (of|/) \d+)?|end of (report|list|file)"
    r"|[\d,.]+ (animals?|records?|rows?)( (found|listed|total))?"
    r"|(printed|generated|created|exported|run|report (date|run|generated|printed))\b.*\d.*"
    r"|(number of|no\.? of|#) (animals|records|rows|pets)( [\d.,]+)?)"
)


def is_summary(cells: Sequence[str], width: int) -> bool:
    """Return whether a row is a total or a footer. ``width`` is the number of columns.

    In a total, the first filled cell has a word such as "Total", and all other filled cells have numbers.
    """
    filled = [cell.strip() for cell in cells if cell.strip()]
    if not filled:
        return False
    first = " ".join(filled[0].lower().replace(":", " ").split())
    if TOTAL.fullmatch(first):
        return all(any(letter.isdigit() for letter in cell) for cell in filled[1:])
    return len(filled) == 1 and width > 2 and FOOTER.fullmatch(first) is not None
