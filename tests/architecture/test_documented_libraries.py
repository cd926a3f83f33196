"""Dependencies are used through their documented API."""

import ast
from collections.abc import Iterator
from pathlib import Path

OURS = ("adoption", "api", "portal", "serving", "demo", "deploy")
DOCUMENTED = {"_replace", "_make", "_asdict", "_fields"}
"""Documented names of ``NamedTuple``. They begin with an underscore so that they differ from fields."""
INTERNAL = {
    "AbstractServer",
    "STRATEGIES",
    "after_request_funcs",
    "app_ctx",
    "before_request_funcs",
    "ensure_sync",
    "full_dispatch_request",
    "interrupt_signal",
    "preprocess_request",
    "process_response",
    "request_ctx",
}
"""Other names that are undocumented, internal or about to change (Flask 3.2)."""


def test_no_private_name_of_a_dependency_is_used(root: Path) -> None:
    uses = [
        f"{path}:{line}: {name}" for path, tree in product_trees(root) for line, name in private_uses(tree)
    ]
    assert not uses, "\n".join(uses)


def test_private_uses_are_found() -> None:
    code = """
from flask.ctx import _AppCtxGlobals
from granian._granian import WSGIWorker
class Quiet(Consumer):
    def __init__(self): self._ours = self._kept = 1
    def _set_signal_handlers(self): ...
    def end(self): self._ours += self._scheduler
class Plain:
    def _help(self): self._help()
headers._list.append(limits.STRATEGIES)
"""
    assert sorted(name for _, name in private_uses(ast.parse(code))) == [
        "STRATEGIES",
        "_AppCtxGlobals",
        "_granian",
        "_list",
        "_scheduler",
        "_set_signal_handlers",
    ]


def product_trees(root: Path) -> Iterator[tuple[str, ast.Module]]:
    files = [root / "wsgi.py", *(file for package in OURS for file in sorted((root / package).rglob("*.py")))]
    for file in files:
        if "migrations" not in file.parts:
            yield str(file.relative_to(root)), ast.parse(file.read_text())


def private_uses(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Yield the line and name of each use, except for a class's uses of its own names."""
    own = {id(node) for each in ast.walk(tree) if isinstance(each, ast.ClassDef) for node in own_uses(each)}
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef) and node.bases:
            yield from ((method.lineno, method.name) for method in methods(node) if is_private(method.name))
        elif isinstance(node, ast.ImportFrom):
            names = [*(node.module or "").split("."), *(alias.name for alias in node.names)]
            yield from ((node.lineno, name) for name in names if is_private(name))
        elif isinstance(node, ast.Attribute) and is_private(node.attr) and id(node) not in own:
            yield node.lineno, node.attr


def own_uses(owner: ast.ClassDef) -> Iterator[ast.Attribute]:
    """Yield the uses of attributes and methods that the class itself defines."""
    of_self = [
        node
        for node in ast.walk(owner)
        if isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and node.value.id in ("self", "cls")
    ]
    defined = {node.attr for node in of_self if isinstance(node.ctx, ast.Store)}
    defined |= {
        node.target.id
        for node in owner.body
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name)
    }
    defined |= {method.name for method in methods(owner)}
    return (node for node in of_self if node.attr in defined)


def methods(owner: ast.ClassDef) -> list[ast.FunctionDef]:
    return [node for node in owner.body if isinstance(node, ast.FunctionDef)]


def is_private(name: str) -> bool:
    is_dunder = name.startswith("__") and name.endswith("__")
    return name in INTERNAL or (name.startswith("_") and not is_dunder and name not in DOCUMENTED)
