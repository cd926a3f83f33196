"""Export of a project's animals as an Office Open XML workbook (ECMA-376), with the same cells as the CSV.

Fees are numbers and dates are dates, so that users can sum and sort them. Codes and microchips stay text.
Rows are written one by one, so the use of memory does not depend on the number of rows. The file has no
timestamps, so the same animals always result in the same bytes. Some texts start with an apostrophe, as in
the CSV. The apostrophe is needed only if a user saves the workbook as CSV, because text in a workbook cannot
become a formula.
"""

import re
import zipfile
from collections.abc import Sequence
from datetime import date
from typing import IO, Any, cast
from xml.sax.saxutils import escape

from adoption.spreadsheets.exports.own_format import OwnColumn, columns_for, exported_animals, own_cells

MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006"
TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml"
HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'

PARTS = {
    "[Content_Types].xml": f'<Types xmlns="{PACKAGE}/content-types">'
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    '<Default Extension="xml" ContentType="application/xml"/>'
    f'<Override PartName="/xl/workbook.xml" ContentType="{TYPE}.sheet.main+xml"/>'
    f'<Override PartName="/xl/styles.xml" ContentType="{TYPE}.styles+xml"/>'
    f'<Override PartName="/xl/worksheets/sheet1.xml" ContentType="{TYPE}.worksheet+xml"/></Types>',
    "_rels/.rels": f'<Relationships xmlns="{PACKAGE}/relationships">'
    f'<Relationship Id="rId1" Type="{OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
    "xl/workbook.xml": f'<workbook xmlns="{MAIN}" xmlns:r="{OFFICE}">'
    '<sheets><sheet name="Animals" sheetId="1" r:id="rId1"/></sheets></workbook>',
    "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{PACKAGE}/relationships">'
    f'<Relationship Id="rId1" Type="{OFFICE}/worksheet" Target="worksheets/sheet1.xml"/>'
    f'<Relationship Id="rId2" Type="{OFFICE}/styles" Target="styles.xml"/></Relationships>',
    "xl/styles.xml": f'<styleSheet xmlns="{MAIN}">'
    '<numFmts count="1"><numFmt numFmtId="164" formatCode="yyyy-mm-dd"/></numFmts>'
    '<fonts count="2">'
    '<font><sz val="11"/><name val="Calibri"/></font>'
    '<font><b/><sz val="11"/><name val="Calibri"/></font></fonts>'
    '<fills count="2"><fill><patternFill patternType="none"/></fill>'
    '<fill><patternFill patternType="gray125"/></fill></fills>'
    '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>'
    '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>'
    '<cellXfs count="5"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>'
    # 49 is the text format. If a user types a value into such a cell, the value stays unchanged.
    '<xf numFmtId="49" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>'
    '<xf numFmtId="49" fontId="1" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1"/>'
    '<xf numFmtId="164" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>'
    '<xf numFmtId="2" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>'
    "</cellXfs>"
    '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>',
}
SHEET = "xl/worksheets/sheet1.xml"
OPENING = (
    f'<worksheet xmlns="{MAIN}"><sheetViews><sheetView workbookViewId="0">'
    '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>'
)
CLOSING = "</sheetData></worksheet>"
PLAIN, BOLD, DAY, MONEY = 1, 2, 3, 4
"""Indexes of the styles in ``styles.xml``."""
WIDTHS = {"name": 22, "breed_primary": 24, "microchip": 20, "description": 60, "internal_notes": 40}
WIDTH = 14
"""Width, in characters, of each column that is not in ``WIDTHS``."""
DAY_0 = date(1899, 12, 30)
FIRST_DAY = date(1900, 3, 1)
"""The first day that is written as a date. Earlier days are written as text.

Excel treats 1900 as a leap year, so earlier days have other numbers in Excel.
"""

UNWRITABLE = re.compile("[\x00-\x08\x0b-\x1f\ufffe\uffff]|_(?=x[0-9A-Fa-f]{4}_)")
"""Matches characters that XML cannot contain, and text that looks like an escape sequence (ST_Xstring)."""


def write_xlsx(slug: str, file: IO[bytes], private: bool = True) -> int:
    """Write every animal of a project. Return the number of animals.

    Raises NotFound if there is no such project.
    """
    columns, count = columns_for(private), 0
    animals = exported_animals(slug, columns)
    onward = cast(IO[bytes], WriteOnlyFile(file))
    with zipfile.ZipFile(onward, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as archive:
        for name, content in PARTS.items():
            archive.writestr(zip_entry(name), HEAD + content)
        with archive.open(zip_entry(SHEET), "w") as sheet:
            sheet.write((HEAD + OPENING + columns_xml(list(columns)) + "<sheetData>").encode())
            sheet.write(row_xml(1, [text_cell_xml(name, BOLD) for name in columns]).encode())
            for _, values in animals:
                count += 1
                sheet.write(row_xml(count + 1, row_cells_xml(columns, values)).encode())
            sheet.write(CLOSING.encode())
    return count


class WriteOnlyFile:
    """A file that cannot seek, like a pipe. If the file could seek, zipfile would write different bytes."""

    def __init__(self, file: IO[bytes]) -> None:
        self.write, self.flush = file.write, file.flush


def zip_entry(name: str) -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
    entry.compress_type = zipfile.ZIP_DEFLATED
    return entry


def columns_xml(names: Sequence[str]) -> str:
    cols = (
        f'<col min="{place}" max="{place}" width="{WIDTHS.get(name, WIDTH)}" customWidth="1"/>'
        for place, name in enumerate(names, start=1)
    )
    return f"<cols>{''.join(cols)}</cols>"


def row_cells_xml(columns: dict[str, OwnColumn], values: Sequence[Any]) -> list[str]:
    """Return the XML of an animal's cells, each without the address at its start; empty for a blank cell."""
    texts = zip(columns, values, own_cells(columns, values), strict=True)
    return [typed_cell_xml(name, value, text) for name, value, text in texts]


def typed_cell_xml(name: str, value: Any, text: str) -> str:
    if isinstance(value, date) and value >= FIRST_DAY:
        return f' s="{DAY}"><v>{(value - DAY_0).days}</v></c>'
    if name == "fee" and value is not None:
        return f' s="{MONEY}"><v>{text}</v></c>'
    return text_cell_xml(text, PLAIN)


def text_cell_xml(text: str, style: int) -> str:
    if not text:
        return ""
    return f' s="{style}" t="inlineStr"><is><t xml:space="preserve">{escape_xlsx_text(text)}</t></is></c>'


def row_xml(number: int, cells: Sequence[str]) -> str:
    written = "".join(
        f'<c r="{column_letters(place)}{number}"{cell}' for place, cell in enumerate(cells) if cell
    )
    return f'<row r="{number}">{written}</row>'


def column_letters(place: int) -> str:
    """Return the letters of a column from its index, which starts at 0: A to Z, then AA and so on."""
    first, last = divmod(place, 26)
    return (column_letters(first - 1) if first else "") + chr(ord("A") + last)


def escape_xlsx_text(cell: str) -> str:
    return escape(UNWRITABLE.sub(lambda odd: f"_x{ord(odd[0]):04X}_", cell))
