"""Rules of the architecture."""

import ast
import re
from importlib.metadata import requires
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

HTTP = {"request", "abort", "url_for", "render_template", "redirect", "session", "jsonify"}


PRODUCT = ("adoption", "api", "demo", "portal", "serving")
VIEW = re.compile(r"\.(get|post|delete|route|command|group)\b|before_app_request")
"""Decorators of views and commands. Their functions may have the same name in several modules."""


def sources(root: Path, *folders: str) -> list[Path]:
    found = [
        path
        for folder in folders
        for path in sorted((root / folder).rglob("*.py"))
        if "migrations" not in path.parts
    ]
    assert len(found) > 10 * len(folders)
    return found


def test_domain_logic_has_no_request_and_no_template(root: Path) -> None:
    for path in sources(root, "adoption", "demo"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "flask":
                assert not HTTP & {name.name for name in node.names}, path


def test_blueprints_never_commit(root: Path) -> None:
    for path in sources(root, "api", "portal"):
        assert not re.search(r"\.commit\(|\btransaction\b|\.begin\(", path.read_text()), path


def test_module_names_are_nouns_with_a_meaning(root: Path) -> None:
    vague = "utils?|helpers?|managers?|common|misc|process|handle"
    metaphors = "rooms?|doors?|gates?|letters?|manners?|looks?|slips?|swollen|moments?|house|keyring|fetching"
    wrong = re.compile(rf"(^|_)({vague}|{metaphors})(_|$)")
    for path in sources(root, *PRODUCT):
        assert not wrong.search(path.stem), path


def test_class_and_function_names_have_one_meaning(root: Path) -> None:
    """At most 2 % of names are defined in several modules."""
    modules: dict[str, set[Path]] = {}
    for path in sources(root, *PRODUCT):
        for node in ast.parse(path.read_text()).body:
            is_definition = isinstance(node, ast.ClassDef | ast.FunctionDef)
            if is_definition and not any(VIEW.search(ast.unparse(each)) for each in node.decorator_list):
                modules.setdefault(node.name, set()).add(path)
    repeated = sorted(name for name, paths in modules.items() if len(paths) > 1)
    assert len(repeated) <= 0.02 * len(modules), repeated


def test_unicode_normalisation_is_in_one_module(root: Path) -> None:
    """Python's function needs quadratic time for a run of combining marks."""
    for path in sources(root, "adoption", "api", "demo", "portal"):
        if path.name != "unicode_normalization.py":
            assert "unicodedata.normalize" not in path.read_text(), path


def test_the_lock_has_every_dependency(root: Path) -> None:
    """The lock is installed without resolving dependencies."""
    text = (root / "requirements.lock").read_text()
    locked = {canonicalize_name(name) for name in re.findall(r"^([\w.-]+)==", text, re.MULTILINE)}
    needed, looked_at = [Requirement("homeward")], set[str]()
    while needed:
        each = needed.pop()
        if str(each) not in looked_at:
            looked_at.add(str(each))
            assert canonicalize_name(each.name) in locked | {"homeward"}, each
            rest = map(Requirement, requires(each.name) or [])
            needed += [other for other in rest if is_for(other, each.extras)]
    assert len(looked_at) > len(locked)


def is_for(needed: Requirement, extras: set[str]) -> bool:
    """Return whether a requirement applies on this machine with these extras."""
    return not needed.marker or any(needed.marker.evaluate({"extra": extra}) for extra in ("", *extras))
