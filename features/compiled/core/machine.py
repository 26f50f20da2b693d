"""Machine code of formulas: LLVM assembly as a generalized numpy ufunc, compiled by llvmlite if it is installed.

Object code is cached on disk, in a folder of the user's own. The key is a hash of the assembly, the compiler and the
machine, so that later runs compile nothing.

References
----------
NumPy, "UFunc API": ``PyUFunc_FromFuncAndDataAndSignature``, and the public fields of ``PyUFuncObject``.
"""

from __future__ import annotations

import contextlib
import ctypes
import hashlib
import importlib
import importlib.metadata
import importlib.util
import math
import os
import platform
import stat
import sys
import tempfile
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np

from framescope.core.kernels.code.formula_compilers import MachineCode
from framescope.core.kernels.code.symbolic import Code, UntraceableError
from framescope.features.compiled.core.llvm_text import Loop, Shape, loop_of
from framescope.features.compiled.core.threads import CALL, LARGE, LARGE_IN_MEMORY, in_parts

LIBRARY, LEAST_VERSION = "llvmlite", (0, 46)

MOST_BYTES = 50_000_000
"""Largest size of the cache on disk, in bytes: some thousand formulas, or some hundred mechanisms."""

_MAKES_UFUNC = 31
"""Index of ``PyUFunc_FromFuncAndDataAndSignature`` in numpy's function table; it never changed."""

_IDENTITY_NONE = -1


@cache
def is_available() -> bool:
    """Return whether formulas can be compiled on this machine, without importing llvmlite."""
    if importlib.util.find_spec(LIBRARY) is None or _machine() not in ("x86_64", "aarch64"):
        return False
    try:
        numbers = importlib.metadata.version(LIBRARY).split(".")[: len(LEAST_VERSION)]
    except importlib.metadata.PackageNotFoundError:
        return False
    return all(map(str.isdecimal, numbers)) and tuple(map(int, numbers)) >= LEAST_VERSION


def machine_code(
    name: str, code: Code, takes: tuple[Shape, ...], gives: tuple[Shape, ...], *, tells_results: bool = False
) -> MachineCode:
    """Return the code of a formula as a ufunc.

    Compiling takes 20 to 100 ms, for long mechanisms up to a second; loading from the cache takes a millisecond.

    Raises
    ------
    UntraceableError
        When an operation has no code.
    ImportError, OSError
        When llvmlite is missing or cannot be loaded.

    Examples
    --------
    >>> from framescope.core.kernels.code.symbolic import code_of
    >>> code = code_of(lambda a, t: [a[0] + a[1] * t], {"a": (2,), "t": ()})
    >>> line = machine_code("line", code, ((2,), ()), ((),)) if is_available() else None
    >>> line is None or float(line.ufunc(np.array([1.0, 2.0]), np.array(3.0))) == 7.0
    True
    """
    loop = loop_of(code, takes, gives, _machine(), tells_results=tells_results)
    return _as_ufunc(name, loop, shared_compiler().address_of(loop), takes, gives)


def _machine() -> str:
    return {"amd64": "x86_64", "arm64": "aarch64"}.get(platform.machine().lower(), platform.machine().lower())


# --- The compiler


class Compiler:
    """LLVM for this machine. Loaded code stays for the life of the process."""

    def __init__(self) -> None:
        self._llvm: Any = importlib.import_module(f"{LIBRARY}.binding")
        self._llvm.initialize_native_target()
        self._llvm.initialize_native_asmprinter()
        self._cpu: str = self._llvm.get_host_cpu_name()
        self._features: str = self._llvm.get_host_cpu_features().flatten()
        self._target = self._new_target()
        self._loader: Any = self._llvm.create_lljit_compiler(self._new_target())
        _keep_for_ever(self._loader)
        self._addresses: dict[str, int] = {}

    def _new_target(self) -> Any:
        target = self._llvm.Target.from_default_triple()
        return target.create_target_machine(
            cpu=self._cpu, features=self._features, opt=3, reloc="pic", codemodel="jitdefault", jit=True
        )

    def address_of(self, loop: Loop) -> int:
        """Return the address of the machine code of a loop."""
        with _compiling:
            if loop.name not in self._addresses:
                file = self._file_of(loop)
                cached = read_object_code(file) if file else b""
                object_code = cached or self.compile_loop(loop)
                if file and not cached:
                    _keep(file, object_code)
                library = self._llvm.JITLibraryBuilder().add_object_img(object_code).export_symbol(loop.name)
                tracker = library.link(self._loader, loop.name)
                _keep_for_ever(tracker)
                self._addresses[loop.name] = tracker[loop.name]
            return self._addresses[loop.name]

    def compile_loop(self, loop: Loop) -> bytes:
        """Return the object code of a loop."""
        module = self._llvm.parse_assembly(loop.text)
        module.triple = self._target.triple
        module.data_layout = str(self._target.target_data)
        # Packed layouts already allow vectorization; unrolling gains nothing. Long formulas are already simplified:
        # measured, 5,000 steps take 0.4 s instead of 2.5 s, and the code is no slower.
        options = self._llvm.create_pipeline_tuning_options(speed_level=0 if loop.is_long else 3)
        options.loop_vectorization = options.slp_vectorization = not loop.is_long
        options.loop_unrolling = options.loop_interleaving = False
        builder = self._llvm.create_pass_builder(self._target, options)
        builder.getModulePassManager().run(module, builder)
        made: bytes = self._target.emit_object(module)
        return made

    def _file_of(self, loop: Loop) -> Path | None:
        folder = cache_folder()
        made_by = (importlib.import_module(LIBRARY).__version__, self._target.triple, self._cpu, self._features)
        key = hashlib.sha256("\0".join((*made_by, loop.text)).encode()).hexdigest()
        return None if folder is None else folder / f"{key}.o"


def _keep_for_ever(thing: object) -> None:
    """Keep an object until the process ends: C code points to it, and the order of destruction at exit is undefined."""
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(thing))


@cache
def shared_compiler() -> Compiler:
    """Return the compiler of this process, which is created on first use."""
    return Compiler()


_compiling = Lock()

if hasattr(os, "register_at_fork"):
    # A child process has no other threads. A lock held by a compiling thread would never be released there.
    os.register_at_fork(
        before=_compiling.acquire, after_in_parent=_compiling.release, after_in_child=_compiling.release
    )


# --- Cache on disk


@cache
def cache_folder() -> Path | None:
    """Create and return the folder for machine code; None if it cannot be written, or others can write to it."""
    usual = {"win32": "AppData/Local", "darwin": "Library/Caches"}.get(sys.platform, ".cache")
    named = os.environ.get("LOCALAPPDATA" if sys.platform == "win32" else "XDG_CACHE_HOME", "")
    try:
        # A relative path would be in the current folder, possibly next to an untrusted scene.
        caches = Path(named) if Path(named).is_absolute() else Path.home() / usual
        if not _is_safe_place(caches):
            return None
        folder = caches / "framescope" / "formulas"
        for directory in (folder.parent, folder):
            directory.mkdir(mode=0o700, parents=True, exist_ok=True)
            if not _is_ours_alone(directory.stat()):
                return None
        trim_cache(folder)
    except (OSError, RuntimeError):  # no home folder
        return None
    return folder


def _is_safe_place(folder: Path) -> bool:
    """Return whether only the user and the system can replace a folder inside the given one."""
    if sys.platform == "win32":
        return True
    whole = folder.resolve()
    for directory in (whole, *whole.parents):
        if not directory.exists():
            continue  # it will be created for the user alone
        state = directory.stat()
        is_open = state.st_mode & 0o002 and not state.st_mode & stat.S_ISVTX
        if state.st_uid not in (0, os.getuid()) or is_open:
            return False
    return True


def _is_ours_alone(state: os.stat_result) -> bool:
    """Return whether only the user can write a file or folder."""
    return sys.platform == "win32" or (state.st_uid == os.getuid() and not state.st_mode & 0o022)


def trim_cache(folder: Path) -> None:
    """Remove the least recently used files while there is more than `MOST_BYTES`."""
    files: list[tuple[float, int, Path]] = []
    for file in folder.iterdir():
        with contextlib.suppress(OSError):  # another process has removed it
            state = file.stat()
            files.append((state.st_mtime, state.st_size, file))
    n_bytes = sum(size for _, size, _ in files)
    for _, size, file in sorted(files):
        if n_bytes <= MOST_BYTES:
            return
        with contextlib.suppress(OSError):
            file.unlink(missing_ok=True)
        n_bytes -= size


def read_object_code(file: Path) -> bytes:
    """Read object code from a file that only the user can write and whose digest matches; else return no bytes."""
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    try:
        with os.fdopen(os.open(file, flags), "rb") as opened:
            state = os.fstat(opened.fileno())
            if not stat.S_ISREG(state.st_mode) or not _is_ours_alone(state):
                return b""
            digest, made = opened.read(32), opened.read()
        if hashlib.sha256(made).digest() != digest:
            return b""
        os.utime(file)
    except OSError:
        return b""
    return made


def _keep(file: Path, made: bytes) -> None:
    """Write object code atomically; after a failure, the formula is compiled again in the next run."""
    try:
        descriptor, name = tempfile.mkstemp(dir=file.parent)
    except OSError:
        return
    try:
        with os.fdopen(descriptor, "wb") as opened:
            opened.write(hashlib.sha256(made).digest() + made)
        Path(name).replace(file)
    except OSError:
        Path(name).unlink(missing_ok=True)


# --- The ufunc


def _as_ufunc(name: str, loop: Loop, address: int, takes: tuple[Shape, ...], gives: tuple[Shape, ...]) -> MachineCode:
    n_takes, n_gives = len(takes), len(gives)
    loops = [loop_of_ufunc(item) for item in loop.foreign]
    data = (ctypes.c_int64 * (1 + 2 * len(loops)))(0, *(part for pair in loops for part in pair))
    functions, datas = (ctypes.c_void_p * 1)(address), (ctypes.c_void_p * 1)(ctypes.addressof(data))
    types = (ctypes.c_char * (n_takes + n_gives))(*[np.dtype(np.float64).num] * (n_takes + n_gives))
    texts = [ctypes.create_string_buffer(text.encode()) for text in (name, "", loop.signature)]
    ufunc = _ufunc_maker()(
        *(ctypes.addressof(item) for item in (functions, datas, types)),
        *(1, n_takes, n_gives, _IDENTITY_NONE),
        *(ctypes.addressof(item) for item in texts[:2]),
        0,
        ctypes.addressof(texts[2]),
    )
    _keep_for_ever((data, functions, datas, types, texts))  # the ufunc and the loaded code point to them
    several = partial(in_parts, ufunc, takes, gives)
    return MachineCode(ufunc, several, _large(loop, takes, gives), memoryview(data).cast("B").cast("q"))


def _large(loop: Loop, takes: tuple[Shape, ...], gives: tuple[Shape, ...]) -> int:
    """Return the size of the largest argument above which a batch is worth a second core."""
    sizes = [math.prod(shape) for shape in takes]
    n_numbers = sum(sizes) + sum(math.prod(shape) for shape in gives)
    in_calls = CALL * loop.n_calls
    waits_for_memory = loop.n_operations + in_calls < n_numbers
    return (LARGE_IN_MEMORY if waits_for_memory else LARGE) * max(sizes) // (n_numbers + in_calls)


@cache
def _ufunc_maker() -> Callable[..., Any]:
    pointer_of = ctypes.pythonapi.PyCapsule_GetPointer
    pointer_of.restype, pointer_of.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    umath: Any = importlib.import_module("numpy._core._multiarray_umath")
    table = ctypes.cast(pointer_of(umath._UFUNC_API, None), ctypes.POINTER(ctypes.c_void_p))  # noqa: SLF001
    pointers, numbers = [ctypes.c_void_p] * 3, [ctypes.c_int] * 4
    prototype = ctypes.PYFUNCTYPE(ctypes.py_object, *pointers, *numbers, *pointers[:2], ctypes.c_int, ctypes.c_void_p)
    return prototype(table[_MAKES_UFUNC])


class _UFuncObject(ctypes.Structure):
    """Public fields of numpy's ``PyUFuncObject``, after the object header."""

    _fields_ = (
        ("nin", ctypes.c_int),
        ("nout", ctypes.c_int),
        ("nargs", ctypes.c_int),
        ("identity", ctypes.c_int),
        ("functions", ctypes.POINTER(ctypes.c_void_p)),
        ("data", ctypes.POINTER(ctypes.c_void_p)),
        ("ntypes", ctypes.c_int),
        ("reserved1", ctypes.c_int),
        ("name", ctypes.c_char_p),
        ("types", ctypes.POINTER(ctypes.c_char)),
    )


@cache
def loop_of_ufunc(name: str) -> tuple[int, int]:
    """Return the address of numpy's float64 loop of a ufunc, and of its data.

    Raises
    ------
    UntraceableError
        When the ufunc object has another layout, or no float64 loop.
    """
    ufunc: Any = getattr(np, name)
    fields = _UFuncObject.from_address(id(ufunc) + object.__basicsize__)
    if (fields.nin, fields.nout, fields.ntypes) != (ufunc.nin, ufunc.nout, ufunc.ntypes):
        raise UntraceableError(f"numpy.{name} has another form here")
    double = bytes([np.dtype(np.float64).num])
    for i in range(fields.ntypes):
        if fields.types[i * fields.nargs : (i + 1) * fields.nargs] == double * fields.nargs:
            return fields.functions[i] or 0, fields.data[i] or 0
    raise UntraceableError(f"numpy.{name} has no loop for float64")
