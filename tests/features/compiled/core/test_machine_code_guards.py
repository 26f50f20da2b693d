"""What could go wrong around compiled formulas: their length, threads that cannot start, failures, forks."""

from __future__ import annotations

import os
import subprocess
import sys
import threading

import numpy as np
import pytest

from framescope.core.kernels.code.formula_compilers import MODE
from framescope.core.kernels.code.symbolic import Code, UntraceableError, code_of
from framescope.features.compiled.core import compilation, llvm_text, machine, threads
from framescope.features.compiled.core.llvm_text import loop_of

pytestmark = pytest.mark.skipif(not machine.is_available(), reason="llvmlite is not installed")
posix = pytest.mark.skipif(sys.platform == "win32", reason="owners, modes and forks are of POSIX")


def long_code(n: int) -> Code:
    def formula(a):
        x = a[0]
        for _ in range(n // 2):
            x = x * a[1] + a[2]
        return [x]

    return code_of(formula, {"a": (3,)})


# --- Length


def test_that_a_long_formula_is_one_loop_with_the_same_bits(monkeypatch) -> None:
    code, rng = long_code(700), np.random.default_rng(1)
    a = rng.normal(size=(500, 3))
    short = loop_of(long_code(100), ((3,),), ((),), "x86_64").text
    long = loop_of(code, ((3,),), ((),), "x86_64").text
    assert (short.count("call void @loop"), long.count("call void @loop")) == (3, 1)
    one = machine.machine_code("one", code, ((3,),), ((),))
    monkeypatch.setattr(llvm_text, "LONG", 10**6)
    three = machine.machine_code("three", code, ((3,),), ((),))
    for layout in (a, a[::3], a[0], np.broadcast_to(a[:1], (50, 3)), a[::-1], np.asfortranarray(a)):
        np.testing.assert_array_equal(one.ufunc(layout), three.ufunc(layout))


def test_that_what_takes_too_long_to_compile_is_not() -> None:
    with pytest.raises(UntraceableError, match="take too long"):
        loop_of(long_code(llvm_text.MOST + 100), ((3,),), ((),), "x86_64")


# --- Threads and processes


def test_that_no_thread_is_no_hindrance(monkeypatch) -> None:
    def refused(*_arguments: object) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threads, "cores", lambda: 2)
    monkeypatch.setattr(threads, "shared_pool", type("Pool", (), {"submit": refused}))
    a = np.arange(12.0)
    np.testing.assert_array_equal(threads.in_parts(np.add, ((), ()), ((),), a, np.array(1.0)), a + 1.0)
    done: list[int] = []
    with monkeypatch.context() as patch:
        patch.setattr(threading.Thread, "start", refused)
        compilation.submit(lambda: done.append(1))
        assert done == []
    compilation.submit(lambda: done.append(2))
    compilation.wait()
    assert done == [1, 2], "what waited has its turn as well"


def test_that_a_formula_that_fails_does_not_hold_up_the_next(caplog) -> None:
    done: list[int] = []

    def failing() -> None:
        raise AttributeError("of an odd version")

    compilation.submit(failing)
    compilation.submit(lambda: done.append(1))
    compilation.wait()
    assert done == [1]
    assert "of an odd version" in caplog.text


FORKING = """
import os, threading
from framescope.core.kernels import linear_algebra
from framescope.features.compiled.core import machine, compilation
from framescope.core.kernels.code.symbolic import code_of

def formula(a):
    x = a[0]
    for _ in range(1000):
        x = x * a[1] + a[2]
    return [x]

begun, slow = threading.Event(), machine.Compiler.compile_loop
def compiled(self, loop):
    begun.set()
    return slow(self, loop)
machine.Compiler.compile_loop = compiled
code = code_of(formula, {"a": (3,)})
compilation.submit(lambda: machine.machine_code("long", code, ((3,),), ((),)))
begun.wait()
child = os.fork()
if child == 0:
    compilation.submit(linear_algebra.cross.compile)
    compilation.wait()
    os._exit(0 if linear_algebra.cross.machine_code is not None else 3)
_, status = os.waitpid(child, 0)
compilation.wait()
print(os.waitstatus_to_exitcode(status))
"""


@posix
@pytest.mark.process
def test_that_a_child_compiles_though_it_was_forked_while_its_parent_did(tmp_path) -> None:
    environment = os.environ | {"XDG_CACHE_HOME": str(tmp_path), MODE: ""}
    done = subprocess.run(
        [sys.executable, "-P", "-c", FORKING], env=environment, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.stdout.split() == ["0"], done.stderr
