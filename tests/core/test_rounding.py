"""Times since 1970 in every kind of table: the differences are those of the file, and so are accelerations."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from decimal import Decimal

import numpy as np
import pytest

from framescope.core.evaluation.compile.recordings.vectors import read_series
from framescope.core.evaluation.evaluate import compile_plan, evaluate
from framescope.core.kernels.rounding import product_with_rest, rest_of_integers, rest_of_texts, sum_with_rest
from framescope.core.recordings.tables.mixed import read_mixed, read_table
from framescope.core.scene.files.loading import parse_scene

N, STEP_NS = 400, 10_000_000
NS = 7_654_321 + STEP_NS * np.arange(N, dtype=np.int64)  # after a whole second
START_S = 1_700_000_123
T = STEP_NS * 1e-9 * np.arange(N)
PLACES = np.stack([np.cos(T), np.sin(T), 0.5 * np.sin(3.0 * T)], axis=-1)


def stamps(form: str, since: int = START_S) -> list[str]:
    """Return the times of all rows as a kind of file writes them."""
    whole, part = since + NS // 10**9, NS % 10**9
    match form:
        case "s":
            return [f"{a}.{b:09d}" for a, b in zip(whole, part, strict=True)]
        case "ms":
            return [f"{a}{b // 10**6:03d}.{b % 10**6:06d}" for a, b in zip(whole, part, strict=True)]
        case "ns":
            return [f"{a}{b:09d}" for a, b in zip(whole, part, strict=True)]
        case "exponent":
            return [f"{Decimal(f'{a}.{b:09d}'):.18e}" for a, b in zip(whole, part, strict=True)]
        case "two columns":
            return [f"{a},{b}" for a, b in zip(whole, part, strict=True)]
        case _:
            first = datetime(1970, 1, 1, tzinfo=UTC)
            days = [(first + timedelta(seconds=int(a)), b) for a, b in zip(whole, part, strict=True)]
            mark = "," if form == "date and time" else "T"
            return [f"{day:%Y-%m-%d}{mark}{day:%H:%M:%S}.{b:09d}" for day, b in days]


COLUMNS = {
    "s": ("t", "t", "s"),
    "ms": ("t", "t", "ms"),
    "ns": ("t", "t", "ns"),
    "exponent": ("t", "t", "s"),
    "two columns": ("secs,nsecs", "secs + nsecs", "s"),
    "stamp": ("t", "t", "s"),
    "date and time": ("date,time", "date + time", "s"),
}
"""By form of the times: the header, the column that is read, and its unit."""


def accelerations(folder, motion: str) -> np.ndarray:
    text = f"framescope: 1\ntime: {{start: 0 s, end: 4 s}}\nframes:\n  a: {{parent: world, motion: {motion}}}\n"
    plan = compile_plan(parse_scene(text)[0], folder)
    assert plan.problems == ()
    return evaluate(plan, np.linspace(0.5, 3.3, 200)).a_WF[:, plan.index["a"]]


def tabled(folder, form: str, since: int = START_S) -> np.ndarray:
    header, column, unit = COLUMNS[form]
    rows = [f"{t},{x!r},{y!r},{z!r}" for t, (x, y, z) in zip(stamps(form, since), PLACES.tolist(), strict=True)]
    (folder / "a.csv").write_text("\n".join([f"{header},x,y,z", *rows]))
    columns = f'{{time: "{column}", time_unit: {unit}, position: [x, y, z], position_unit: m}}'
    motion = f"{{form: recorded, file: a.csv, format: table, bandwidth: 20 Hz, columns: {columns}}}"
    return accelerations(folder, motion)


@pytest.fixture
def plain(tmp_path) -> np.ndarray:
    """Accelerations of the recording stamped from 0."""
    return tabled(tmp_path, "s", 0)


@pytest.mark.parametrize("form", COLUMNS)
def test_that_a_recording_stamped_since_1970_has_the_accelerations_of_one_stamped_from_0(tmp_path, plain, form) -> None:
    np.testing.assert_allclose(tabled(tmp_path, form), plain, atol=1e-8)


def test_that_formats_with_fixed_columns_have_them_too(tmp_path, plain) -> None:
    tum = [f"{t} {x!r} {y!r} {z!r} 0 0 0 1" for t, (x, y, z) in zip(stamps("s"), PLACES.tolist(), strict=True)]
    (tmp_path / "a.tum").write_text("\n".join(tum))
    found = accelerations(tmp_path, "{form: recorded, file: a.tum, format: tum, bandwidth: 20 Hz}")
    np.testing.assert_allclose(found, plain, atol=1e-8)
    euroc = [f"{t},{x!r},{y!r},{z!r},1,0,0,0" for t, (x, y, z) in zip(stamps("ns"), PLACES.tolist(), strict=True)]
    names = "#timestamp,p_RS_R_x [m],p_RS_R_y [m],p_RS_R_z [m],q_RS_w [],q_RS_x [],q_RS_y [],q_RS_z []"
    (tmp_path / "a.csv").write_text("\n".join([names, *euroc]))
    found = accelerations(tmp_path, "{form: recorded, file: a.csv, format: euroc, bandwidth: 20 Hz}")
    np.testing.assert_allclose(found, plain, atol=1e-8)


@pytest.mark.parametrize("kind", ["integers", "dates"])
def test_that_packed_times_keep_their_digits(tmp_path, kind) -> None:
    whole = START_S * 10**9 + NS
    np.savez(tmp_path / "a.npz", t=whole if kind == "integers" else whole.astype("M8[ns]"), x=T, y=T, z=T)
    unit = 1e-9 if kind == "integers" else 1.0
    found = unit * read_mixed(tmp_path / "a.npz").table(["t"]).since_first("t")
    np.testing.assert_allclose(found, T, rtol=0.0, atol=1e-13)
    if kind == "integers":
        np.testing.assert_array_equal(read_table(tmp_path / "a.npz").since_first("t"), NS - NS[0])


def test_that_a_recorded_vector_keeps_the_digits_of_its_times(tmp_path) -> None:
    rows = [f"{t},{x!r},0,0" for t, x in zip(stamps("s"), T.tolist(), strict=True)]
    (tmp_path / "a.csv").write_text("\n".join(["t,x,y,z", *rows]))
    series = read_series(tmp_path / "a.csv", "t", 1.0, ("x", "y", "z"))
    np.testing.assert_allclose(series.t, T, rtol=0.0, atol=1e-13)
    backwards = ["t,x,y,z", *rows[::-1]]
    (tmp_path / "b.csv").write_text("\n".join(backwards))
    series = read_series(tmp_path / "b.csv", "t", 1.0, ("x", "y", "z"), ["sort by time"])
    np.testing.assert_allclose(series.t, T, rtol=0.0, atol=1e-13)
    assert series.first == pytest.approx(START_S + NS[0] * 1e-9, abs=1e-6)


def test_that_what_rounding_takes_off_is_that_of_exact_arithmetic() -> None:
    cells = ["1700000000.123456789012", "-1700000000.1", "1.7000000000123456789e9", "0.1", "123456789012345678", "nan"]
    values = np.array([float(cell) for cell in cells])
    exact = [float(Decimal(cell) - Decimal(float(cell))) if abs(float(cell)) > 1e8 else 0.0 for cell in cells]
    np.testing.assert_allclose(rest_of_texts(cells, values), exact, rtol=1e-7, atol=1e-16)
    plain = [cells[0], cells[4], "67108864.3", "0.1"]
    rest = rest_of_texts(plain, np.array([float(cell) for cell in plain]))
    np.testing.assert_allclose(rest[:3], [float(Decimal(c) - Decimal(float(c))) for c in plain[:3]], rtol=1e-7)
    assert rest_of_texts(["0.1", "0.3"], np.array([0.1, 0.3])) is None
    for whole in (np.array([2**63 - 1, -(2**63), 2**53 + 1]), np.array([2**64 - 1, 0, 2**53 + 1], dtype=np.uint64)):
        assert rest_of_integers(whole, whole.astype(float))[2] == 1.0


@pytest.mark.parametrize("function", [product_with_rest, sum_with_rest])
def test_that_numbers_without_a_rest_are_no_warning(function) -> None:
    numbers = np.array([np.inf, -np.inf, np.nan, 0.0, 1e308, -1e308, 1e-320])
    a, b = (each.ravel() for each in np.meshgrid(numbers, numbers))
    with np.errstate(all="raise", under="ignore"):
        total, rest = function(a, b)
    assert np.isfinite(rest).all()
    with np.errstate(all="ignore"):
        np.testing.assert_array_equal(total, a * b if function is product_with_rest else a + b)
