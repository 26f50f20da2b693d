"""Optional packages, the message about a missing package, and the command that installs it."""

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
    """Package that users install if they need it, or that may be missing from a damaged environment.

    Attributes
    ----------
    module, package
        Names for import and for installation.
    what
        Use that needs the package, at the start of a sentence.
    name
        Name of the extra; empty for a package that is always installed with the program.
    """

    module: str
    package: str
    what: str
    name: str = ""

    @property
    def is_installed(self) -> bool:
        """Whether Python finds the package; the package is not imported."""
        try:
            return importlib.util.find_spec(self.module) is not None
        except ValueError:  # sys.modules holds an object without a spec
            return False

    @property
    def reason(self) -> str:
        """Message for a missing package, with the command that installs it."""
        if self.name:
            return f"{self.what} needs {self.package}. Add it with: {add_command(self.name)}"
        missing = f"{self.what} needs {self.package}, which belongs to Framescope and is missing from its environment"
        return f"{missing}. {repair_command(self.package)}"

    def part(self, name: str = "") -> Any:
        """Import and return the package, or a module in it; raise `ImportError` when it is missing."""
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
"""Packages that users install, by the names of their extras."""


def checkout() -> Path | None:
    """Return the folder of the checkout that this program runs from; None for an installed program."""
    folder = Path(__file__).resolve().parents[2]
    return folder if (folder / "run.py").is_file() else None


def add_command(name: str) -> str:
    """Return the command that adds an extra to this installation, quoted for the system's shell."""
    folder = checkout()
    if folder is not None:
        return f"{'py' if sys.platform == 'win32' else 'python3'} {_quoted(str(folder / 'run.py'))} add {name}"
    return f"{_quoted(sys.executable or 'python3')} -m framescope.app extras add {name}"


def repair_command(package: str) -> str:
    """Return the instruction for reinstalling a package that the program requires."""
    folder = checkout()
    if folder is not None:
        run = f"{'py' if sys.platform == 'win32' else 'python3'} {_quoted(str(folder / 'run.py'))}"
        return f"Set the environment up again: {run}"
    python = _quoted(sys.executable or "python3")
    return f"Install it with: {python} -m pip install {_quoted(requirement(package))}"


def _quoted(text: str) -> str:
    import shlex

    return f'"{text}"' if sys.platform == "win32" else shlex.quote(text)  # PowerShell and cmd accept double quotes


def requirement(package: str) -> str:
    """Return a package with the versions that Framescope requires, or its name alone if no versions are specified.

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
