"""Questions to the user about a whole file: which encoding, and which sheets?"""

from dataclasses import replace
from typing import IO, Any

from adoption.spreadsheets.column_mapping import open_mapped_sheet
from adoption.spreadsheets.files.file_reader import Sheet
from adoption.spreadsheets.files.text_encoding import EncodingUnsure, encoding_label, encoding_samples
from adoption.spreadsheets.import_options import ImportOptions


def open_with_questions(file: IO[bytes], chosen: ImportOptions, most: int) -> tuple[Sheet, dict[str, Any]]:
    """Return the first ``most`` rows of a file, and the questions about the file as plain JSON.

    If the encoding is uncertain, the likeliest encoding is used. In the questions, ``encodings`` has the
    name, label and some decoded words for each possible encoding. ``asks_encoding`` is true if the user must
    choose an encoding. ``sheets`` has the name of each sheet, and whether the sheet is read. ``notes`` has
    sentences about the file. Raises FileRefused if the file cannot be read, and Invalid if a choice is
    impossible.
    """
    try:
        sheet, is_unsure = open_mapped_sheet(file, chosen, most), False
    except EncodingUnsure as unsure:
        likeliest = replace(chosen, encoding=next(iter(unsure.samples)))
        sheet, is_unsure = open_mapped_sheet(file, likeliest, most), True
    samples = encoding_samples(file) if sheet.encoding else {}
    return sheet, {
        "encodings": [
            {"name": name, "label": encoding_label(name), "sample": sample}
            for name, sample in samples.items()
        ],
        "asks_encoding": is_unsure,
        "sheets": [{"name": name, "is_read": name in sheet.sheets_read} for name in sheet.sheets],
        "notes": sheet.notes,
    }
