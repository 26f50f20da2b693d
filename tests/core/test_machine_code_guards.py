"""What could go wrong around compiled formulas: forks, full disks, planted files, threads that cannot start, length."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
import threading

import numpy as np
import pytest

from framescope.core.kernels.code import compilation, llvm_text, machine, threads
from framescope.core.kernels.code.llvm_text import loop_of
from framescope.core.kernels.code.symbolic import Code, UntraceableError, code_of
from framescope.core.kernels.componentwise import Formula

pytestmark = pytest.mark.skipif(not machine.is_available(), reason="llvmlite is not installed")
posix = pytest.mark.skipif(sys.platform == "win32", reason="owners, modes and forks are of POSIX")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Return an empty folder for machine code, and a compiler that has loaded nothing."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path))
    for kept in (machine.cache_folder, machine._compiler):
        kept.cache_clear()
    yield machine.cache_folder()
    for kept in (machine.cache_folder, machine._compiler):
        kept.cache_clear()


def times(factor: float) -> machine.MachineCode:
    return machine.machine_code("times", code_of(lambda a: [a * factor], {"a": ()}), ((),), ((),))


def long_code(n: int) -> Code:
    def formula(a):
        x = a[0]
        for _ in range(n // 2):
            x = x * a[1] + a[2]
        return [x]

    return code_of(formula, {"a": (3,)})


# --- What is kept on disk


@posix
def test_that_a_file_that_others_may_write_is_not_run(folder) -> None:
    times(3.0)
    (file,) = folder.iterdir()
    assert machine._read(file) != b""
    file.chmod(0o666)
    assert machine._read(file) == b""
    file.chmod(0o600)
    link = folder / "link.o"
    link.symlink_to(file)
    assert machine._read(link) == b""
    os.mkfifo(folder / "pipe.o")
    assert machine._read(folder / "pipe.o") == b"", "nor does anybody wait for it"


@posix
def test_that_a_folder_in_one_that_others_may_write_is_not_used(tmp_path, monkeypatch) -> None:
    (tmp_path / "framescope").mkdir()
    (tmp_path / "framescope").chmod(0o777)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    machine.cache_folder.cache_clear()
    assert machine.cache_folder() is None
    (tmp_path / "framescope").chmod(0o700)
    machine.cache_folder.cache_clear()
    assert machine.cache_folder() == tmp_path / "framescope" / "formulas"
    machine.cache_folder.cache_clear()


def test_that_a_full_disk_leaves_nothing(folder, monkeypatch) -> None:
    def full(_descriptor, _mode):
        os.close(_descriptor)
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(machine.os, "fdopen", full)
    assert times(7.0).ufunc(np.array(2.0)) == 14.0
    assert list(folder.iterdir()) == []


def test_that_what_was_used_longest_ago_makes_room(folder, monkeypatch) -> None:
    for k, factor in enumerate((2.0, 3.0, 4.0)):
        before = set(folder.iterdir())
        times(factor)
        (file,) = set(folder.iterdir()) - before
        os.utime(file, (1000.0 + k, 1000.0 + k))
    oldest, *others = sorted(folder.iterdir(), key=lambda each: each.stat().st_mtime)
    monkeypatch.setattr(machine, "MOST_BYTES", sum(each.stat().st_size for each in others))
    machine._trim(folder)
    assert sorted(folder.iterdir()) == sorted(others)
    assert not oldest.exists()


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


def test_that_a_long_formula_must_have_had_more_to_do(monkeypatch) -> None:
    asked: list[object] = []
    monkeypatch.setattr(compilation, "is_at_once", lambda: False)
    monkeypatch.setattr(compilation, "is_possible", lambda: True)
    monkeypatch.setattr(compilation, "submit", asked.append)
    monkeypatch.setattr("framescope.core.kernels.componentwise.COMPILED_AFTER", 1e5)
    calls = []
    for weight in (10.0, 50.0):
        formula = Formula(lambda a: (a[0],), ((1,),), ((),), weight=weight)
        n = 0
        while formula._compile not in asked:
            formula.run((np.ones(1),), ("a",))
            n += 1
        calls.append(n)
    assert calls == [201, 201], "50 times as much a call, but five times as much to compile as the other"


# --- Threads and processes


def test_that_no_thread_is_no_hindrance(monkeypatch) -> None:
    def refused(*_arguments: object) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threads, "cores", lambda: 2)
    monkeypatch.setattr(threads, "_pool", type("Pool", (), {"submit": refused}))
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
from framescope.core.kernels.code import machine, compilation
from framescope.core.kernels.code.symbolic import code_of

def formula(a):
    x = a[0]
    for _ in range(1000):
        x = x * a[1] + a[2]
    return [x]

begun, slow = threading.Event(), machine._Compiler._compiled
def compiled(self, loop):
    begun.set()
    return slow(self, loop)
machine._Compiler._compiled = compiled
code = code_of(formula, {"a": (3,)})
compilation.submit(lambda: machine.machine_code("long", code, ((3,),), ((),)))
begun.wait()
child = os.fork()
if child == 0:
    compilation.submit(linear_algebra.cross._compile)
    compilation.wait()
    os._exit(0 if linear_algebra.cross._machine is not None else 3)
_, status = os.waitpid(child, 0)
compilation.wait()
print(os.waitstatus_to_exitcode(status))
"""


@posix
@pytest.mark.process
def test_that_a_child_compiles_though_it_was_forked_while_its_parent_did(tmp_path) -> None:
    environment = os.environ | {"XDG_CACHE_HOME": str(tmp_path), compilation.MODE: ""}
    done = subprocess.run(
        [sys.executable, "-P", "-c", FORKING], env=environment, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.stdout.split() == ["0"], done.stderr


@posix
def test_that_machine_code_is_for_its_owner_alone(folder) -> None:
    times(9.0)
    (file,) = folder.iterdir()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
