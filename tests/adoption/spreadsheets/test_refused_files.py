"""Files that are not lists of animals. They are rejected with the reason."""

from contextlib import suppress

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from adoption.errors import FileRefused, Refusal
from adoption.spreadsheets.files import row_store
from tests.adoption.spreadsheets.sheets import (
    count_rows,
    import_file,
    make_csv,
    make_zip,
    stored_animals,
)
from tests.cast import Shelter

pytestmark = pytest.mark.settings("embedded")


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "The file is empty"),
        (b"\xef\xbb\xbf\n\n", "The file is empty"),
        (b"code,name,species\n", "a header and no rows"),
        (b"this,that\n1,2\n", 'No column of the header was recognised: "this", "that"'),
        (b"name,species,name\nRex,Dog,Bo\n", 'has "name" twice, in columns 1 and 3'),
        (b"name,breed\nRex,Beagle\n", "No column has the species"),
        (b"species,breed\nDog,Beagle\n", "No column has the animals' names"),
        (b"%PDF-1.7 ...", "PDF"),
        (b"\x89PNG\r\n\x1a\n...", "picture"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1...", "damaged"),
        (b"<html><table><tr><td>name</td></tr></table>", "no rows below it"),
        (b"<html><p>name</p></html>", "The file is empty"),
        (b"PK\x03\x04 no archive", "damaged"),
    ],
)
def test_a_file_that_is_no_list_of_animals_is_rejected_with_advice(
    shelter: Shelter, content: bytes, sentence: str
) -> None:
    with pytest.raises(FileRefused) as refusal:
        import_file(shelter, content)
    assert sentence in refusal.value.sentence
    assert stored_animals(shelter) == []


def test_a_zip_file_that_is_no_workbook_is_rejected(shelter: Shelter) -> None:
    with pytest.raises(FileRefused, match="save it as XLSX or CSV"):
        import_file(shelter, make_zip(word__document_xml=b"<office/>"))


def test_a_file_over_the_disk_limit_is_rejected(shelter: Shelter, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(row_store, "KEPT_MOST", 100)
    with pytest.raises(FileRefused, match="file is too large"):
        import_file(shelter, make_csv(["name", "species"], *[["Rex", "Dog"]] * 9))


HEADERS = st.sampled_from(
    [
        b"",
        b"code,name,species,birth date,fee\n",
        b"code,name\n",
        b"name;species;description\n",
        b"sheltercode,animalname,speciesname,movementdate,returndate\n",
        b"breed_primary,breed_secondary,breed_mixed,breed_unknown,code,name,species\n",
        b"\xff\xfe",
        b"PK\x03\x04",
    ]
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=60)
@given(
    header=HEADERS,
    content=st.one_of(
        st.binary(max_size=400), st.text("\",;\n\r\x00ab1/.-'é<&", max_size=400).map(str.encode)
    ),
)
def test_any_bytes_are_imported_or_rejected(shelter: Shelter, header: bytes, content: bytes) -> None:
    with suppress(Refusal):
        count_rows(import_file(shelter, header + content, dry_run=True))
