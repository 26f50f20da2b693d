"""Every example in a docstring runs."""

from __future__ import annotations

import doctest
import importlib
import pkgutil

import pytest

import framescope.app
import framescope.core
import framescope.ui


def modules() -> list[str]:
    found = []
    for package in (framescope.core, framescope.ui, framescope.app):
        found.append(package.__name__)
        found += [module.name for module in pkgutil.walk_packages(package.__path__, package.__name__ + ".")]
    return [name for name in found if not name.endswith("__main__")]


@pytest.mark.parametrize("name", modules())
def test_that_examples_run(name) -> None:
    result = doctest.testmod(importlib.import_module(name))
    assert result.failed == 0
