"""Packages that only some features need, and the message where one is missing."""

from __future__ import annotations

import importlib
import importlib.util
import re
import sys
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Extra:
    """A package that is installed when it is asked for, or that may be missing from a damaged environment.

    Attributes
    ----------
    module, package
        What it is called where it is imported, and where it is installed.
    what
        What needs it, at the start of a sentence.
    name
        Of the extra; empty where Framescope always brings the package along.
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
        """Return what to say where it is missing, with the command that installs it into this environment."""
        text = f"{self.what} needs {self.package}"
        if not self.name:
            text += ", which belongs to Framescope and is missing from its environment"
        return f"{text}. Install it with: {install_command(self.package)}"

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


def install_command(package: str) -> str:
    """Return the command that installs a package where this interpreter finds it, as the system's shell reads it.

    Framescope is on no package index: the package is named, and not the extra.
    """
    import shlex

    python, package = sys.executable or "python3", requirement(package)
    quote = shlex.quote if sys.platform != "win32" else '"{}"'.format  # PowerShell and cmd take these
    return f"{quote(python)} -m pip install {quote(package)}"


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
