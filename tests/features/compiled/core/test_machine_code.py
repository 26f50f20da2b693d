"""Formulas compiled: the bits of the formulas in Python, in any layout, on any number of cores, or none at all."""

from __future__ import annotations

import importlib
import math
import mmap
import pkgutil
import warnings
from dataclasses import replace

import numpy as np
import pytest

from framescope import core
from framescope.core import quaternions, transformation_matrices
from framescope.core.kernels import axis_rotations, conversions, linear_algebra, nearest_rotation
from framescope.core.kernels.code import formula_compilers
from framescope.core.kernels.code.formula_compilers import MODE, MachineCode
from framescope.core.kernels.code.symbolic import UntraceableError, code_of, code_of_formula
from framescope.core.kernels.componentwise import Formula, Kernel, KernelOfTwo
from framescope.features.compiled.core import compilation, machine, threads
from framescope.features.compiled.core.llvm_text import FLAGS, loop_of

pytestmark = pytest.mark.skipif(not machine.is_available(), reason="llvmlite is not installed")

N = 1000


def formulas() -> list[Formula]:
    modules = [importlib.import_module(each.name) for each in pkgutil.walk_packages(core.__path__, "framescope.core.")]
    named = [each for module in modules for each in vars(module).values() if isinstance(each, Formula)]
    of_sequences = (
        *(axis_rotations.axes_matrix, axis_rotations.axes_rotations, axis_rotations.axes_motion),
        *(axis_rotations.axes_rotations_angles, axis_rotations.euler_rates, axis_rotations.is_locked),
        *(axis_rotations.nearness, conversions.all_in_first),
    )
    made = [make(sequence) for make in of_sequences for sequence in ((1, 2, 3), (3, 1, 3))]
    about = [make(axis) for make in (axis_rotations.axis_rotation, axis_rotations.axis_matrix) for axis in (1, 2, 3)]
    return list({id(each): each for each in (*named, *made, *about)}.values())


FORMULAS = formulas()


def compiled(formula: Formula) -> MachineCode:
    return machine.machine_code(formula.__name__, code_of_formula(formula), formula.takes, formula.gives)


def numbers(formula: Formula, n: int = N) -> tuple[np.ndarray, ...]:
    """Return arguments of very different sizes, with zeros, signs of zero and unit directions among them."""
    rng = np.random.default_rng(3)
    found = []
    for shape in formula.takes:
        array = rng.normal(size=(n, *shape)) * 10.0 ** rng.integers(-8, 4, (n, *[1] * len(shape)))
        array[::7], array[1::7] = 0.0, -0.0
        array[2::7] = np.sign(array[2::7])
        found.append(array)
    return tuple(found)


def in_python(formula: Formula, arrays: tuple[np.ndarray, ...]) -> tuple[np.ndarray, ...]:
    fresh = Formula(formula.formula, formula.takes, formula.gives)
    fresh.n_processed = -math.inf
    return fresh.run(arrays, ())


def called(code: MachineCode, *arrays: np.ndarray) -> tuple[np.ndarray, ...]:
    found = code.ufunc(*arrays)
    return tuple(map(np.asarray, found)) if isinstance(found, tuple) else (np.asarray(found),)


def assert_same_bits(ours: tuple[np.ndarray, ...], theirs: tuple[np.ndarray, ...]) -> None:
    """Look at bits; of a NaN neither machine nor language says which one it is."""
    for a, b in zip(ours, theirs, strict=True):
        assert a.shape == b.shape
        is_nan = np.isnan(a)
        np.testing.assert_array_equal(is_nan, np.isnan(b))
        bits = (np.ascontiguousarray(each).view(np.int64)[~is_nan] for each in (a, b))
        np.testing.assert_array_equal(*bits)


def test_that_there_are_formulas() -> None:
    assert len(FORMULAS) > 100


@pytest.mark.parametrize("formula", FORMULAS, ids=lambda formula: formula.__name__)
def test_that_machine_code_gives_the_bits_of_the_formula(formula) -> None:
    code, arrays = compiled(formula), numbers(formula)
    wanted = in_python(formula, arrays)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert_same_bits(called(code, *arrays), wanted)
        for i in range(0, 21, 2):  # singly, other loops of numpy and no vectors: the same bits
            assert_same_bits(called(code, *(each[i] for each in arrays)), tuple(each[i] for each in wanted))
        spread = [np.asfortranarray(np.repeat(each, 2, axis=0))[::2] for each in arrays]
        assert_same_bits(called(code, *spread), wanted)
        assert_same_bits(called(code, *(each[::-1] for each in arrays)), tuple(each[::-1] for each in wanted))
        first = arrays[0][5]
        assert_same_bits(called(code, first, *arrays[1:]), in_python(formula, (first, *arrays[1:])))
        last = arrays[-1][4]
        assert_same_bits(called(code, *arrays[:-1], last), in_python(formula, (*arrays[:-1], last)))


@pytest.mark.parametrize("formula", FORMULAS[::9], ids=lambda formula: formula.__name__)
def test_that_the_number_of_cores_changes_no_bit(formula, monkeypatch) -> None:
    code, arrays = compiled(formula), numbers(formula, 1013)
    wanted = called(code, *arrays)
    for n_cores in (1, 2, 3, 7):
        monkeypatch.setattr(threads, "cores", lambda n=n_cores: n)
        threads.shared_pool.cache_clear()
        found = code.in_parts(*arrays)
        assert_same_bits(found if isinstance(found, tuple) else (found,), wanted)
    threads.shared_pool.cache_clear()


def test_that_leading_axes_broadcast() -> None:
    code, rng = compiled(linear_algebra.multiply_quaternions), np.random.default_rng(1)
    for one, other in (((3, 1, 4), (5, 4)), ((4,), (2, 3, 4)), ((0, 4), (1, 4)), ((6, 2, 4), (6, 1, 4))):
        p, q = rng.normal(size=one), rng.normal(size=other)
        wanted = in_python(linear_algebra.multiply_quaternions, (p, q))
        assert_same_bits(called(code, p, q), wanted)
        assert_same_bits((code.in_parts(p, q),), wanted)


@pytest.mark.parametrize("wrong", [np.nan, np.inf, -np.inf])
def test_that_numbers_that_are_not_finite_are_told(wrong) -> None:
    for formula in FORMULAS[::5]:
        code = compiled(formula)
        for k in range(len(formula.takes)):
            arrays = [each.copy() for each in numbers(formula, 70)]
            before = code.nonfinite_counts[0]
            code.ufunc(*arrays)
            assert code.nonfinite_counts[0] == before, formula.__name__
            for place in (0, arrays[k].size // 2, arrays[k].size - 1):
                bad = arrays[k].copy()
                bad.reshape(-1)[place] = wrong
                before = code.nonfinite_counts[0]
                code.ufunc(*arrays[:k], bad, *arrays[k + 1 :])
                assert code.nonfinite_counts[0] == before + 1, (formula.__name__, k, place)


@pytest.fixture
def product() -> Kernel:
    """Return a kernel that is compiled, and belongs to nobody."""
    made = Kernel(linear_algebra.apply_matrix.formula, ((3, 3), (3,)), ((3,),))
    made.compile()
    return made


def test_that_a_compiled_kernel_checks_as_before(product) -> None:
    M, v, names = np.eye(3), np.ones(3), ("M", "v")
    for good in (v, [1, 1, 1], np.ones(3, dtype=np.float32), np.ones(3, dtype=int), np.ones(6)[::2]):
        np.testing.assert_array_equal(product.checked(names, M, good), v)
    huge = product.checked(names, M, np.full(3, 1.7e308))  # its sum is not finite, it is
    np.testing.assert_array_equal(huge, 1.7e308)
    for bad, said in (
        ([1.0, np.nan, 1.0], "v: expected finite numbers"),
        (np.ones(4), r"v: expected shape \(..., 3\), got \(4,\)"),
        (np.ones(3, dtype=bool), "v: expected real numbers"),
        (np.ones(3, dtype=complex), "v: expected real numbers"),
        (["a", "b", "c"], "v: expected real numbers"),
        (np.ma.masked_array(v), "masked array"),
    ):
        with pytest.raises(ValueError, match=said):
            product.checked(names, M, bad)
    with pytest.raises(ValueError, match=r"leading shapes do not broadcast: M \(2,\), v \(3,\)"):
        product.checked(names, np.stack([M, M]), np.ones((3, 3)))
    with pytest.raises(ValueError, match=r"leading shapes do not broadcast: M \(2,\), v \(3,\)"):
        product(np.stack([M, M]), np.ones((3, 3)), names=names)


def test_that_a_compiled_kernel_still_runs_on_symbols(product) -> None:
    code = code_of(lambda M, v: list(product(M, v)), {"M": (3, 3), "v": (3,)})
    M, v = np.arange(9.0).reshape(3, 3), np.array([1.0, 2.0, 3.0])
    again = machine.machine_code("again", code, ((3, 3), (3,)), ((3,),))
    np.testing.assert_array_equal(again.ufunc(M, v), M @ v)


def test_that_trusted_numbers_need_not_be_finite(product) -> None:
    M = np.full((3, 3), np.inf)
    assert np.isnan(product.checked(("R", "v"), M, np.zeros(3), n_trusted=1)).all()
    with pytest.raises(ValueError, match="R: expected finite"):
        product.checked(("R", "v"), M, np.zeros(3))


def test_that_results_are_arrays_as_before() -> None:
    length = Kernel(linear_algebra.length.formula, ((3,),), ((),))
    before = length(np.array([3.0, 4.0, 0.0]))
    length.compile()
    for found in (before, length(np.array([3.0, 4.0, 0.0])), length.checked(("v",), np.array([3.0, 4.0, 0.0]))):
        assert type(found) is np.ndarray
        assert found.shape == ()
        assert found == 5.0


def test_that_nothing_warns_and_no_flag_stays(product) -> None:
    with np.errstate(all="raise"):
        found = product(np.full((50, 3, 3), 1e300), np.full((50, 3), 1e300))
        assert np.isinf(found).all()
        assert float(np.float64(2.0) * 3.0) == 6.0  # and what comes next is not blamed for it


def test_that_normalising_tells_of_what_has_no_direction() -> None:
    good = np.random.default_rng(0).normal(size=(N, 4))
    for size in (1, 3, N):
        np.testing.assert_allclose(
            np.linalg.norm(quaternions.normalize_quaternion(good[:size]), axis=1), 1.0, rtol=1e-15
        )
        bad = good[:size].copy()
        bad[size // 2] = 1e-200
        with pytest.raises(ValueError, match="expected a quaternion that is not zero, got one of length 0"):
            quaternions.normalize_quaternion(bad)
    assert quaternions.normalize_quaternion([0.0, 0.0, 0.0, 1e-140])[3] == 1.0


def test_that_the_nearest_rotation_is_the_same_compiled_and_not(monkeypatch) -> None:
    rng = np.random.default_rng(8)
    drifted = transformation_matrices.from_Q(quaternions.normalize_quaternion(rng.normal(size=(N, 4))))
    drifted += 1e-3 * rng.normal(size=drifted.shape)
    mixed = drifted.copy()
    mixed[::3] = rng.normal(size=(len(mixed[::3]), 3, 3))  # far from any
    kernel = nearest_rotation.newton_iteration
    fresh = KernelOfTwo(kernel.formula, kernel.takes, kernel.gives, tells_results=True)
    fresh.n_processed = -math.inf
    for given in (drifted, mixed, mixed[0], drifted[1]):
        monkeypatch.setattr(nearest_rotation, "newton_iteration", fresh)
        wanted = transformation_matrices.project_to_rotation(given)
        monkeypatch.setattr(nearest_rotation, "newton_iteration", kernel)
        kernel.compile()
        assert_same_bits(transformation_matrices.project_to_rotation(given), wanted)
    for wrong in ([[1.0, 2.0], [3.0, 4.0]], np.full((3, 3), np.nan)):
        with pytest.raises(ValueError, match="T: expected"):
            transformation_matrices.project_to_rotation(wrong)


# --- How many cores


def test_that_a_second_core_is_asked_by_what_there_is_to_do() -> None:
    kernels = (axis_rotations.axis_matrix(3), linear_algebra.multiply_matrices, linear_algebra.multiply_quaternions)
    items = [compiled(each).large // math.prod(each.takes[0]) for each in kernels]
    assert items == sorted(items)
    assert items[0] > 10_000
    assert items[-1] < 200_000
    assert compiled(linear_algebra.conjugate).large > 4_000_000  # it waits for the memory alone


def test_that_only_items_side_by_side_are_fetched_ahead() -> None:
    """Of a thousandth of all matrices everything between was fetched, which took a hundred times as long."""
    product = linear_algebra.multiply_matrices
    text = loop_of(code_of_formula(product), product.takes, product.gives, "x86_64").text
    assert text.count("@llvm.prefetch.p0(ptr %ahead") == 3
    for k in range(3):
        assert f"%ahead{k}.is.packed = icmp eq i64 %s{k}.0, 72" in text
        assert f"%ahead{k}.size = select i1 %ahead{k}.is.packed, i64 %ahead{k}.all, i64 0" in text
    vector = linear_algebra.cross
    assert "@llvm.prefetch.p0(ptr %" not in loop_of(code_of_formula(vector), vector.takes, vector.gives, "x86_64").text


def test_that_an_array_at_the_end_of_memory_is_read_to_its_end_alone() -> None:
    page = mmap.PAGESIZE
    for n_items in (1, 63, 64, 65, 1000):
        size = 72 * n_items
        memory = mmap.mmap(-1, -(-size // page) * page)
        T = np.frombuffer(memory, np.float64, 9 * n_items, offset=len(memory) - size).reshape(n_items, 3, 3)
        T[...] = np.random.default_rng(n_items).normal(size=T.shape)
        wanted = in_python(linear_algebra.multiply_matrices, (T, T))
        assert_same_bits(called(compiled(linear_algebra.multiply_matrices), T, T), wanted)


# --- When, and where kept


def test_that_a_formula_is_compiled_beside_when_it_has_had_much_to_do(monkeypatch) -> None:
    monkeypatch.setenv(MODE, "")
    monkeypatch.setattr("framescope.core.kernels.componentwise.COMPILED_AFTER", 2e6)
    kernel = Kernel(linear_algebra.cross.formula, ((3,), (3,)), ((3,),))
    a, b = np.random.default_rng(2).normal(size=(2, 100_000, 3))
    wanted = kernel(a, b)
    assert kernel.machine_code is None, "one batch is done before a compiler is loaded"
    for _ in range(40):
        np.testing.assert_array_equal(kernel(a, b), wanted)  # whoever computes it
    compilation.wait()
    assert kernel.machine_code is not None
    np.testing.assert_array_equal(kernel(a, b), wanted)


def test_that_small_calls_are_compiled_when_they_are_many(monkeypatch) -> None:
    kernel, asked = Kernel(linear_algebra.dot.formula, ((3,), (3,)), ((),)), []
    compiler = replace(compilation.COMPILER, is_possible=lambda: True, submit=asked.append)
    monkeypatch.setattr(formula_compilers, "find_compiler", lambda: compiler)
    monkeypatch.setenv(MODE, "")
    monkeypatch.setattr("framescope.core.kernels.componentwise.COMPILED_AFTER", 1e4)
    for _ in range(300):
        kernel(np.ones(3), np.ones(3))
    assert asked == [kernel.compile], "once"


@pytest.mark.parametrize(
    ("mode", "is_possible", "is_at_once"), [("0", False, False), ("1", True, True), ("", True, False)]
)
def test_that_the_environment_says_when(mode, is_possible, is_at_once, monkeypatch) -> None:
    monkeypatch.setenv(MODE, mode)
    assert (compilation.is_possible(), formula_compilers.is_at_once()) == (is_possible, is_at_once)


def test_that_a_machine_without_the_compiler_goes_on_as_ever(monkeypatch) -> None:
    monkeypatch.setattr(machine, "is_available", lambda: False)
    assert not compilation.is_possible()
    monkeypatch.setattr(machine, "machine_code", _missing)
    kernel = Kernel(linear_algebra.cross.formula, ((3,), (3,)), ((3,),))
    kernel.compile()
    np.testing.assert_array_equal(kernel(np.eye(3)[0], np.eye(3)[1]), np.eye(3)[2])


def _missing(*_arguments: object, **_options: object) -> None:
    raise ImportError("llvmlite")


def test_that_what_cannot_be_written_down_stays_as_it_is() -> None:
    def deciding(x):
        return (x[0] if x[0] > 0.0 else -x[0],)

    kernel = Kernel(deciding, ((3,),), ((),))
    kernel.compile()
    assert kernel.machine_code is None
    assert kernel(np.array([-2.0, 0.0, 0.0])) == 2.0


def test_that_an_unknown_machine_is_told() -> None:
    code = code_of(lambda a: [a * a], {"a": ()})
    with pytest.raises(UntraceableError, match="there is no code for a mainframe"):
        loop_of(code, ((),), ((),), "a mainframe")
    assert {loop_of(code, ((),), ((),), known).signature for known in FLAGS} == {"()->()"}


def test_that_numpys_own_loops_are_found() -> None:
    for name in ("sin", "cos", "arctan2"):
        assert all(isinstance(part, int) for part in machine.loop_of_ufunc(name))
        assert machine.loop_of_ufunc(name)[0] != 0


def test_that_public_functions_give_the_same_compiled_and_not(monkeypatch) -> None:
    rng = np.random.default_rng(5)
    Q = quaternions.normalize_quaternion(rng.normal(size=(N, 4)))
    kernel = linear_algebra.matrix_from_quaternion
    monkeypatch.setattr(kernel, "n_processed", -math.inf)
    monkeypatch.setattr(kernel, "machine_code", None)
    batched = transformation_matrices.from_Q(Q)
    assert kernel.machine_code is None
    kernel.compile()
    before = kernel.machine_code.nonfinite_counts[0]
    assert_same_bits((transformation_matrices.from_Q(Q),), (batched,))
    singly = np.array([transformation_matrices.from_Q(each) for each in Q[:50]])
    assert_same_bits((singly,), (batched[:50],))
    with pytest.raises(ValueError, match="Q: expected"):
        transformation_matrices.from_Q(np.full(4, np.nan))
    assert kernel.machine_code.nonfinite_counts[0] > before, "it was asked"
