"""Optional packages are named with a command that works here; what bags and xacro need is always there."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
import tomllib
from importlib import metadata
from pathlib import Path

import pytest

from framescope.core.system import optional_packages
from framescope.core.system.optional_packages import Extra, install_command, requirement
from tests.tools import lock_files

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS: dict[str, list[str]] = PROJECT["optional-dependencies"]
OPTIONAL = {name: value for name, value in vars(optional_packages).items() if isinstance(value, Extra)}


@pytest.mark.parametrize("extra", OPTIONAL.values(), ids=OPTIONAL)
def test_that_a_package_is_what_pyproject_asks_for(extra: Extra) -> None:
    wanted = EXTRAS[extra.name] if extra.name else PROJECT["dependencies"]
    assert requirement(extra.package) in wanted


@pytest.mark.parametrize("extra", OPTIONAL.values(), ids=OPTIONAL)
def test_that_the_command_of_a_missing_package_is_one_of_this_environment(extra: Extra) -> None:
    text, _, command = extra.reason.partition("Install it with: ")
    python, *arguments = shlex.split(command)
    assert python == sys.executable
    assert arguments == ["-m", "pip", "install", requirement(extra.package)]
    assert extra.package in text
    assert "framescope[" not in extra.reason  # which no package index has
    assert ("belongs to Framescope" in text) == (not extra.name)


@pytest.mark.process
def test_that_the_command_is_taken_by_the_environments_own_pip() -> None:
    """The package is there already, so that pip has nothing to fetch."""
    name = next(each.package for each in OPTIONAL.values() if each.is_installed)
    done = subprocess.run(
        [*shlex.split(install_command(name)), "--no-index"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"Requirement already satisfied: {name}" in done.stdout


def test_that_a_package_of_an_unknown_distribution_is_named_alone(monkeypatch) -> None:
    def requires(_name: str) -> list[str]:
        raise metadata.PackageNotFoundError

    monkeypatch.setattr(metadata, "requires", requires)
    assert requirement("pyarrow") == "pyarrow"


@pytest.mark.parametrize("package", ["lz4", "mcap", "xacro", "zstandard"])
@pytest.mark.parametrize("lock", [lock_files.LOCK, lock_files.DEV_LOCK])
def test_that_what_bags_and_xacro_need_is_in_the_locks(package: str, lock: str) -> None:
    assert any(pin.startswith(f"{package}==") for pin in lock_files.pins((ROOT / lock).read_text(encoding="utf-8")))


PAGES = [ROOT / "README.md", *sorted((ROOT / "assets" / "manual").glob("*.md"))]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_that_pages_install_optional_packages_as_the_program_says(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert "framescope[" not in text
    named = re.findall(r"(\S+) -m pip install \"?([^\"`\n]+)\"?", text)
    for python, package in named:
        assert python.strip("`(") == ".venv/bin/python"
        assert package.strip() in [each for extra in EXTRAS.values() for each in extra]
    assert len(named) == text.count("pip install")
