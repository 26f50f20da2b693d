"""Tables that name all features name each of them: contracts of imports, and the messages about a missing feature."""

from __future__ import annotations

import tomllib
from pathlib import Path

from framescope.app.cli import main
from framescope.core.system.features import PROVIDERS, installed_features

PROJECT = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text("utf-8"))
OF_BASE = {"check", "convert", "evaluate", "export", "extras", "open", "picture", "read", "schema"}
"""Commands of the base."""

NAMES = {feature.name for feature in installed_features()}


def test_that_the_contract_on_rooms_of_features_lists_every_feature() -> None:
    contracts = PROJECT["tool"]["importlinter"]["contracts"]
    (rooms,) = (contract for contract in contracts if contract["name"].startswith("rooms of a feature"))
    assert {name.removeprefix("framescope.features.") for name in rooms["containers"]} == NAMES


def test_that_every_command_and_format_of_a_feature_has_its_provider() -> None:
    names = {info.name or str(getattr(info.callback, "__name__", "")) for info in main.app.registered_commands}
    names |= {str(group.name) for group in main.app.registered_groups}
    assert {name for name in names - OF_BASE if name.replace("_", "-") not in PROVIDERS} == set()
    for feature in installed_features():
        for entry in feature.formats:
            assert PROVIDERS[feature.load(entry).suffix] == feature.name
