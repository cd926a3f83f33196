"""Encodings of text files."""

import io
from pathlib import Path

import pytest

from adoption.errors import Invalid
from adoption.spreadsheets.files.file_reader import open_sheet
from adoption.spreadsheets.files.text_encoding import EncodingUnsure, encoding_samples
from tests.adoption.spreadsheets.sheets import (
    import_file,
    make_csv,
    only_animal,
    stored_animals,
)
from tests.cast import Shelter

pytestmark = pytest.mark.settings("embedded")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "cp1252"])
@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_encoding_and_delimiter_are_detected(shelter: Shelter, encoding: str, delimiter: str) -> None:
    text = "code,name,species,breed\r\nA1,Cariño,Cat,Siamese\r\n".replace(",", delimiter)
    import_file(shelter, text.encode(encoding))
    assert (only_animal(shelter)["code"], only_animal(shelter)["name"]) == ("A1", "Cariño")


FILES = Path(__file__).with_name("files")


def test_an_invalid_utf8_byte_is_reported_with_its_cell(shelter: Shelter) -> None:
    content = (FILES / "utf8-with-a-stray-byte.csv").read_bytes()
    result = import_file(shelter, content + b"A4,Zo\xc3\xab,Cat,DSH,F,cut off \xe2\x80\n")
    assert [(note.row, note.column) for note in result.warnings] == [(4, "description"), (5, "description")]
    assert [animal["description"] for animal in stored_animals(shelter)[2:]] == ["it\u2019s", "cut off"]


def test_encoding_samples_are_words_that_differ() -> None:
    content = "code,name,species,status\n1,Señor,Dog,verfügbar\n2,Jürgen,Cat,privé\n".encode("cp1252")
    samples = encoding_samples(io.BytesIO(content))
    assert (samples["cp1252"], samples["cp1250"]) == ("Señor", "Seńor")


@pytest.mark.parametrize(
    ("encoding", "text", "is_found"),
    [
        ("cp1252", "Cariño,Zoë,L\u2019été,Müller", True),
        ("cp1250", "Příliš,Šárka,Čert", True),
        ("cp1250", "Żółw,Łatka,mała", True),
        ("cp1251", "Мурка,Барсик,кошка", True),
        ("koi8_r", "Мурка,Барсик,кошка", True),
        ("mac_roman", "Núñez,Señor,it\u2019s", True),
        ("cp932", "ハチ,とても元気です,犬", True),
        ("gb18030", "小白,中华田园犬,狗", True),
        ("cp850", "Müller,Schäfer,Größe", True),
        ("cp1251", "ЖУЧКА", False),
        ("euc_kr", "바둑이,진돗개", False),
        ("mac_roman", "Zoë", False),
    ],
)
def test_an_encoding_is_detected_by_its_words_or_asked_for(encoding: str, text: str, is_found: bool) -> None:
    content = f"code,name,species,breed\nA1,{text.replace(',', ' ')},Dog,x\n".encode(encoding)
    chosen = None
    if not is_found:
        with pytest.raises(EncodingUnsure, match=f"{encoding}: ") as unsure:
            open_sheet(io.BytesIO(content))
        assert text.split(",")[0] in unsure.value.samples[encoding]
        chosen = encoding
    sheet = open_sheet(io.BytesIO(content), encoding=chosen)
    assert next(iter(sheet)).cells[1] == text.replace(",", " ")
    sheet.close()


def test_an_unknown_encoding_is_rejected(shelter: Shelter) -> None:
    for name in ("klingon", "rot13", "base64"):
        with pytest.raises(Invalid, match="encoding: is not known"):
            import_file(shelter, "code,name\nA1,Rex\n", encoding=name)


def test_garbled_text_is_reported_with_its_probable_meaning(shelter: Shelter) -> None:
    garbled = [text.encode().decode("cp1252") for text in ("Cariño", "it\u2019s")]
    result = import_file(
        shelter, make_csv(["code", "name", "species", "notes"], ["A1", garbled[0], "Dog", garbled[1]])
    )
    assert [note.reason for note in result.warnings] == [
        "looks garbled: it probably means 'Cariño'",
        "looks garbled: it probably means 'it\u2019s'",
    ]
