"""Random trials of the detective: planted relations with delays, wild rows and noise, unrelated pairs, and a judge."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from framescope.features.detective.core.axis_changes import IDENTITY, NAMES, AxisChange, pairs
from framescope.features.detective.core.findings import angles_apart, generic_numbers
from framescope.features.detective.core.hypotheses import Hypothesis
from framescope.features.detective.core.interpretations import Interpretation, interpretations_of
from framescope.features.detective.core.pairing import Pairs
from framescope.features.detective.core.pipeline import Report, detect_samples
from framescope.features.detective.core.samples import Samples
from tests.support.detective_cases import offset, random_matrices, shaken

Outcome = Literal["right", "open", "refused", "wrong"]
"""``right``: the truth, or that nothing is related; ``open``: it does not decide; ``refused``: nothing is said to fit
what is related; ``wrong``: one answer, and not the truth."""

KINDS = (
    "rows",
    "axes",
    "one offset",
    "two offsets",
    "small spread",
    "few rows",
    "delay",
    "delay and offset",
    "one clock",
    "unrelated rows",
    "unrelated few",
    "unrelated motions",
)

COLUMNS = {"angles": 3, "rotation vector": 3, "quaternion": 4, "axis and angle": 4, "matrix": 9}
SIDES_A = ("angles", "angles", "angles", "quaternion", "quaternion", "matrix", "rotation vector", "axis and angle")
SIDES_B = ("quaternion", "quaternion", "matrix", "matrix", "angles")
USUAL_ANGLES = ("ZYX", "XYZ", "zyx", "xyz", "ZXZ", "ZXY", "YXZ")


@dataclass(frozen=True, eq=False)
class Trial:
    """Numbers of both sides with what relates them; `truth` is None where nothing does.

    Attributes
    ----------
    delay
        Added to the times of `b` it makes both clocks one, s.
    limit
        How far a right answer may be off generic orientations, rad.
    delay_limit
        How far a right answer may be off the delay, s.
    """

    kind: str
    seed: int
    a: Samples
    b: Samples
    truth: Hypothesis | None
    delay: float
    limit: float
    delay_limit: float
    facts: str


def trial_of(seed: int) -> Trial:
    """Return a trial; seeds go round the kinds."""
    kind = KINDS[seed % len(KINDS)]
    random = np.random.default_rng((25, seed))
    if kind.startswith("unrelated"):
        return _unrelated(random, seed, kind)
    return (
        _in_time(random, seed, kind)
        if kind in ("delay", "delay and offset", "one clock")
        else _rows(random, seed, kind)
    )


def _truth(random: np.random.Generator, kind: str) -> Hypothesis:
    axes = (IDENTITY, IDENTITY)
    is_changed = kind == "axes" or (kind in ("small spread", "delay", "few rows") and random.random() < 0.3)
    if is_changed and random.random() < 0.5:
        named = [AxisChange(*key) for key in NAMES]
        proper = [change for change in named if np.linalg.det(change.matrix) > 0.0]
        axes = (proper[random.integers(len(proper))], proper[random.integers(len(proper))])
    elif is_changed:
        axes = pairs()[random.integers(len(pairs()))]
    n_offsets = {"one offset": 1, "two offsets": 2, "delay and offset": 1}.get(kind, 0)
    if kind == "small spread":
        n_offsets = int(random.integers(3))
    is_parent = n_offsets == 2 or (n_offsets == 1 and random.random() < 0.5)
    is_frame = n_offsets == 2 or (n_offsets == 1 and not is_parent)
    return Hypothesis(
        _reading(random, SIDES_A),
        _reading(random, SIDES_B),
        bool(random.random() < 0.3),
        *axes,
        parent_offset=offset(random) if is_parent else None,
        frame_offset=offset(random) if is_frame else None,
    )


def _reading(random: np.random.Generator, kinds: tuple[str, ...]) -> Interpretation:
    kind = kinds[random.integers(len(kinds))]
    found = [i for i in interpretations_of(COLUMNS[kind]) if i.kind == kind]
    if kind == "angles" and random.random() < 0.6:
        found = [i for i in found if i.choice in USUAL_ANGLES]
    return found[random.integers(len(found))]


def _noise(random: np.random.Generator) -> float:
    return float(10.0 ** random.uniform(-6.0, np.log10(0.05)))


def _around(random: np.random.Generator, n: int, spread: float) -> np.ndarray:
    """Return orientations about a random one, which lie apart by about so much, rad."""
    turns = random.normal(size=(n, 3)) * spread / np.sqrt(3)
    return random_matrices(random, 1) @ Interpretation("rotation vector", unit="rad").matrices(turns)


def _wild(random: np.random.Generator, R: np.ndarray, share: float) -> tuple[np.ndarray, int]:
    """Return orientations of which a share has been replaced by others, and how many."""
    is_wild = random.random(len(R)) < share
    R = R.copy()
    R[is_wild] = random_matrices(random, int(is_wild.sum()))
    return R, int(is_wild.sum())


def _side_a(h: Hypothesis, R: np.ndarray) -> np.ndarray:
    A = h.left @ R @ h.right
    return np.swapaxes(A, 1, 2) if h.is_inverse else A


def _rows(random: np.random.Generator, seed: int, kind: str) -> Trial:
    h, noise = _truth(random, kind), _noise(random)
    n = int(2 + random.integers(5)) if kind == "few rows" else int(np.exp(random.uniform(np.log(8), np.log(2000))))
    spread = float(random.uniform(0.3, 3.0))
    if kind == "small spread":
        spread = float(10.0 ** random.uniform(-1.3, -0.3))
    elif kind == "two offsets" and random.random() < 0.5:
        spread = 0.3
    R = random_matrices(random, n) if spread > 2.0 else _around(random, n, spread)
    share = float(random.uniform(0.0, 0.02)) if kind != "few rows" and random.random() < 0.7 else 0.0
    A, n_wild = _wild(random, shaken(random, _side_a(h, R), noise), share)
    B = shaken(random, R, noise) if random.random() < 0.5 else R
    facts = f"n {n}, noise {noise:.1e}, spread {spread:.2f}, wild {n_wild}"
    a, b = Samples(h.interpretation_a.numbers(A)), Samples(h.interpretation_b.numbers(B))
    return Trial(kind, seed, a, b, h, 0.0, _limit(h, noise, min(spread, 1.5), n), 0.0, facts)


def _limit(h: Hypothesis, noise: float, spread: float, n: int) -> float:
    return 1e-5 if not h.n_fitted else 1e-5 + 12.0 * noise / (spread * np.sqrt(n)) + 0.02 * noise


class _Motion:
    """A smooth motion: three angles, each a sum of sines, with or without a steady turn."""

    def __init__(self, random: np.random.Generator, reach: float) -> None:
        self.size = random.uniform(0.2, 1.0, (3, 4)) * reach / 2.0
        self.w = 2.0 * np.pi * random.uniform(0.05, 0.9, (3, 4))
        self.phase = random.uniform(0.0, 2.0 * np.pi, (3, 4))
        self.rate = random.uniform(-0.3, 0.3, 3) * (random.random() < 0.3)
        self.base = random_matrices(random, 1)

    def at(self, t: np.ndarray) -> np.ndarray:
        angles = np.sum(self.size * np.sin(self.w * t[:, None, None] + self.phase), axis=2) + self.rate * t[:, None]
        return self.base @ Interpretation("angles", "ZYX", "rad").matrices(angles)


def _times(random: np.random.Generator, start: float, end: float, rate: float) -> np.ndarray:
    t = np.arange(start, end, 1.0 / rate)
    return t + (random.uniform(-0.1, 0.1, len(t)) / rate if random.random() < 0.3 else 0.0)


def _rate(random: np.random.Generator) -> float:
    return float(np.exp(random.uniform(np.log(10.0), np.log(300.0))))


def _in_time(random: np.random.Generator, seed: int, kind: str) -> Trial:
    h, noise = _truth(random, kind), _noise(random)
    delay = (
        0.0 if kind == "one clock" else float(10.0 ** random.uniform(-1.3, 0.7)) * (1 if random.random() < 0.5 else -1)
    )
    motion = _Motion(random, float(random.uniform(0.5, 1.5)))
    length = float(random.uniform(8.0, 25.0)) + abs(delay)
    rates = [_rate(random), _rate(random)]
    if random.random() < 0.4:
        rates[1] = rates[0]
    starts = random.uniform(0.0, 1.0, 2)
    t_a, t_b = (_times(random, start, length, rate) for start, rate in zip(starts, rates, strict=True))
    share = float(random.uniform(0.0, 0.02)) if random.random() < 0.5 else 0.0
    A, n_wild = _wild(random, shaken(random, _side_a(h, motion.at(t_a)), noise), share)
    B, n_more = _wild(random, shaken(random, motion.at(t_b), noise), share if random.random() < 0.3 else 0.0)
    step = 1.0 / min(rates)
    facts = (
        f"rates {rates[0]:.0f} {rates[1]:.0f} Hz, n {len(t_a)} {len(t_b)}, noise {noise:.1e}, delay {delay:.3f} s,"
        f" wild {n_wild}+{n_more}"
    )
    a = Samples(h.interpretation_a.numbers(A), t_a)
    b = Samples(h.interpretation_b.numbers(B), t_b - delay)
    n = min(len(t_a), len(t_b))
    limit = _limit(h, noise + 0.01, 0.5, n) + 0.005 * bool(h.n_fitted)
    return Trial(kind, seed, a, b, h, delay, limit, 0.25 * step + 0.01, facts)


def _unrelated(random: np.random.Generator, seed: int, kind: str) -> Trial:
    sides = (_reading(random, SIDES_A), _reading(random, SIDES_B))
    if kind == "unrelated motions":
        rates = (_rate(random), _rate(random))
        t = [_times(random, 0.0, float(random.uniform(6.0, 25.0)), rate) for rate in rates]
        reach = random.uniform(0.1, 1.5, 2)
        found = [
            Samples(side.numbers(_Motion(random, float(r)).at(times)), times)
            for side, times, r in zip(sides, t, reach, strict=True)
        ]
        facts = f"rates {rates[0]:.0f} {rates[1]:.0f} Hz, reach {reach[0]:.2f} {reach[1]:.2f}"
        return Trial(kind, seed, found[0], found[1], None, 0.0, 0.0, 0.0, facts)
    n = 2 + int(random.integers(4)) if kind == "unrelated few" else int(np.exp(random.uniform(np.log(6), np.log(1000))))
    spread = float(random.uniform(0.1, 3.0))
    made = [random_matrices(random, n) if spread > 2.0 else _around(random, n, spread) for _ in sides]
    if random.random() < 0.3:  # near nothing, as small turns are
        made = [R[:1].transpose(0, 2, 1) @ R for R in made]
    a, b = (Samples(side.numbers(R)) for side, R in zip(sides, made, strict=True))
    return Trial(kind, seed, a, b, None, 0.0, 0.0, 0.0, f"n {n}, spread {spread:.2f}")


def outcome_of(trial: Trial, report: Report, pairs: Pairs) -> Outcome:
    """Return how a report stands to the truth."""
    if report.status == "unclear":
        return "open"
    if trial.truth is None:
        return "wrong" if report.is_found else "right"
    if not report.is_found:
        return "refused"
    off = float(angles_apart(trial.truth, report.findings[0].hypothesis, generic_numbers(trial.a.numbers)).max())
    is_right = off < trial.limit and abs(pairs.offset - trial.delay) <= trial.delay_limit
    return "right" if is_right else "wrong"


def tried(seed: int) -> tuple[Trial, Pairs, Report, Outcome]:
    """Return a trial, what is found, and how that stands to the truth."""
    trial = trial_of(seed)
    pairs, report = detect_samples(trial.a, trial.b)
    return trial, pairs, report, outcome_of(trial, report, pairs)
