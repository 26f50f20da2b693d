"""The self-test of machine code: it passes here, sees a wrong bit, and leaves every formula in numpy then."""

from __future__ import annotations

import numpy as np
import pytest

from framescope.core.kernels import linear_algebra
from framescope.core.kernels.code import formula_compilers
from framescope.core.kernels.code.formula_compilers import MODE, MachineCode
from framescope.core.kernels.componentwise import Kernel
from framescope.features.compiled.core import compilation, machine, self_test

pytestmark = pytest.mark.skipif(not machine.is_available(), reason="llvmlite is not installed")


@pytest.fixture(autouse=True)
def tested_anew():
    forget = self_test.is_sound.cache_clear
    forget()
    yield
    forget()


def spoiled(code: MachineCode, which: str) -> MachineCode:
    """Return machine code whose results are off by one bit, or that counts nothing."""

    def off(call):
        def called(*arrays):
            found = call(*arrays)
            first = np.nextafter(found[0] if isinstance(found, tuple) else found, np.inf)
            return (first, *found[1:]) if isinstance(found, tuple) else first

        return called

    if which == "count":
        return code._replace(nonfinite_counts=memoryview(bytearray(8)).cast("q"))
    return code._replace(**{which: off(getattr(code, which))})


def test_that_machine_code_is_sound_here() -> None:
    assert self_test.is_sound()


@pytest.mark.parametrize("which", ["ufunc", "in_parts", "count"])
@pytest.mark.parametrize("i", range(len(self_test.FORMULAS)))
def test_that_a_difference_is_seen_in_each_formula(i, which, monkeypatch, caplog) -> None:
    make, name = machine.machine_code, self_test.FORMULAS[i].formula.__name__

    def machine_code(title, *options, **more):
        code = make(title, *options, **more)
        return spoiled(code, which) if title.endswith(name) else code

    monkeypatch.setattr(machine, "machine_code", machine_code)
    assert not self_test.is_sound()
    assert f"differs from numpy in {name}" in caplog.text


def test_that_formulas_stay_in_numpy_where_the_self_test_fails(monkeypatch) -> None:
    monkeypatch.setattr(self_test, "is_sound", lambda: False)
    kernel = Kernel(linear_algebra.cross.formula, ((3,), (3,)), ((3,),))
    kernel.compile()
    assert kernel.machine_code is None
    np.testing.assert_array_equal(kernel(np.eye(3)[0], np.eye(3)[1]), np.eye(3)[2])


def test_that_a_self_test_that_cannot_compile_is_made_again(monkeypatch) -> None:
    def missing(*_arguments, **_options):
        raise ImportError("llvmlite")

    with monkeypatch.context() as patch:
        patch.setattr(machine, "machine_code", missing)
        with pytest.raises(ImportError):
            self_test.is_sound()
    assert self_test.is_sound()


def test_that_the_first_call_compiles_at_once_where_the_environment_says_so(monkeypatch) -> None:
    monkeypatch.setenv(MODE, "1")
    monkeypatch.setattr("framescope.core.kernels.componentwise.COMPILED_AFTER", 0.0)
    assert formula_compilers.find_compiler() is compilation.COMPILER
    kernel = Kernel(linear_algebra.cross.formula, ((3,), (3,)), ((3,),))
    np.testing.assert_array_equal(kernel(np.eye(3)[0], np.eye(3)[1]), np.eye(3)[2])
    assert kernel.machine_code is not None


def test_that_without_the_feature_nothing_is_compiled(monkeypatch) -> None:
    monkeypatch.setattr(formula_compilers, "list_compilers", tuple)
    monkeypatch.setattr("framescope.core.kernels.componentwise.COMPILED_AFTER", 0.0)
    kernel = Kernel(linear_algebra.cross.formula, ((3,), (3,)), ((3,),))
    np.testing.assert_array_equal(kernel(np.eye(3)[0], np.eye(3)[1]), np.eye(3)[2])
    kernel.compile()
    assert kernel.machine_code is None
