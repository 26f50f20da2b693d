"""Packages that only some uses need, the message where one is missing, and the command that adds it."""

from __future__ import annotations

import importlib
import importlib.util
import re
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Extra:
    """Package that a user adds on request, or that may be missing from a damaged environment.

    Attributes
    ----------
    module, package
        Names for import and for installation.
    what
        Use that needs the package, at the start of a sentence.
    name
        Name of the extra; empty where the program always brings the package along.
    """

    module: str
    package: str
    what: str
    name: str = ""

    @property
    def is_installed(self) -> bool:
        """Whether it can be imported; it is not imported for that."""
        try:
            return importlib.util.find_spec(self.module) is not None
        except ValueError:  # somebody has put something else in its place
            return False

    @property
    def reason(self) -> str:
        """Message for a missing package, with the command that adds it to this installation."""
        if self.name:
            return f"{self.what} needs {self.package}. Add it with: {add_command(self.name)}"
        missing = f"{self.what} needs {self.package}, which belongs to Framescope and is missing from its environment"
        return f"{missing}. {repair_command(self.package)}"

    def part(self, name: str = "") -> Any:
        """Import the package, or a part of it; raise `ImportError` where it is missing."""
        return importlib.import_module(f"{self.module}.{name}" if name else self.module)


PARQUET = Extra("pyarrow", "pyarrow", "Parquet", "tables")
MCAP = Extra("mcap", "mcap", "MCAP")
ZSTD = Extra("zstandard", "zstandard", "A bag packed with zstd")
LZ4 = Extra("lz4", "lz4", "A bag packed with lz4")
USD = Extra("pxr", "usd-core", "USD", "usd")
MUJOCO = Extra("mujoco", "mujoco", "MJCF", "robots")
XACRO = Extra("xacro", "xacro", "A file in xacro")
CLUSTER = Extra("distributed", "distributed", "Exporting on a cluster", "cluster")
SPEED = Extra("llvmlite", "llvmlite", "Compiling formulas", "speed")

EXTRAS = {extra.name: extra for extra in (CLUSTER, MUJOCO, SPEED, PARQUET, USD)}
"""Packages that users add, by the names of their extras."""


def checkout() -> Path | None:
    """Return the folder of the checkout that this program runs from; None for an installed program."""
    folder = Path(__file__).resolve().parents[2]
    return folder if (folder / "run.py").is_file() else None


def add_command(name: str) -> str:
    """Return the command that adds an extra to this installation, as the system's shell reads it."""
    folder = checkout()
    if folder is not None:
        return f"{'py' if sys.platform == 'win32' else 'python3'} {_quoted(str(folder / 'run.py'))} add {name}"
    return f"{_quoted(sys.executable or 'python3')} -m framescope.app extras add {name}"


def repair_command(package: str) -> str:
    """Return the sentence that says how a package of the program itself comes back."""
    folder = checkout()
    if folder is not None:
        run = f"{'py' if sys.platform == 'win32' else 'python3'} {_quoted(str(folder / 'run.py'))}"
        return f"Set the environment up again: {run}"
    python = _quoted(sys.executable or "python3")
    return f"Install it with: {python} -m pip install {_quoted(requirement(package))}"


def _quoted(text: str) -> str:
    import shlex

    return f'"{text}"' if sys.platform == "win32" else shlex.quote(text)  # PowerShell and cmd take these


def requirement(package: str) -> str:
    """Return a package with the versions that Framescope asks for; the name alone where nothing says.

    >>> requirement("pyarrow")[:9]
    'pyarrow>='
    """
    from importlib import metadata

    try:
        wanted = metadata.requires("framescope") or []
    except metadata.PackageNotFoundError:
        wanted = []
    for text in wanted:
        bare = text.partition(";")[0].strip()
        name = re.match(r"[\w.-]+", bare)
        if name and _folded(name[0]) == _folded(package):
            return bare
    return package


def _folded(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()
