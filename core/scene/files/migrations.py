"""Migrations of scenes from older versions, as plain data before validation."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from copy import deepcopy
from types import MappingProxyType
from typing import Any

from framescope.core.errors import Problem, SceneError
from framescope.core.scene.schema.model import FORMAT_VERSION

Data = dict[str, Any]
Migration = Callable[[Data], Data]
"""Function that converts a scene of one version, which may have any fault, to the next version."""

MIGRATIONS: Mapping[int, Migration] = MappingProxyType(dict[int, Migration]())
"""Migration from each older version to the next version."""

MAX_VERSION = 9999
"""Largest number accepted as a version."""


def migrate(
    data: Data, source: str, migrations: Mapping[int, Migration] = MIGRATIONS, current: int = FORMAT_VERSION
) -> Data:
    """Return a scene as plain data of the present version.

    Parameters
    ----------
    data
        Content of the file; it is not changed.
    source
        Name of the file in messages.
    migrations
        Migrations, by the version that they convert.
    current
        Version of the result.

    Returns
    -------
    dict
        `data` itself if it has the present version. Values that a migration does not move keep their key path, and so
        their line.

    Raises
    ------
    SceneError
        When the version is invalid, newer than `current`, or has no migration, or when the data does not match its
        version.

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
        message = f"version {_value_text(version)} of the file format is not known to this Framescope."
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


def _value_text(version: object) -> str:
    if version is None or isinstance(version, bool):
        return {None: "nothing", True: "true", False: "false"}[version]
    if isinstance(version, dict | list):
        return "a list" if isinstance(version, list) else "a mapping"
    text = f'"{version}"' if isinstance(version, str) else repr(version)
    return text if len(text) <= 60 else text[:57] + "…"
