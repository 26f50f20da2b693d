"""What every function on orientations does with all kinds of input, good and bad.

The arguments of a function are made from the names of its parameters, so that no function can be forgotten.
Conversions, spatial algebra and connectors have the same tests beside their own.
"""

from __future__ import annotations

import copy
import inspect
import pickle
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from framescope.core import angle_branches, frames, kinematics, quaternions, transformation_matrices
from framescope.core.frames import Orientation
from framescope.core.kernels.componentwise import BLOCK
from framescope.core.transform import Transform
from tests.support.cases import for_each

MODULES = (frames, quaternions, transformation_matrices, kinematics, angle_branches)
SHAPES = [(), (1,), (5,), (2, 3), (0,), (3, 0, 2), (BLOCK + 3,)]

PLAIN: dict[str, Any] = {"sequence": "ZYX", "axis": 2, "with_residues": True}
UNIT = {"e"}
TRAILING: dict[str, tuple[int, ...]] = {
    **dict.fromkeys(("T", "T1", "T2", "T_rel", "T_inv", "der_T", "D1", "D2", "D_ba"), (3, 3)),
    **dict.fromkeys(("Q", "Q1", "Q2", "Q_rel", "der_Q", "Q_guess", "q_ba"), (4,)),
    **dict.fromkeys(("w", "w_ba_b", "v", "v1", "v2", "n_x", "n_y", "n_z", "e"), (3,)),
    **dict.fromkeys(("angles", "der_angles", "rates", "previous_angles"), (3,)),
    **dict.fromkeys(("angle", "der_angle", "guess_angle1"), ()),
}
ORIENTATIONS = {"R", "R1", "R2", "R_rel"}

# Those whose arguments are not a batch of items each: they have tests of their own.
OF_SERIES = {"integrate", "axes_rotations_angles_along", "continuous_signs"}
COLUMNS = {"multiple_resolve1": "v2", "multiple_resolve2": "v1"}


@dataclass(frozen=True)
class Function:
    """A public function with the names of its parameters."""

    module: ModuleType
    name: str
    parameters: tuple[str, ...]

    def __call__(self, arguments: dict[str, Any]) -> list[np.ndarray]:
        result = getattr(self.module, self.name)(**arguments)
        if isinstance(result, Orientation):
            return [result.T, result.w]
        return [np.asarray(part) for part in result] if isinstance(result, tuple) else [np.asarray(result)]

    def trailing(self, parameter: str) -> tuple[int, ...]:
        return (3, 7) if COLUMNS.get(self.name) == parameter else TRAILING.get(parameter, (3, 3))

    @property
    def orientations(self) -> set[str]:
        """The parameters that are orientations; in `transformation_matrices` the reference calls a matrix `R`."""
        return set() if self.module is transformation_matrices else ORIENTATIONS & set(self.parameters)

    @property
    def arrays(self) -> list[str]:
        """The parameters that are arrays, or orientations."""
        return [name for name in self.parameters if name not in PLAIN]


def functions() -> Iterator[Function]:
    for module in MODULES:
        for name, function in inspect.getmembers(module, inspect.isfunction):
            if function.__module__ == module.__name__ and not name.startswith("_") and name not in OF_SERIES:
                yield Function(module, name, tuple(inspect.signature(function).parameters))


FUNCTIONS = {f"{function.module.__name__.rpartition('.')[2]}.{function.name}": function for function in functions()}
WITH_ARRAYS = {name: function for name, function in FUNCTIONS.items() if function.arrays}


def made(function: Function, shape: tuple[int, ...], seed: int = 0) -> dict[str, Any]:
    """Return arguments of a leading shape."""
    rng = np.random.default_rng(seed)
    arguments: dict[str, Any] = {}
    for name in function.parameters:
        if name in PLAIN:
            arguments[name] = PLAIN[name]
        elif name in function.orientations:
            arguments[name] = Orientation(rng.normal(size=(*shape, 3, 3)), rng.normal(size=(*shape, 3)))
        else:
            values = rng.normal(size=(*shape, *function.trailing(name)))
            arguments[name] = values / np.linalg.norm(values, axis=-1, keepdims=True) if name in UNIT else values
    return arguments


def mapped(arguments: dict[str, Any], change: Callable[[np.ndarray], Any]) -> dict[str, Any]:
    """Return arguments with every array changed, those of orientations too."""
    found: dict[str, Any] = {}
    for name, value in arguments.items():
        if isinstance(value, Orientation):
            found[name] = Orientation(change(value.T), change(value.w))
        else:
            found[name] = change(value) if isinstance(value, np.ndarray) else value
    return found


def with_one(arguments: dict[str, Any], name: str, change: Callable[[np.ndarray], Any]) -> dict[str, Any]:
    return {**arguments, name: change(arguments[name])}


def not_contiguous(array: np.ndarray) -> np.ndarray:
    wide = np.zeros((*array.shape, 2))
    wide[..., 0] = array
    return wide[..., 0]


def read_only(array: np.ndarray) -> np.ndarray:
    array = array.copy()
    array.flags.writeable = False
    return array


def assert_same_bits(found: list[np.ndarray], wanted: list[np.ndarray]) -> None:
    for a, b in zip(found, wanted, strict=True):
        assert a.shape == b.shape
        assert_array_equal(a, b)


def test_that_no_parameter_is_unknown_to_these_tests() -> None:
    unknown = {name for function in FUNCTIONS.values() for name in function.parameters}
    assert unknown == {*PLAIN, *TRAILING, *ORIENTATIONS}
    assert len(FUNCTIONS) >= 90


@pytest.mark.parametrize("name", WITH_ARRAYS)
@for_each("shape", SHAPES)
def test_that_a_batch_gives_row_by_row_the_bits_of_single_calls(name, shape) -> None:
    function = FUNCTIONS[name]
    arguments = made(function, shape)
    batch = function(arguments)
    assert all(part.dtype == np.float64 and part.shape[: len(shape)] == shape for part in batch)
    indices = list(np.ndindex(shape))
    for index in indices if len(indices) < 10 else [indices[0], indices[BLOCK - 1], indices[BLOCK], indices[-1]]:
        single = function(mapped(arguments, lambda array, i=index: array[i]))
        assert_same_bits([part[index] for part in batch], single)


@pytest.mark.parametrize("name", [name for name, function in WITH_ARRAYS.items() if len(function.arrays) > 1])
def test_that_arguments_broadcast_against_each_other(name) -> None:
    function = FUNCTIONS[name]
    arguments = made(function, (4, 3))
    for chosen in function.arrays:
        row = {
            key: value
            if key in PLAIN
            else mapped({key: value}, lambda array, whole=key == chosen: array if whole else array[0, :1])[key]
            for key, value in arguments.items()
        }
        full = mapped(row, lambda a: a)
        for key in function.arrays:
            if key != chosen:
                full[key] = mapped({key: row[key]}, lambda array: np.broadcast_to(array, (4, 3, *array.shape[1:])))[key]
        assert_same_bits(function(row), function(full))


@pytest.mark.parametrize("name", WITH_ARRAYS)
@for_each("change", [read_only, not_contiguous, np.asfortranarray])
def test_that_the_layout_of_an_array_does_not_matter_and_is_left_alone(name, change) -> None:
    function = FUNCTIONS[name]
    arguments = made(function, (6,))
    before = mapped(arguments, np.copy)
    assert_same_bits(function(mapped(arguments, change)), function(arguments))
    for key, value in mapped(arguments, np.copy).items():
        if isinstance(value, np.ndarray):
            assert_array_equal(value, before[key])


@pytest.mark.parametrize("name", WITH_ARRAYS)
@for_each("dtype", [np.int64, np.int8, np.float32, np.uint16, ">f8"])
def test_that_other_real_numbers_are_taken_as_float64(name, dtype) -> None:
    function = FUNCTIONS[name]
    arguments = made(function, (3,))
    whole = mapped(arguments, lambda array: np.abs(np.round(array * 2.0)))
    for key in UNIT & set(whole):
        whole[key] = np.eye(3)
    assert_same_bits(function(mapped(whole, lambda array: array.astype(dtype))), function(whole))


@pytest.mark.parametrize("name", WITH_ARRAYS)
def test_that_lists_are_taken(name) -> None:
    function = FUNCTIONS[name]
    arguments = made(function, (2,))
    listed = {key: value.tolist() if isinstance(value, np.ndarray) else value for key, value in arguments.items()}
    assert_same_bits(function(listed), function(arguments))


BAD: dict[str, Callable[[np.ndarray], Any]] = {
    "nan": lambda a: np.where(np.arange(a.size).reshape(a.shape) == a.size - 1, np.nan, a),
    "inf": lambda a: np.where(np.arange(a.size).reshape(a.shape) == 0, -np.inf, a),
    "complex": lambda a: a.astype(complex),
    "text": lambda a: a.astype(str),
    "bool": lambda a: a > 0.0,
    "ragged": lambda a: [[1.0, 2.0], [3.0]],
}


@for_each("bad", BAD)
@pytest.mark.parametrize("name", WITH_ARRAYS)
def test_that_what_is_no_finite_real_array_is_refused_by_name(name, bad) -> None:
    function = FUNCTIONS[name]
    arguments = made(function, (3,))
    for key in function.arrays:
        if key not in function.orientations:
            with pytest.raises(ValueError, match=rf"^{key}: expected"):
                function(with_one(arguments, key, BAD[bad]))


@pytest.mark.parametrize("name", WITH_ARRAYS)
def test_that_a_wrong_shape_is_refused_by_name(name) -> None:
    function = FUNCTIONS[name]
    arguments = made(function, (3,))
    for key in function.arrays:
        if key not in function.orientations and function.trailing(key):
            for wrong in (lambda a: a[..., :2], lambda a: a.ravel()[:5], lambda _: np.array(1.0)):
                if COLUMNS.get(function.name) == key and wrong(arguments[key]).shape[-2:] == (3, 2):
                    continue  # two columns are as good as seven
                if key == "der_angles" and np.ndim(wrong(arguments[key])) == 0:
                    continue
                with pytest.raises(ValueError, match=rf"^{key}: expected"):
                    function(with_one(arguments, key, wrong))


@pytest.mark.parametrize("name", [name for name, function in WITH_ARRAYS.items() if function.orientations])
def test_that_a_matrix_is_not_taken_for_an_orientation(name) -> None:
    function = FUNCTIONS[name]
    arguments = made(function, ())
    for key in function.orientations:
        with pytest.raises(ValueError, match=rf"^{key}: expected an Orientation"):
            function(with_one(arguments, key, lambda _: np.eye(3)))


@pytest.mark.parametrize("name", [name for name, function in WITH_ARRAYS.items() if len(function.arrays) > 1])
def test_that_leading_shapes_that_do_not_broadcast_are_refused(name) -> None:
    function = FUNCTIONS[name]
    for odd in function.arrays:
        arguments = made(function, (4,)) | {odd: made(function, (3,))[odd]}
        with pytest.raises(ValueError, match=r"^leading shapes do not broadcast: ") as refusal:
            function(arguments)
        assert f"{odd} (3,)" in str(refusal.value)
        assert all(f"{other} (4,)" in str(refusal.value) for other in function.arrays if other != odd)


@pytest.mark.parametrize("name", [name for name, f in WITH_ARRAYS.items() if UNIT & set(f.parameters)])
@for_each("length", [0.0, 1.0 - 2e-6, 1.0 + 2e-6, 1e200])
def test_that_an_axis_that_is_not_of_unit_length_is_refused(name, length) -> None:
    function = FUNCTIONS[name]
    with pytest.raises(ValueError, match=r"^e: expected unit length within 1e-06, got"):
        function(with_one(made(function, (3,)), "e", lambda e: e * [[1.0], [length], [1.0]]))
    function(with_one(made(function, (3,)), "e", lambda e: e * (1.0 + 5e-7)))


SEQUENCES_REFUSED = [
    "XXY",
    "XYY",
    "XY",
    "XYZX",
    "ABC",
    "",
    "xyz",
    (1, 2),
    (1, 1, 2),
    (1, 2, 4),
    (0, 1, 2),
    123,
    None,
    np.ones((3, 3)),
]


@for_each("sequence", SEQUENCES_REFUSED)
@pytest.mark.parametrize("name", [name for name, f in FUNCTIONS.items() if "sequence" in f.parameters])
def test_that_a_wrong_sequence_is_refused(name, sequence) -> None:
    with pytest.raises(ValueError, match=r"^sequence: "):
        FUNCTIONS[name](made(FUNCTIONS[name], ()) | {"sequence": sequence})


@pytest.mark.parametrize("name", [name for name, f in FUNCTIONS.items() if "sequence" in f.parameters])
def test_that_a_sequence_is_letters_or_numbers(name) -> None:
    function = FUNCTIONS[name]
    by_letters = function(made(function, (2,)))
    for sequence in ((3, 2, 1), [3, 2, 1], np.array([3, 2, 1])):
        assert_same_bits(function(made(function, (2,)) | {"sequence": sequence}), by_letters)


@for_each("axis", [0, 4, -1, 1.5, "x", None, True, np.True_, np.array([1, 2])])
@pytest.mark.parametrize("name", [name for name, f in FUNCTIONS.items() if "axis" in f.parameters])
def test_that_a_wrong_axis_is_refused(name, axis) -> None:
    with pytest.raises(ValueError, match=r"^axis: expected 1, 2 or 3, got"):
        FUNCTIONS[name](made(FUNCTIONS[name], ()) | {"axis": axis})


@pytest.mark.parametrize("name", WITH_ARRAYS)
def test_that_huge_numbers_neither_warn_nor_raise_anything_but_a_value_error(name) -> None:
    function = FUNCTIONS[name]
    for shape in ((), (3,)):
        huge = mapped(made(function, shape), lambda array: array * 1e200)
        for key in UNIT & set(huge):
            huge[key] = made(function, shape)[key]
        try:
            function(huge)
        except ValueError as refusal:
            assert "expected" in str(refusal)  # noqa: PT017


FIELDS = {"frames.angular_velocity2", "frames.to_T", "frames.to_T_inv"}
"""Functions that hand out a field of an orientation, which is read-only."""


@pytest.mark.parametrize("name", WITH_ARRAYS)
def test_that_a_result_is_not_the_argument(name) -> None:
    function = FUNCTIONS[name]
    for layout in (np.copy, np.asfortranarray, lambda a: np.swapaxes(np.swapaxes(a, 0, -1).copy(), 0, -1)):
        arguments = mapped(made(function, (2,)), layout)
        given = [
            array
            for value in arguments.values()
            for array in ((value.T, value.w) if isinstance(value, Orientation) else (value,))
            if isinstance(array, np.ndarray)
        ]
        for part in function(arguments):
            is_own = not any(np.shares_memory(part, array) for array in given)
            assert is_own or not part.flags.writeable


def test_that_series_of_huge_numbers_do_not_warn() -> None:
    quaternions.continuous_signs(np.full((3, 4), 1e200))
    angle_branches.axes_rotations_angles_along(Orientation(np.full((3, 3, 3), 1e200), np.zeros(3)))
    with pytest.raises(ValueError, match=r"Q: expected a time series \(n, 4\), got shape \(4,\)"):
        quaternions.continuous_signs([0.0, 0.0, 0.0, 1.0])
    with pytest.raises(ValueError, match="guess_angle1: expected one number"):
        angle_branches.axes_rotations_angles_along(Orientation(np.ones((3, 3, 3)), np.zeros(3)), "XYZ", [0.0, 1.0, 2.0])


def test_that_masks_and_overflowing_long_floats_are_refused() -> None:
    with pytest.raises(ValueError, match=r"v: expected .*, got a masked array"):
        frames.length(np.ma.array([1.0, 2.0, 3.0], mask=[False, True, False]))
    with pytest.raises(ValueError, match="v: expected finite"):
        frames.length(np.array([np.finfo(np.longdouble).max, 0.0, 0.0], dtype=np.longdouble))


@pytest.mark.parametrize("none", [0, 0.0, np.int64(0), np.float32(0.0)], ids=repr)
def test_that_a_plain_zero_is_no_rate(none) -> None:
    assert_array_equal(frames.axes_rotations("XYZ", [0.1, 0.2, 0.3], none).w, 0.0)
    assert_array_equal(Transform(np.eye(3), [1.0, 2.0, 3.0]).to_orientation(none).w, 0.0)
    for refused in (False, 1, [0, 0]):
        with pytest.raises(ValueError, match="der_angles: expected"):
            frames.axes_rotations("XYZ", [0.1, 0.2, 0.3], refused)


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, lambda R: pickle.loads(pickle.dumps(R))])
def test_that_a_copy_is_read_only_too(copied) -> None:
    R = copied(frames.axes_rotations("XYZ", [0.1, 0.2, 0.3]))
    X = copied(Transform.from_orientation(R, [1.0, 2.0, 3.0]))
    assert_array_equal(X.R_AB, R.T.T)
    for array in (R.T, R.w, X.R_AB, X.p_AB):
        assert not array.flags.writeable


@pytest.mark.parametrize("name", [name for name, function in FUNCTIONS.items() if not function.arrays])
def test_that_what_takes_no_arrays_gives_a_single_item(name) -> None:
    for part in FUNCTIONS[name](made(FUNCTIONS[name], ())):
        assert part.dtype == np.float64
        assert part.shape in {(3, 3), (3,), (4,)}


def test_that_an_orientation_says_what_is_wrong_with_it() -> None:
    for T, w, message in [
        (np.eye(2), np.zeros(3), r"T: expected shape \(\.\.\., 3, 3\), got \(2, 2\)"),
        (np.eye(3), np.zeros(2), r"w: expected shape \(\.\.\., 3\), got \(2,\)"),
        (np.full((3, 3), np.nan), np.zeros(3), "T: expected finite"),
        (np.zeros((2, 3, 3)), np.zeros((3, 3)), r"leading shapes do not broadcast: T \(2,\), w \(3,\)"),
    ]:
        with pytest.raises(ValueError, match=message):
            Orientation(T, w)


def test_that_an_orientation_is_read_only_and_leaves_its_arrays_to_their_owner() -> None:
    T, w = np.eye(3), np.zeros((5, 3))
    R = Orientation(T, w)
    assert R.T.shape == (5, 3, 3)
    with pytest.raises(ValueError, match="read-only"):
        R.T[0, 0, 0] = 2.0
    T[0, 0] = w[0, 0] = 1.0
    with pytest.raises(AttributeError):
        R.w = w
