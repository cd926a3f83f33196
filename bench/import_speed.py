"""The duration and memory of an import: ``python bench/import_speed.py [ROWS]``.

The benchmark creates a file in ShelterManager's format and imports it into an empty SQLite database: as a dry
run, for real, and again without changes. Each import runs in its own process.
"""

import csv
import json
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HEADER = (
    "id,intakedate,intakereason,sheltercode,identichipnumber,animalname,breedname,basecolour,speciesname,sexname,"
    "dateofbirth,movementdate,movementtype,returndate,animaldescription,goodwithkids,goodwithdogs,goodwithcats"
)
BREEDS = (
    "Labrador Retriever/Mix",
    "Domestic Short Hair",
    "DSH/Unknown",
    "Border Collie/Mix",
    "Beagle",
    "Siamese",
)
LINE = "Loves long walks, and being brushed &amp; fed.<br>Shy at first.<p>Ask us!</p> "


def write_file(path: Path, rows: int) -> None:
    pick = random.Random(7)
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(HEADER.split(","))
        for number in range(rows):
            day = f"20{pick.randint(10, 25)}-{pick.randint(1, 12):02}-{pick.randint(1, 28):02} 00:00:00"
            about = [
                pick.choice(BREEDS),
                "Black and White",
                pick.choice(["Dog", "Cat"]),
                "Male",
                "2019-05-04",
            ]
            stay = [day, pick.choice(["Adoption", "Foster", ""]), ""]
            code = [number, day, "Stray", f"D{number:07}", f"98102{number:010}", f"Rex {number}"]
            writer.writerow([*code, *about, *stay, f"{number} {LINE * 5}", "0", "1", "2"])


def homeward(*words: str) -> str:
    command = [sys.executable, "-c", "import wsgi; wsgi.command_line()", *words]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def measured(path: Path, *flags: str) -> str:
    """Return the duration and the peak memory of an import.

    The duration is in seconds and includes the program's start.
    """
    begun = time.perf_counter()
    code = (
        "import resource, wsgi\n"
        "try:\n    wsgi.command_line()\n"
        "except SystemExit:\n    pass\n"
        "import sys; used = resource.getrusage(resource.RUSAGE_SELF)\n"
        "print(used.ru_utime + used.ru_stime, used.ru_maxrss, file=sys.stderr)"
    )
    command = [sys.executable, "-c", code, "animals", "import", "bench", str(path), "--json", *flags]
    ran = subprocess.run(command, check=True, capture_output=True, text=True)
    seconds = time.perf_counter() - begun
    outcome = json.loads(ran.stdout)
    counts = {key: outcome[key] for key in ("rows", "created", "updated", "unchanged")}
    cpu, kilobytes = map(float, ran.stderr.split()[-2:])
    return f"{seconds:6.2f} s ({cpu:.2f} s of one core)  {kilobytes / 1024:6.0f} MB  {counts}"


def main() -> None:
    rows = int(sys.argv[1]) if len(sys.argv) > 1 else 5_000
    with tempfile.TemporaryDirectory() as folder:
        os.environ["HOMEWARD_INSTANCE"] = folder
        path = Path(folder) / "animals.csv"
        write_file(path, rows)
        homeward("db", "upgrade")
        homeward("account", "create", "Bench", "--owner", "bench@example.org", "--plan", "business")
        print(f"{rows:,} rows, {path.stat().st_size / 1e6:.1f} MB")
        print("dry run", measured(path, "--dry-run"))
        print("first  ", measured(path))
        print("again  ", measured(path))
    print(f"this program itself: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")


if __name__ == "__main__":
    main()
