"""Packages needed by some features only, and the message where one is missing."""

from __future__ import annotations

import importlib
import importlib.util
import re
import sys
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Extra:
    """An optional package, or a required one that may be missing from a damaged environment.

    Attributes
    ----------
    module, package
        Name for imports, and name for installation.
    what
        Feature that needs it, as the beginning of a sentence.
    name
        Name of the extra; empty for packages that Framescope always installs.
    """

    module: str
    package: str
    what: str
    name: str = ""

    @property
    def is_installed(self) -> bool:
        """Whether the package can be imported, without importing it."""
        try:
            return importlib.util.find_spec(self.module) is not None
        except ValueError:  # an object without a specification is in its place
            return False

    @property
    def reason(self) -> str:
        """Message for a missing package, with the command that installs it into this environment."""
        text = f"{self.what} needs {self.package}"
        if not self.name:
            text += ", which belongs to Framescope and is missing from its environment"
        return f"{text}. Install it with: {install_command(self.package)}"

    def part(self, name: str = "") -> Any:
        """Import the package or one of its modules; raise `ImportError` where it is missing."""
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
    """Return the command that installs a package for this interpreter, quoted for the system's shell.

    Framescope is on no package index, so the command names the package and not the extra.
    """
    import shlex

    python, package = sys.executable or "python3", requirement(package)
    quote = shlex.quote if sys.platform != "win32" else '"{}"'.format  # PowerShell and cmd take these
    return f"{quote(python)} -m pip install {quote(package)}"


def requirement(package: str) -> str:
    """Return a package with its version constraint for Framescope; the name alone where there is none.

    >>> requirement("pyarrow")[:9]
    'pyarrow>='
    """
    from importlib import metadata

    try:
        requirements = metadata.requires("framescope") or []
    except metadata.PackageNotFoundError:
        requirements = []
    for text in requirements:
        bare = text.partition(";")[0].strip()
        name = re.match(r"[\w.-]+", bare)
        if name and _normalized_name(name[0]) == _normalized_name(package):
            return bare
    return package


def _normalized_name(name: str) -> str:
    """Return the normalized name of a package, as package indexes compare them."""
    return re.sub(r"[-_.]+", "-", name).lower()
