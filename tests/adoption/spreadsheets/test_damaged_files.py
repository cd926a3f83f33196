"""Damaged files of every kind. They are read as far as possible, or rejected with a reason.

To try 20,000 of each: ``HOMEWARD_FILE_MUTATIONS=20000 .venv/bin/pytest -k damaged_file``.
"""

import io
import os
import random
import zipfile
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from adoption.errors import FileRefused
from adoption.spreadsheets.files.file_reader import open_sheet
from adoption.spreadsheets.import_options import ImportOptions
from adoption.spreadsheets.parse_option_inference import infer_options
from adoption.spreadsheets.row_notes import RowRefused
from adoption.spreadsheets.rows.row_parser import parse_row

FILES = Path(__file__).with_name("files")
MUTATIONS = int(os.environ.get("HOMEWARD_FILE_MUTATIONS", "120"))
SEEDS = {path.name: path.read_bytes() for path in sorted(FILES.iterdir())} | {
    "quoted.csv": b'code;name;species;dob;fee\r\nA1;"Rex; ""x""";Dog;31/12/2020;1.250,5\r\nA2;Bo;Cat;;\r\n',
    "petfinder.json": b'{"n": 1, "animals": [{"id": 1, "name": "Rex", "type": "Dog", "breeds": {}}]}',
}
TOKENS = (
    b"\" ' < > &#0; &x; <!-- ]]> <f> <table> </row> \x00 \xff \xe2\x80 \x96 -1 1e400 NaN "
    b'{ [ }, \r \n =" =1+1 '
    b'repeated="99999999" colspan=9 t="s" t="d" t="e" \xef\xbb\xbf \xff\xfe 99999999999999999999999999999999'
).split(b" ")
TODAY = datetime(2024, 6, 15, tzinfo=UTC)
CHOSEN = ImportOptions(category="Dog", day_first=True, photos=True)


def mutated(content: bytes, chance: random.Random) -> bytes:
    for _ in range(chance.choice((1, 1, 2, 3, 8))):
        at, end = sorted(chance.randrange(len(content) + 1) for _ in range(2))
        end = min(end, at + chance.choice((1, 4, 40, 400)))
        match chance.randrange(5):
            case 0:
                content = content[:at] + chance.randbytes(end - at) + content[end:]
            case 1:
                content = content[:at] + content[end:]
            case 2:
                content = content[:end] + content[at:end] * chance.choice((1, 3, 50)) + content[end:]
            case 3:
                content = content[:at] + chance.choice(TOKENS) + content[at:]
            case _:
                content = content[:at] + chance.choice(TOKENS) + content[end:]
    return content[: chance.randrange(len(content) + 1)] if chance.random() < 0.1 else content


def mutated_member(content: bytes, chance: random.Random) -> bytes:
    """Return an archive with one damaged member and a correct checksum."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    name = chance.choice([name for name in members if name.endswith(".xml")])
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for each, data in members.items():
            archive.writestr(each, mutated(data, chance) if each == name else data)
    return file.getvalue()


def read_all(content: bytes) -> None:
    """Read a file as an import does, without a database."""
    sheet = open_sheet(io.BytesIO(content))
    try:
        options = infer_options(sheet, CHOSEN, TODAY)
        for record in sheet:
            with suppress(RowRefused):
                parse_row(options, record)
    finally:
        sheet.close()


@pytest.mark.settings("embedded")
@settings(suppress_health_check=list(HealthCheck), deadline=None, max_examples=MUTATIONS)
@given(name=st.sampled_from(sorted(SEEDS)), seed=st.integers(0, 2**32))
def test_a_damaged_file_is_read_or_rejected(name: str, seed: int) -> None:
    chance = random.Random(seed)
    content = SEEDS[name]
    is_inside = content.startswith(b"PK") and chance.random() < 0.8
    with suppress(FileRefused):
        read_all((mutated_member if is_inside else mutated)(content, chance))
