"""Optional packages that only some features need, and the message where one is missing."""

from __future__ import annotations

import importlib
import importlib.util
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Extra:
    """A package that is installed when it is asked for.

    Attributes
    ----------
    module, package
        What it is called where it is imported, and where it is installed.
    what
        What needs it, at the start of a sentence.
    name
        Of the extra.
    """

    module: str
    package: str
    what: str
    name: str

    @property
    def is_installed(self) -> bool:
        """Whether it can be imported; it is not imported for that."""
        try:
            return importlib.util.find_spec(self.module) is not None
        except ValueError:  # somebody has put something else in its place
            return False

    @property
    def reason(self) -> str:
        """Return what to say where it is missing.

        >>> PARQUET.reason
        'Parquet needs pyarrow. Install it with: python3 -m pip install "framescope[tables]"'
        """
        return f'{self.what} needs {self.package}. Install it with: python3 -m pip install "framescope[{self.name}]"'

    def part(self, name: str = "") -> Any:
        """Import the package, or a part of it; raise `ImportError` where it is missing."""
        return importlib.import_module(f"{self.module}.{name}" if name else self.module)


PARQUET = Extra("pyarrow", "pyarrow", "Parquet", "tables")
MCAP = Extra("mcap", "mcap", "MCAP", "bags")
ZSTD = Extra("zstandard", "zstandard", "A bag packed with zstd", "bags")
LZ4 = Extra("lz4", "lz4", "A bag packed with lz4", "bags")
USD = Extra("pxr", "usd-core", "USD", "usd")
MUJOCO = Extra("mujoco", "mujoco", "MJCF", "robots")
XACRO = Extra("xacro", "xacro", "A file in xacro", "robots")
CLUSTER = Extra("distributed", "distributed", "Exporting on a cluster", "cluster")
