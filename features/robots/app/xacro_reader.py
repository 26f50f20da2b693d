"""Xacro files: programs that produce a robot, run in a child process with the user's consent."""

from __future__ import annotations

import json
import pickle
import re
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from framescope.app import platforms
from framescope.app.background.child_processes import ProcessLimits, run_child
from framescope.app.importers.contents import Contents
from framescope.app.importers.foreign import begins_with_element
from framescope.core.errors import FramescopeError
from framescope.core.system.optional_packages import XACRO

TIMEOUT_S = 30.0

LIMITS = ProcessLimits(memory=2 << 30, cpu_s=35)
"""Limits of the child process. The processor time ends it even if this program has ended."""

_COMMENT = re.compile(rb"<!--.*?(?:-->|\Z)", re.DOTALL)

_USES = re.compile(rb"<xacro:|\$\{|\$\(arg\s")
"""Uses of xacro that make a file a program. The resulting URDF may declare the namespace, or use it in comments."""

NO_ARGUMENTS: Mapping[str, str] = MappingProxyType({})

_begins_as_robot = begins_with_element("robot")


def is_xacro(head: bytes, _size: int) -> bool:
    """Return whether a file begins like a robot in xacro."""
    return _begins_as_robot(head) and _USES.search(_COMMENT.sub(b"", head)) is not None


def read(path: Path) -> Contents:
    """Refuse a file that would have to be run, with a hint at the command that runs it."""
    words = platforms.quoted_words([str(path), str(urdf_of(path))])
    how = f"If you trust it, make a URDF of it: framescope robot expand {words}"
    raise FramescopeError(
        f"{path.name} is a program that makes a robot (xacro), and does not run without your consent. {how}"
    )


def urdf_of(path: Path) -> Path:
    """Return the path for the URDF of a xacro file: beside it, and never the file itself.

    >>> urdf_of(Path("arm.urdf.xacro")).name, urdf_of(Path("arm.xacro")).name, urdf_of(Path("arm.urdf")).name
    ('arm.urdf', 'arm.urdf', 'arm.expanded.urdf')
    """
    stem = path.name.removesuffix(".xacro").removesuffix(".urdf")
    is_same = f"{stem}.urdf".casefold() == path.name.casefold()
    return path.with_name(f"{stem}.expanded.urdf" if is_same else f"{stem}.urdf")


@dataclass(frozen=True)
class Expanded:
    """Text of the URDF that a xacro file produces, and the files that it read."""

    urdf: str
    inputs: tuple[Path, ...]


def expand_xacro(path: Path, arguments: Mapping[str, str] = NO_ARGUMENTS) -> Expanded:
    """Run a xacro file in a child process, and return the URDF that it produces.

    The program has all rights of the user: call this only with the user's consent.

    Raises
    ------
    FramescopeError
        When xacro is not installed, reports an error, or takes longer than half a minute.
    """
    if not XACRO.is_installed:
        raise FramescopeError(f"{path.name}: {XACRO.reason}")
    data = pickle.dumps((str(path.resolve()), dict(arguments)))
    try:
        ended, written = run_child("framescope.features.robots.app.xacro_child", data, TIMEOUT_S, LIMITS)
    except subprocess.TimeoutExpired:
        raise FramescopeError(f"{path.name} took longer than {TIMEOUT_S:g} s, and was stopped.") from None
    try:
        made, fault, includes = json.loads(written)
    except ValueError:
        raise FramescopeError(f"{path.name} crashed its process ({ended}). It may use up to 2 GB of memory.") from None
    if fault:
        raise FramescopeError(f"{path.name}: {' '.join(str(fault).split())}")
    return Expanded(str(made), (path, *map(Path, includes)))
