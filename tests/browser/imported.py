"""A shelter with an import that can be undone, and an uploaded file that leads to every kind of question."""

import io

from adoption.audit.actors import Actor
from adoption.imports import import_job, start_and_cancel, uploads
from tests import factories

IMPORT_OWNER = "owner@alder-valley.example"
STORED = """ID,Name,Species,Breed,Sex,Status,Photo
AV-101,Bramble,Dog,Lurcher,Female,On hold,
AV-102,Clover,Rabbit,Lionhead,Female,On hold,
AV-103,Duke,Dog,Beagle,Male,On hold,
AV-104,Nettle,,,Female,On hold,
AV-105,Old Meg,Cat,,Female,Somewhere else,
"""
ASKING = """ID,Name,Breed,Age,Intake date,Status,Species,Photo
AV-101,Tom,European Shorthair,3 years,04/05/2026,verfügbar,Cat,https://pictures.example/tom.jpg
AV-102,Señor Ortega with a name that is longer than most,Border Collie,8 months,05/06/2026,Zimmer 4,Dog,
AV-103,Duke,,2 years,06/07/2026,privé,Dog,
AV-110,Zoë,,1 year,07/08/2026,Available,,
AV-111,Jürgen,Maine Coon,5 years,08/09/2026,verfügbar,Cat,
"""


def add_imports(password: str) -> dict[str, str]:
    """Add the imports.

    Return the paths of a finished import, of its undo, and of the file with questions.
    """
    shelter = factories.project("Alder Valley Rescue", owner=IMPORT_OWNER, password=password)
    by = Actor(None, IMPORT_OWNER)
    stored = uploads.upload_spreadsheet(shelter.id, "all-animals.csv", io.BytesIO(STORED.encode()), by)
    start_and_cancel.request_run(shelter.id, stored.id, False, by)
    import_job.run_waiting()
    asking = uploads.upload_spreadsheet(shelter.id, "Liste août.csv", io.BytesIO(ASKING.encode("cp1252")), by)
    imports = f"/projects/{shelter.slug}/imports"
    return {
        "import-done": f"{imports}/{stored.id}",
        "import-undo": f"{imports}/{stored.id}/undo",
        "import-questions": f"{imports}/{asking.id}",
    }
