"""Readings of calibration files in tests: poses of a dialect, and damaged files."""

from __future__ import annotations

import random
import time
from collections import Counter

import numpy as np

from framescope.core.errors import FramescopeError
from framescope.features.calibrations.core.calibration import Calibration
from framescope.features.calibrations.core.calibration_scene import scene_of
from framescope.features.calibrations.core.dialect import Dialect, Source
from framescope.features.calibrations.core.dialects.registry import dialect_of
from tests.support.plain_rotations import Matrix

LATE_S = 1.0
"""Time within which a small damaged file has an answer, s."""

_PIECES = (
    *(b"", b"0", b"-", b"nan", b"1e400", b"1e308", b"0.1.2", b"\0", b"\xff\xfe", b"\xe2\x80\xae", b"world", b"None"),
    *(b"[", b"]", b"{", b"}", b":", b"\n", b"\n---\n", b"'", b'"', b"<", b"$(x)", b" ", b"\t", b"#", b"\\", b"="),
)


def read(dialect: Dialect, text: str, name: str = "file") -> Calibration:
    """Return the content of a text that the dialect recognizes, and no other dialect."""
    found = dialect_of(text.encode())
    assert found is dialect, found
    return dialect.read(Source(name, text.encode()))


def poses(calibration: Calibration) -> dict[tuple[str, str], Matrix]:
    """Return the poses (4, 4) of children in parents, by parent and child."""
    return {(edge.parent, edge.child): edge.X_PC.to_matrix() for edge in calibration.edges}


def relative(calibration: Calibration, start: str, end: str) -> Matrix:
    """Return the matrix (4, 4) that takes points of one frame to another, along the edges of a calibration."""
    steps = {(edge.child, edge.parent): edge.X_PC.to_matrix() for edge in calibration.edges}
    steps |= {(end_, start_): np.linalg.inv(M) for (start_, end_), M in list(steps.items())}
    reached = {start: np.eye(4)}
    waiting = [start]
    while waiting:
        here = waiting.pop()
        for (a, b), M in steps.items():
            if a == here and b not in reached:
                reached[b] = M @ reached[here]
                waiting.append(b)
    return reached[end]


def damaged(text: bytes, seed: int) -> bytes:
    """Return a text with one to three random changes: bytes replaced, parts cut out, doubled or exchanged."""
    rng = random.Random(seed)
    data = bytearray(text)
    for _ in range(rng.randint(1, 3)):
        at, end = sorted(rng.randrange(len(data) + 1) for _ in range(2))
        end = min(end, at + rng.choice((1, 1, 2, 10, 100)))
        match rng.randrange(5):
            case 0:
                data[at:end] = rng.choice(_PIECES)
            case 1:
                data[at:at] = rng.choice(_PIECES)
            case 2:
                del data[at:end]
            case 3:
                data[at:at] = data[at:end]
            case _:
                data[at : at + 1] = bytes([rng.choice((rng.randrange(256), *b"0123456789.-"))])
        data = data or bytearray(b"0")
    return bytes(data)


def tally_of_damaged(dialect: Dialect, texts: dict[str, str], count: int = 300) -> Counter[str]:
    """Return how often damaged files gave a calibration with its scene, or one clear error.

    Anything else raises, and so does a reading that takes long.
    """
    tally: Counter[str] = Counter()
    names = list(texts)
    for seed in range(count):
        name = names[seed % len(names)]
        source = Source(name, damaged(texts[name].encode(), seed))
        began = time.perf_counter()
        dialect.recognizes(source.data)
        try:
            calibration = dialect.read(source)
            scene_of(calibration, name)
            tally["read"] += 1
        except FramescopeError as error:
            tally["refused" if str(error).strip() else "no message"] += 1
        assert time.perf_counter() - began < LATE_S, seed
    return tally
