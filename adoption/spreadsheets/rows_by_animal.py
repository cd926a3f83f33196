"""The parsed rows of a file grouped by animal, and the counts of what an import does with the rows."""

from collections import Counter, defaultdict
from collections.abc import Iterable
from datetime import date

from adoption.spreadsheets.code_clashes import SAME, CodeClash
from adoption.spreadsheets.files.file_reader import Sheet
from adoption.spreadsheets.identity_comparison import Identity
from adoption.spreadsheets.import_result import ImportResult
from adoption.spreadsheets.parsed_rows import ParsedRow
from adoption.spreadsheets.row_notes import RowNote
from adoption.spreadsheets.rows.parse_options import ParseOptions
from adoption.spreadsheets.rows_of_one_animal import AnimalRows, UpsertRow, row_hash
from adoption.spreadsheets.upsert import UpsertResult


class RowsByAnimal:
    """The parsed rows of a file, grouped by animal, and the counts of their outcomes."""

    def __init__(self, options: ParseOptions) -> None:
        self.options = options
        self.groups: dict[str | tuple[str, int], AnimalRows] = {}
        """The rows of each animal. The key is the code, or sheet and row number for an animal without a code.

        If several animals have one code, the first of these animals is linked to the next.
        """
        self.counts: dict[str, int] = Counter()
        self.unlisted = self.blanks = 0
        self.refused: list[RowNote] = []
        self.warnings: list[RowNote] = []
        self.clashes: list[CodeClash] = []
        self.births: defaultdict[tuple[str, int], set[date]] = defaultdict(set)
        """Birth dates of the file's animals without a code, by name and category."""
        self.alike: Counter[tuple[str, int, date | None]] = Counter()
        codes = [column.header for column in options.layout.columns if column.meaning == "code"]
        self.code_header = codes[0] if codes else None
        self.given: dict[str, AnimalRows] = {}
        """Animals that get a new code because their own code clashes, by the new code."""

    def add(self, read: ParsedRow) -> None:
        if read.needs_earlier and read.code not in self.groups:
            self.refused.append(read.needs_earlier)
            return
        self.warnings += read.warnings
        if read.code is None:
            self.add_codeless(read)
            return
        who = Identity.of_row(read)
        last = None
        first = self.groups.get(read.code)
        for group in first.chain() if first else ():
            if self.choice(read.code) == SAME or not group.who.differs_from(who):
                group.add(read)
                return
            last = group
        new = AnimalRows(who, read.stay, row_hash(read), [(read.sheet, read.row)])
        if last is None:
            self.groups[read.code] = new
        else:
            last.next = new

    def choice(self, code: str) -> str:
        """Return the user's choice for the second animal that has this code."""
        return self.options.chosen.clash_of(code)

    def add_codeless(self, read: ParsedRow) -> None:
        name, category_id, born = identity = identity_parts(read)
        nth = self.alike[identity]
        place = (read.sheet, read.row)
        self.groups[place] = AnimalRows(Identity(*identity), read.stay, 0, [place], nth=nth)
        self.alike[identity] += 1
        if born:
            self.births[name, category_id].add(born)

    def winner(self, read: ParsedRow) -> AnimalRows | None:
        """Return the rows of the animal, if this row is the newest stay of the animal; otherwise None."""
        first = self.groups.get((read.sheet, read.row) if read.code is None else read.code)
        chain = first.chain() if first else ()
        return next((group for group in chain if group.newest == read.stay), None)

    def upsert_row(self, read: ParsedRow, group: AnimalRows) -> UpsertRow:
        addresses = {address for _, address in read.photos}
        read.photos += [photo for photo in group.photos if photo[1] not in addresses]
        if read.code is None:
            return UpsertRow(read, group, group.nth, self.births[identity_parts(read)[:2]])
        rivals = []
        for each in self.groups[read.code].chain():
            if each is group:
                break
            rivals.append(each)
        return UpsertRow(read, group, rivals=rivals, choice=self.choice(read.code))

    def is_free(self, code: str, group: AnimalRows) -> bool:
        """Return whether an animal can get this new code. If so, reserve the code for the animal."""
        return code not in self.groups and self.given.setdefault(code, group) is group

    def settle(self, written: Iterable[UpsertResult]) -> None:
        """Count the rows of each animal according to the animal's result."""
        for each in written:
            rows = each.upsert_row.group.rows
            if each.clash:
                self.clashes.append(each.clash)
                clash = (self.code_header, each.clash.code, each.clash.reason)
                self.refused += [RowNote(row, *clash, sheet) for sheet, row in rows]
                continue
            if each.refusal:
                self.refused += [RowNote(row, *each.refusal, sheet) for sheet, row in rows]
                continue
            if each.warning:
                self.warnings.append(RowNote(each.parsed.row, None, "", each.warning, each.parsed.sheet))
            self.counts[each.outcome] += 1
            self.blanks += each.blanks
            self.unlisted += each.parsed.values.get("listed") is False
            changes = each.upsert_row.group.changes if each.outcome != "unchanged" else 0
            self.counts["updated"] += changes
            self.counts["unchanged"] += len(rows) - 1 - changes

    def result(self, sheet: Sheet, dry_run: bool) -> ImportResult:
        return ImportResult(
            sheet.count,
            self.counts["created"],
            self.counts["updated"],
            self.counts["unchanged"],
            self.unlisted,
            sum(len(group.rows) - 1 for first in self.groups.values() for group in first.chain()),
            self.blanks,
            self.options.chosen.clear_blanks,
            dry_run,
            self.options.layout.fields(),
            sorted(self.refused, key=sheet.place_of),
            sorted(self.warnings, key=sheet.place_of),
            sheet.notes,
            self.clashes,
        )


def identity_parts(read: ParsedRow) -> tuple[str, int, date | None]:
    assert read.name is not None and read.category_id is not None  # noqa: S101, PT018 - else ``RowRules`` rejected it
    return read.name, read.category_id, read.exact_birth
