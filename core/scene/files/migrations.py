"""Migrations of scenes of older versions, as plain data, before anything is checked."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from copy import deepcopy
from types import MappingProxyType
from typing import Any

from framescope.core.errors import Problem, SceneError
from framescope.core.scene.schema.model import FORMAT_VERSION

Data = dict[str, Any]
Migration = Callable[[Data], Data]
"""Takes a scene of one version, which may be wrong in any way, and returns it as one of the next version."""

MIGRATIONS: Mapping[int, Migration] = MappingProxyType(dict[int, Migration]())
"""The migration from each older version to the next one."""

MAX_VERSION = 9999
"""What is larger is no version of anything."""


def migrate(
    data: Data, source: str, migrations: Mapping[int, Migration] = MIGRATIONS, current: int = FORMAT_VERSION
) -> Data:
    """Return a scene as plain data of the present version.

    Parameters
    ----------
    data
        What the file holds; it is not changed.
    source
        What messages call the file.
    migrations
        The steps, by the version that each begins with.
    current
        The version to arrive at.

    Returns
    -------
    dict
        `data` itself when there is nothing to do. What a migration leaves in its place keeps its key path, and so its
        line.

    Raises
    ------
    SceneError
        When the version is none, is newer than `current`, or has no way to it, or when the data is not what a scene of
        its version holds.

    Examples
    --------
    >>> def rename(data):
    ...     data["title"] = data.pop("name")
    ...     return data
    >>> migrate({"framescope": 1, "name": "Gimbal"}, "a.yaml", {1: rename}, current=2)
    {'framescope': 2, 'title': 'Gimbal'}
    """
    version = data.get("framescope")
    if type(version) is not int or not 1 <= version <= MAX_VERSION:
        message = f"version {_shown(version)} of the file format is not known to this Framescope."
        raise _refusal(source, message, f"Expected framescope: {current}.")
    if version > current:
        message = f"written by a newer Framescope: version {version}, this one reads up to {current}."
        raise _refusal(source, message, "Update Framescope.")
    if version == current:
        return data
    data = deepcopy(data)
    for step in range(version, current):
        if step not in migrations:
            message = f"version {step} of the file format is no longer read by this Framescope."
            raise _refusal(source, message, "Open and save it with an older one first.")
        try:
            data = {**migrations[step](data), "framescope": step + 1}
        except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
            brought = f"it cannot be brought to version {step + 1}"
            message = f"the scene of version {step} is not as such scenes are: {brought}."
            raise _refusal(source, message, f"Check it against version {step} ({type(error).__name__}).") from error
    return data


def _refusal(source: str, message: str, hint: str) -> SceneError:
    return SceneError(source, [Problem(("framescope",), message, hint)])


def _shown(version: object) -> str:
    if version is None or isinstance(version, bool):
        return {None: "nothing", True: "true", False: "false"}[version]
    if isinstance(version, dict | list):
        return "a list" if isinstance(version, list) else "a mapping"
    text = f'"{version}"' if isinstance(version, str) else repr(version)
    return text if len(text) <= 60 else text[:57] + "…"
