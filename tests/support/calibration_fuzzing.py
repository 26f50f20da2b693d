"""Damaged calibrations of every dialect, read as the program reads them: a scene, its problems, or one clear error."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from random import Random

import numpy as np

from framescope.core.errors import FramescopeError
from framescope.features.calibrations.app.calibration_reader import read
from framescope.features.calibrations.core.calibration import CalibrationError
from framescope.features.calibrations.core.dialect import Dialect, Source
from framescope.features.calibrations.core.dialects.registry import DIALECTS, dialect_of
from tests.support import reconstructions as made
from tests.support.calibration_files import damaged
from tests.support.damage import (
    change_column,
    change_encoding,
    change_json,
    change_line,
    change_number,
    change_word,
    change_xml,
    cut,
    flip_bytes,
)

LATE_S = 2.0
"""Time after which the reading of a small file is too slow, s of the processor."""

COUNT = 1000
"""Number of damaged files of each dialect in the benchmark: 13,000 in all."""

TEXT = (damaged, change_number, change_word, change_line, change_column, change_xml, change_json)
BYTES = (flip_bytes, cut, change_encoding)


@cache
def seeds(dialect: Dialect) -> tuple[tuple[str, bytes], ...]:
    """Return names and contents of healthy files: the example, what other examples become, and binary models."""
    name = f"seed{dialect.suffixes[0]}"
    files = [(name, dialect.example.encode())]
    for other in DIALECTS if dialect.write is not None else ():
        with suppress(FramescopeError):
            source = Source("seed", other.example.encode())
            files.append((name, dialect.write(other.read(source)).encode()))
    truth = made.circle(5, 30)
    if dialect.name == "colmap":
        files += [
            ("images.txt", made.images_txt(truth).encode()),
            ("cameras.txt", made.cameras_txt().encode()),
            ("points3D.txt", made.points_txt(truth).encode()),
            ("images.bin", made.images_bin(truth)),
            ("cameras.bin", made.cameras_bin()),
            ("points3D.bin", made.points_bin(truth)),
        ]
    if dialect.name == "nerf":
        files.append(("transforms.json", made.transforms_json(truth)))
    return tuple(files)


def mutant(dialect: Dialect, number: int) -> tuple[str, bytes]:
    """Return the name and the content of a damaged file by its number."""
    random = Random(number)
    name, data = random.choice(seeds(dialect))
    for _ in range(random.choice((1, 1, 2, 4))):
        is_text = b"\0" not in data and random.random() < 0.75
        change = random.choice(TEXT if is_text else BYTES)
        data = damaged(data, number) if change is damaged else change(random, data)
    return name, data


@dataclass
class Tally:
    """Outcomes of damaged files, the faults among them, and the longest time, s of the processor."""

    outcomes: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)
    longest_s: float = 0.0


def open_mutants(dialect: Dialect, numbers: Iterable[int], folder: Path) -> Tally:
    """Read damaged files of a dialect, each in a folder with healthy files of a model beside it."""
    tally = Tally()
    if dialect.name == "colmap":
        made.write_colmap(folder, made.circle(5, 30))
        made.write_colmap(folder, made.circle(5, 30), is_binary=True)
    for number in numbers:
        name, data = mutant(dialect, number)
        path = folder / name
        healthy = path.read_bytes() if path.is_file() else None
        path.write_bytes(data)
        began = time.process_time()
        try:
            tally.outcomes[_outcome(path, dialect)] += 1
        except Exception as error:  # noqa: BLE001 - that is what is looked for
            tally.outcomes["another exception"] += 1
            tally.faults.append(f"{dialect.name} {number}: {type(error).__name__}: {str(error)[:200]}")
        seconds = time.process_time() - began
        tally.longest_s = max(tally.longest_s, seconds)
        if seconds > LATE_S:
            tally.outcomes["too slow"] += 1
            tally.faults.append(f"{dialect.name} {number}: {seconds:.1f} s")
        path.unlink() if healthy is None else path.write_bytes(healthy)
    return tally


def _outcome(path: Path, dialect: Dialect) -> str:
    """Return what a file becomes; raise for anything but a scene, problems or one clear error."""
    found = dialect_of(path.read_bytes())
    try:
        with np.errstate(all="ignore"):
            contents = read(path) if found is not None else _read_as(path, dialect)
    except FramescopeError as error:
        message = str(error)
        if not (10 < len(message) < 2000 and message.isprintable()):
            raise AssertionError(f"the error is not clear: {message[:100]!r}") from error
        return "refused"
    if contents is None:
        return "read"
    assert contents.scene is not None
    return "problems" if contents.problems else "scene"


def _read_as(path: Path, dialect: Dialect) -> None:
    """Read a file that no dialect recognizes any more, as a user may who names its kind."""
    calibration = dialect.read(Source(path.name, path.read_bytes()))
    if dialect.write is not None:
        with suppress(CalibrationError):
            dialect.write(calibration)
