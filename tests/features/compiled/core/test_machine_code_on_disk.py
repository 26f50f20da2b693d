"""Machine code on disk: found again, made anew where it is damaged, and never taken from where others may write."""

from __future__ import annotations

import os
import stat
import sys

import numpy as np
import pytest

from framescope.core.kernels.code.formula_compilers import MachineCode
from framescope.core.kernels.code.symbolic import code_of
from framescope.core.kernels.componentwise import sqrt, where
from framescope.features.compiled.core import machine

pytestmark = pytest.mark.skipif(not machine.is_available(), reason="llvmlite is not installed")
posix = pytest.mark.skipif(sys.platform == "win32", reason="owners and modes are of POSIX")


@pytest.fixture
def clean(tmp_path, monkeypatch):
    """Give an empty place for caches, and a compiler that has loaded nothing."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path))
    forget()
    yield
    forget()


@pytest.fixture
def folder(clean):
    """Return the empty folder for machine code."""
    return machine.cache_folder()


def forget() -> None:
    for kept in (machine.cache_folder, machine.shared_compiler):
        kept.cache_clear()


def formula_of(factor: float) -> MachineCode:
    code = code_of(lambda a: [where(a < 0.0, 0.0, sqrt(a) * factor)], {"a": ()})
    return machine.machine_code("root", code, ((),), ((),))


def test_that_machine_code_is_kept_on_disk(folder, monkeypatch) -> None:
    assert formula_of(3.0).ufunc(np.array(4.0)) == 6.0
    (file,) = folder.iterdir()
    machine.shared_compiler.cache_clear()

    def not_asked(_compiler, _loop) -> None:
        raise ImportError("llvmlite")

    monkeypatch.setattr(machine.Compiler, "compile_loop", not_asked)
    assert formula_of(3.0).ufunc(np.array(4.0)) == 6.0
    with pytest.raises(ImportError):
        formula_of(4.0)
    assert list(folder.iterdir()) == [file]


@pytest.mark.parametrize("harm", [b"", b"x" * 40, None])
def test_that_a_damaged_file_is_made_anew(folder, harm) -> None:
    formula_of(5.0)
    (file,) = folder.iterdir()
    whole = file.read_bytes()
    file.write_bytes(whole[:-7] if harm is None else harm)
    machine.shared_compiler.cache_clear()
    assert formula_of(5.0).ufunc(np.array(4.0)) == 10.0
    assert file.read_bytes() == whole


def test_that_a_folder_of_others_is_not_used(clean, tmp_path) -> None:
    (tmp_path / "framescope" / "formulas").mkdir(parents=True, mode=0o777)
    (tmp_path / "framescope" / "formulas").chmod(0o777)
    assert machine.cache_folder() is None
    assert formula_of(7.0).ufunc(np.array(4.0)) == 14.0


def test_that_no_folder_is_no_hindrance(clean, tmp_path, monkeypatch) -> None:
    (tmp_path / "file").write_text("no folder")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    assert machine.cache_folder() is None
    assert formula_of(11.0).ufunc(np.array(4.0)) == 22.0


@posix
def test_that_a_file_that_others_may_write_is_not_run(folder) -> None:
    formula_of(3.0)
    (file,) = folder.iterdir()
    assert machine.read_object_code(file) != b""
    file.chmod(0o666)
    assert machine.read_object_code(file) == b""
    file.chmod(0o600)
    link = folder / "link.o"
    link.symlink_to(file)
    assert machine.read_object_code(link) == b""
    os.mkfifo(folder / "pipe.o")
    assert machine.read_object_code(folder / "pipe.o") == b"", "nor does anybody wait for it"


@posix
def test_that_a_folder_in_one_that_others_may_write_is_not_used(clean, tmp_path) -> None:
    (tmp_path / "framescope").mkdir()
    (tmp_path / "framescope").chmod(0o777)
    assert machine.cache_folder() is None
    (tmp_path / "framescope").chmod(0o700)
    forget()
    assert machine.cache_folder() == tmp_path / "framescope" / "formulas"


def test_that_a_full_disk_leaves_nothing(folder, monkeypatch) -> None:
    def full(_descriptor, _mode):
        os.close(_descriptor)
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(machine.os, "fdopen", full)
    assert formula_of(7.0).ufunc(np.array(4.0)) == 14.0
    assert list(folder.iterdir()) == []


def test_that_what_was_used_longest_ago_makes_room(folder, monkeypatch) -> None:
    for k, factor in enumerate((2.0, 3.0, 4.0)):
        before = set(folder.iterdir())
        formula_of(factor)
        (file,) = set(folder.iterdir()) - before
        os.utime(file, (1000.0 + k, 1000.0 + k))
    oldest, *others = sorted(folder.iterdir(), key=lambda each: each.stat().st_mtime)
    monkeypatch.setattr(machine, "MOST_BYTES", sum(each.stat().st_size for each in others))
    machine.trim_cache(folder)
    assert sorted(folder.iterdir()) == sorted(others)
    assert not oldest.exists()


@posix
def test_that_machine_code_is_for_its_owner_alone(folder) -> None:
    formula_of(9.0)
    (file,) = folder.iterdir()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


@posix
def test_that_a_relative_place_for_caches_is_not_used(clean, tmp_path, monkeypatch) -> None:
    """It would be in the current folder: a scene that was unpacked there could bring machine code along."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    (tmp_path / "cache" / "framescope" / "formulas").mkdir(parents=True, mode=0o700)
    monkeypatch.setenv("XDG_CACHE_HOME", "cache")
    folder = machine.cache_folder()
    assert folder is None or folder.is_relative_to(tmp_path / "home")


@posix
def test_that_a_place_is_not_used_in_which_others_may_exchange_the_folder(clean, tmp_path, monkeypatch) -> None:
    open_to_all = tmp_path / "open"
    for caches in (open_to_all, open_to_all / "below"):
        caches.mkdir(mode=0o700)
        monkeypatch.setenv("XDG_CACHE_HOME", str(caches))
        open_to_all.chmod(0o777)
        forget()
        assert machine.cache_folder() is None
        open_to_all.chmod(0o1777)  # as /tmp is: there nobody exchanges what is another's
        forget()
        assert machine.cache_folder() == caches / "framescope" / "formulas"
