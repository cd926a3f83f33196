"""The settings, alerts and links of docs/operating.md exist.

The example settings start the service without a warning.
"""

import os
import re
import shlex
import subprocess
from pathlib import Path

import pytest

from adoption.commands.domain_lists import ListedDomain
from adoption.commands.startup_warnings import warnings_of
from adoption.operator_alerts.causes import CAUSES
from adoption.settings import NAMES, PREFIX, Settings

pytestmark = pytest.mark.settings("embedded")


@pytest.fixture(scope="module")
def guide(root: Path) -> str:
    return (root / "docs" / "operating.md").read_text()


def test_every_setting_in_the_guide_exists(guide: str, root: Path) -> None:
    assert set(re.findall(rf"{PREFIX}(\w+)\b", guide)) - {"", *NAMES} == set()
    edge = (root / "deploy" / "Caddyfile").read_text() + (root / "deploy" / "edge").read_text()
    assert set(re.findall(r"\bEDGE_\w+", guide)) - set(re.findall(r"\bEDGE_\w+", edge)) == set()


def test_the_guide_explains_every_alert(guide: str) -> None:
    alerts = guide.partition("\n## Alerts\n")[2].partition("\n## ")[0]
    assert set(re.findall(r"^\| `(\w+)` \|", alerts, re.MULTILINE)) == {"cause", *CAUSES}


def test_the_guide_explains_every_field_of_the_list(guide: str) -> None:
    listed = guide.partition("| field | values |")[2].partition("\n\n")[0]
    assert set(re.findall(r"`(\w+)`(?=[^|]*\|[^|]*\|$)", listed, re.MULTILINE)) == set(ListedDomain._fields)


def test_the_example_settings_are_valid_and_fit_together(guide: str, tmp_path: Path) -> None:
    example = guide.partition("homeward.env <<EOF\n")[2].partition("\nEOF\n")[0]
    environ = dict(line.split("=", 1) for line in example.replace("$(key)", f"{'A' * 43}=").splitlines())
    environ[f"{PREFIX}INSTANCE"] = str(tmp_path)
    assert [name for name, value in environ.items() if shlex.split(value) != [value]] == []
    assert list(warnings_of(Settings.from_environment(environ), environ)) == []


def test_every_link_within_the_guide_has_its_heading(guide: str) -> None:
    headings = {
        re.sub(r"[^\w -]", "", each).strip().lower().replace(" ", "-")
        for each in re.findall(r"^#+ (.*)$", guide, re.MULTILINE)
    }
    assert set(re.findall(r"\]\(#([\w-]+)\)", guide)) - headings == set()


def test_the_command_reads_settings_as_systemd_does(root: Path, tmp_path: Path) -> None:
    """A shell would stop at some characters of the settings, or lose the value without an error."""
    settings = {
        "HOMEWARD_DATABASE_URL": "postgresql://u:p@db/hw?sslmode=require&application_name=hw",
        "HOMEWARD_MAIL_URL": "smtps://you:pa$$w;rd@mail.example:465",
        "HOMEWARD_ACME_DNS_HOOK": '/opt/hook --zone "a b"',
    }
    lines = [f"{name}={value}" for name, value in settings.items()]
    file = tmp_path / "homeward.env"
    file.write_text("\n".join(["# HOMEWARD_PORT=1", "", *lines, "  HOMEWARD_EDGE='192.0.2.1:443'  "]))
    command = [root / "deploy" / "with-settings", file, "env", "--null"]
    shown = subprocess.run(command, env={"PATH": os.defpath}, capture_output=True, check=True, text=True)
    given = dict(line.split("=", 1) for line in shown.stdout.split("\0") if line.startswith("HOMEWARD_"))
    assert given == settings | {"HOMEWARD_EDGE": "192.0.2.1:443"}
