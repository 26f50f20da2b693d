"""JSON output of commands: the types that ``check --json`` prints, and a writer for plain data."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, is_dataclass
from typing import Any, Literal, cast

import numpy as np

Severity = Literal["red", "amber", "note"]


@dataclass(frozen=True)
class OtherMend:
    """Another possible fix: the text of its button, and its effect on the measured values."""

    mend: str
    says: str


@dataclass(frozen=True)
class SceneProblem:
    """Problem of a scene, of a lesson, or of a file that cannot be read; keys that do not apply are null or empty.

    `where` is the key path in the file, `line` counts from 1, `time` and `times` are in s, `rows` count from 1.
    """

    kind: str
    severity: Severity
    title: str
    where: str
    line: int | None
    time: float | None
    times: tuple[float, ...]
    rows: tuple[int, ...]
    message: str
    hint: str
    mend: str | None
    is_safe: bool
    others: tuple[OtherMend, ...]


def json_text(value: object) -> str:
    """Return plain data as JSON; infinities and NaN become null, numpy values their Python equivalents.

    Examples
    --------
    >>> json_text([np.True_, np.float64(0.5), float("nan")]).split()
    ['[', 'true,', '0.5,', 'null', ']']
    """
    return json.dumps(_plain(value), indent=2, allow_nan=False)


def _plain(value: Any) -> Any:
    if is_dataclass(value):
        return _plain(vars(value))
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in cast("Mapping[str, Any]", value).items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in cast("list[Any]", value)]
    if isinstance(value, np.ndarray | np.generic):
        return _plain(value.tolist())
    return None if isinstance(value, float) and not math.isfinite(value) else value
