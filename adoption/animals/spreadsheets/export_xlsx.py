"""A project's animals as an Office Open XML workbook (ECMA-376): the cells of the CSV, each as text.

Written row by row, so that its size does not matter, and without the hour, so that the same animals give the
same bytes. A cell of text is no formula in a workbook; it bears the CSV's apostrophe all the same, so that it
stays none where somebody saves the sheet as CSV.
"""

import re
import zipfile
from collections.abc import Sequence
from typing import IO, cast
from xml.sax.saxutils import escape

from adoption.animals.spreadsheets.own_format import animals_of, cells_of, columns_for

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
    "xl/styles.xml": f'<styleSheet xmlns="{MAIN}"><fonts count="2">'
    '<font><sz val="11"/><name val="Calibri"/></font>'
    '<font><b/><sz val="11"/><name val="Calibri"/></font></fonts>'
    '<fills count="2"><fill><patternFill patternType="none"/></fill>'
    '<fill><patternFill patternType="gray125"/></fill></fills>'
    '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>'
    '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>'
    '<cellXfs count="3"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>'
    # 49 is text: what is typed into the cell later stays as it is typed.
    '<xf numFmtId="49" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>'
    '<xf numFmtId="49" fontId="1" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1"/>'
    "</cellXfs>"
    '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>',
}
SHEET = "xl/worksheets/sheet1.xml"
OPENING = (
    f'<worksheet xmlns="{MAIN}"><sheetViews><sheetView workbookViewId="0">'
    '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>'
    "<sheetData>"
)
CLOSING = "</sheetData></worksheet>"
BOLD, PLAIN = 2, 1

UNWRITABLE = re.compile("[\x00-\x08\x0b-\x1f\ufffe\uffff]|_(?=x[0-9A-Fa-f]{4}_)")
"""Letters that XML has no place for, and what reads like one that is written in another way (ST_Xstring)."""


def write_xlsx(slug: str, file: IO[bytes], private: bool = True) -> int:
    """Write every animal of a project; gives their number. Raises NotFound."""
    columns, count = columns_for(private), 0
    animals = animals_of(slug, columns)
    onward = cast(IO[bytes], Onward(file))
    with zipfile.ZipFile(onward, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as archive:
        for name, content in PARTS.items():
            archive.writestr(entry(name), HEAD + content)
        with archive.open(entry(SHEET), "w") as sheet:
            sheet.write((HEAD + OPENING + row_of(1, list(columns), BOLD)).encode())
            for _, values in animals:
                count += 1
                sheet.write(row_of(count + 1, cells_of(columns, values), PLAIN).encode())
            sheet.write(CLOSING.encode())
    return count


class Onward:
    """A file that is only written on: where it can go back, an archive has other bytes than in a pipe."""

    def __init__(self, file: IO[bytes]) -> None:
        self.write, self.flush = file.write, file.flush


def entry(name: str) -> zipfile.ZipInfo:
    told = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
    told.compress_type = zipfile.ZIP_DEFLATED
    return told


def row_of(number: int, cells: Sequence[str], style: int) -> str:
    written = "".join(
        f'<c r="{letters_of(place)}{number}" s="{style}" t="inlineStr">'
        f'<is><t xml:space="preserve">{text_of(cell)}</t></is></c>'
        for place, cell in enumerate(cells)
        if cell
    )
    return f'<row r="{number}">{written}</row>'


def letters_of(place: int) -> str:
    """A column's name by its place from 0: A to Z, then AA and so on."""
    first, last = divmod(place, 26)
    return (letters_of(first - 1) if first else "") + chr(ord("A") + last)


def text_of(cell: str) -> str:
    return escape(UNWRITABLE.sub(lambda odd: f"_x{ord(odd[0]):04X}_", cell))
