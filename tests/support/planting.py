"""Mistakes planted in the text of functions: an expression is replaced by a wrong one, until the test ends.

The code of the function itself is exchanged, so that whoever has imported it makes the mistake as well.
"""

from __future__ import annotations
import __future__

import importlib
import inspect
import textwrap
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import FunctionType, MappingProxyType
from typing import Any

import pytest


@dataclass(frozen=True)
class Mistake:
    """A mistake in one function, and the test that notices it.

    Attributes
    ----------
    where
        The module and the function in it, with a colon between them.
    right, wrong
        What stands there, once, and what is planted in its place.
    caught_by
        The test file, without `tests/` and `.py`, and the test in it, with a colon between them.
    given
        Arguments of the test that are no fixtures.
    """

    where: str
    right: str
    wrong: str
    caught_by: str
    given: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))


def plant(mistake: Mistake, patch: pytest.MonkeyPatch) -> None:
    """Exchange the code of the function for one with the mistake in it."""
    module_name, _, path = mistake.where.partition(":")
    module = importlib.import_module(module_name)
    function = _function(module, path)
    text = textwrap.dedent(inspect.getsource(function))
    assert text.count(mistake.right) == 1, f"{mistake.where} has {mistake.right!r} {text.count(mistake.right)} times"
    text = text[text.index("def ") :].replace(mistake.right, mistake.wrong)
    scope: dict[str, Any] = {}
    code = compile(text, f"<{mistake.where}, wrong>", "exec", __future__.annotations.compiler_flag)
    exec(code, vars(module), scope)
    patch.setattr(function, "__code__", scope[function.__name__].__code__)


def check_of(mistake: Mistake) -> tuple[Callable[..., None], list[str]]:
    """Return the test that notices a mistake, and the fixtures that it asks for."""
    name, _, test_name = mistake.caught_by.partition(":")
    test = getattr(importlib.import_module(f"tests.{name.replace('/', '.')}"), test_name)
    if getattr(test, "is_hypothesis_test", False):
        test = test.hypothesis.inner_test
    return test, [each for each in inspect.signature(test).parameters if each not in mistake.given]


def _function(module: object, path: str) -> FunctionType:
    found: Any = module
    for name in path.split("."):
        found = inspect.getattr_static(found, name)
        if isinstance(found, property):
            found = found.fget
        elif isinstance(found, classmethod | staticmethod):
            found = found.__func__
    return inspect.unwrap(found)
