"""Files of strangers: 10 000 damaged scene files and some made to hang, opened as ``framescope check`` opens them,
and 10 000 damaged mesh files of each format, which processes of their own read as a scene does. Then 300 damaged scenes
exported in every format that draws nothing: each within 20 s of the processor for a format, and 2 GB beside the
libraries. Before that, a thousand damaged calibrations of each dialect. Other files: `bench_readers`.

Each must end in a scene, its problems or a `SceneError` within 2 s and 500 MB. Workers hold the limits: a timer ends
what is slow, a bound on memory what is large, and whatever else is raised is a fault. Faults are printed with the
number of the file; ``fuzzing.mutant(number, fuzzing.seeds())`` makes it again. The simulations that damaged scenes ask
for are run for a moment each: a person can cancel them, so that only exceptions count.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from multiprocessing.connection import Connection
from pathlib import Path
from types import FrameType

from tests.bench.bench_run import Row, row
from tests.support import calibration_fuzzing, fuzzing, mesh_fuzzing

ROOT = Path(__file__).parents[2]
COUNT = 10_000
EXPORTED = 300
CHUNK = 250
LIMIT_S = 2.0
LIMIT_MB = 500
PATIENCE_S = 60.0
"""How long a worker may be silent."""

FAULTS = ("crash", "died", "refused without a word")
SIMULATED_S = 0.2
"""How long a simulation may go on before it is cancelled."""

HEAD = "framescope: 1\nframes:\n"


def _frames(n: int, line: str) -> str:
    return HEAD + "".join(line.replace("@", str(i)).replace("^", str(max(i - 1, 0))) for i in range(n))


def huge_files() -> dict[str, str]:
    """Return files that are large, deep, or dear to compute."""
    t = "t" + "+t" * 240
    turning = "orientation: {form: axes, sequence: XYZ, angles: [10, '5*t', 0], unit: deg}"
    integrated = "form: integrated, w: [@, '0.3*t', 2], unit: rad/s, equation: dcm, method: rk4"
    return {
        "10 000 frames": _frames(10_000, f"  f@: {{parent: world, {turning}}}\n"),
        "12 000 frames in one chain": _frames(12_000, "  f@: {parent: f^}\n").replace("parent: f0", "parent: world", 1),
        "12 000 frames in a circle": _frames(12_000, "  f@: {parent: f^}\n").replace("parent: f0", "parent: f11999", 1),
        "12 000 unknown parents": _frames(12_000, "  f@: {parent: unknown parent @}\n"),
        "12 000 unknown keys": _frames(12_000, "  f@: {parent: world, positionorientation@: 1}\n"),
        "12 000 wrong frames": _frames(12_000, "  ' f@': {parent: [], position: [], orientation: [], motion: []}\n"),
        "20 MB": "#" * 20_000_000,
        "10 MB of comments": HEAD + "#\n" * 4_990_000,
        "10 MB in a text": "framescope: 1\ntitle: " + "a" * 9_900_000,
        "10 MB in a number": "framescope: 1\ntitle: " + "9" * 9_900_000,
        "million keys": "framescope: 1\n" + "".join(f"{i}: 1\n" for i in range(900_000)),
        "lists in lists": "framescope: 1\ntitle: [" + ("[" + "1," * 9_999 + "],") * 100 + "]",
        "four million levels": "framescope: 1\ntitle: " + "[[" * 2_000_000,
        "400 expressions of 240 sums": _frames(
            400, f"  f@: {{parent: world, position: {{value: [{t}+@,0,0], unit: m}}}}\n"
        ),
        "200 integrations of 100 000 steps": _frames(
            200, f"  f@: {{parent: world, orientation: {{{integrated}, step: 0.1 ms}}}}\n"
        ),
        "one integration of long expressions": _frames(
            1, f"  f@: {{parent: world, orientation: {{{integrated.replace('0.3*t', t)}, step: 0.1 ms}}}}\n"
        ),
        "trails of a long chain": (
            _frames(5_000, "  f@: {parent: f^, position: {value: [t, 0, 0], unit: m}}\n").replace("f0,", "world,", 1)
            + "view:\n  trails:\n"
            + "    - {frame: f4999, duration: 10 s}\n" * 5_000
        ),
        "keyframes": HEAD + "  a:\n    parent: world\n    motion:\n      form: keyframes\n      unit: m\n      keys:\n"
        + "".join(f"        - {{time: {i} s, position: [{i}, 0, 0]}}\n" for i in range(10_000)),
    }  # fmt: skip


@dataclass
class Tally:
    """What became of many files."""

    outcomes: Counter[str] = field(default_factory=Counter)
    worst_s: float = 0.0
    worst: str = ""
    peak_mb: float = 0.0
    simulated: Counter[str] = field(default_factory=Counter)
    errors: list[str] = field(default_factory=list)

    def add(self, other: Tally) -> None:
        """Take in what became of others."""
        self.outcomes += other.outcomes
        self.simulated += other.simulated
        self.errors += other.errors
        self.peak_mb = max(self.peak_mb, other.peak_mb)
        if other.worst_s > self.worst_s:
            self.worst_s, self.worst = other.worst_s, other.worst


class _LateError(BaseException):
    """Raised by the timer; no handler of exceptions takes it for its own."""


def _late(_signal: int, _frame: FrameType | None) -> None:
    raise _LateError


def _load_libraries() -> None:
    """Load the libraries that opening and computing load late: their address space is not that of any file."""
    import scipy.interpolate
    import scipy.optimize  # noqa: F401

    from framescope.features.compiled.core import compilation, self_test

    if compilation.is_possible():
        self_test.is_sound()


def bound_memory(more_bytes: int) -> None:
    """Load the libraries that files need, and allow this process so much address space beside theirs."""
    _load_libraries()
    if sys.platform == "linux":
        import resource

        # The address space of the libraries is large and mostly not used; what is added to it counts.
        pages = int(Path("/proc/self/statm").read_text().split()[0])
        limit = pages * os.sysconf("SC_PAGE_SIZE") + more_bytes
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))


def _bound() -> None:
    """Bound time and memory of a worker, where the system can."""
    if os.name == "posix":
        signal.signal(signal.SIGALRM, _late)
    bound_memory(LIMIT_MB * 1_000_000)


def _timer(seconds: float) -> None:
    if os.name == "posix":
        signal.setitimer(signal.ITIMER_REAL, seconds)


def _peak_mb() -> float:
    if sys.platform != "linux":
        return 0.0
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3


def _opened(files: Iterator[tuple[str, bytes]], begin: Callable[[str], None]) -> Tally:
    tally = Tally()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        fuzzing.furnish(folder)
        for title, data in files:
            begin(title)
            path = folder / "scene.yaml"
            path.write_bytes(data)
            start = time.process_time()  # the machine may be busy; the timer below takes whatever waits
            try:
                _timer(2.0 * LIMIT_S)
                opened = fuzzing.open_file(path)
                _timer(0.0)
                outcome, seconds = opened.outcome, time.process_time() - start
                for job in opened.jobs:
                    end = time.perf_counter() + SIMULATED_S
                    found = fuzzing.simulate_job(job, lambda end=end: time.perf_counter() > end)
                    tally.simulated["cancelled" if found is None else "ended"] += 1
            except (_LateError, Exception) as error:  # noqa: BLE001 - that is what is looked for
                _timer(0.0)
                seconds = time.process_time() - start
                outcome = "too slow" if isinstance(error, _LateError) else "crash"
                places = [f"{Path(at.filename).name}:{at.lineno}" for at in traceback.extract_tb(error.__traceback__)]
                what = f"{type(error).__name__}: {str(error)[:200]}"
                tally.errors.append(f"{title}: {what} ({' '.join(places[-12:])})")
            else:
                if seconds > LIMIT_S:
                    outcome = "too slow"
                    tally.errors.append(f"{title}: {seconds:.2f} s")
            tally.outcomes[outcome] += 1
            if seconds > tally.worst_s:
                tally.worst_s, tally.worst = seconds, title
    tally.peak_mb = _peak_mb()
    return tally


def _work(sender: Connection, task: range | str) -> None:
    """Open the files of a task in this process; say which one comes next, and at the end what became of them."""
    _bound()
    if isinstance(task, str):
        files = iter([(task, huge_files()[task].encode())])
    else:
        seeds = fuzzing.seeds()
        files = ((str(number), fuzzing.mutant(number, seeds)) for number in task)
    sender.send(_opened(files, sender.send))


def _done(task: range | str) -> Tally:
    """Open the files of a task in a process of its own, so that it may die, and its peak memory is its own."""
    context = multiprocessing.get_context("spawn")
    receiver, sender = context.Pipe(duplex=False)
    worker = context.Process(target=_work, args=(sender, task))
    worker.start()
    sender.close()
    said: str | Tally = "start"
    try:
        while receiver.poll(PATIENCE_S):
            said = receiver.recv()
            if isinstance(said, Tally):
                return said
        why = "no answer"
    except EOFError:
        why = "the process died"
    finally:
        worker.kill()
        worker.join()
    return Tally(Counter({"died": 1}), errors=[f"{said}: {why}"])


def _read_meshes(task: range) -> dict[str, Counter[str]] | str:
    """Read damaged mesh files in a process of its own; return what became of them, or of which one it died."""
    with tempfile.TemporaryDirectory() as name:
        try:
            return mesh_fuzzing.read_in_child(Path(name), task.start, task.stop)
        except AssertionError as error:
            return str(error)


def mesh_rows(chunks: list[range]) -> list[Row]:
    """Read damaged mesh files of every format."""
    found = {suffix: Counter[str]() for suffix in mesh_fuzzing.SEEDS}
    faults: list[str] = []
    with ThreadPoolExecutor(min(2, os.cpu_count() or 1)) as threads:
        for one in threads.map(_read_meshes, chunks):
            if isinstance(one, str):
                faults.append(one)
                continue
            for suffix, outcomes in one.items():
                found[suffix] += outcomes
    for fault in faults:
        print(f"  {fault}", file=sys.stderr)
    rows = []
    for suffix, outcomes in found.items():
        what = f"damaged {suffix[1:].upper()} files"
        rows += [row(f"{what}: {outcome}", n, "files") for outcome, n in sorted(outcomes.items())]
    return [*rows, row("damaged mesh files: processes that died or raised", len(faults), "processes")]


def calibration_rows(count: int) -> list[Row]:
    """Read damaged calibrations, so many of each dialect, in this process."""
    total, longest, faults = Counter[str](), 0.0, list[str]()
    for dialect in calibration_fuzzing.DIALECTS:
        with tempfile.TemporaryDirectory() as name:
            tally = calibration_fuzzing.open_mutants(dialect, range(count), Path(name))
        total += tally.outcomes
        longest = max(longest, tally.longest_s)
        faults += tally.faults
    for fault in faults:
        print(f"  {fault}", file=sys.stderr)
    rows = [row(f"damaged calibrations: {outcome}", n, "files") for outcome, n in sorted(total.items())]
    return [
        *rows,
        row("damaged calibrations: faults", len(faults), "files"),
        row("damaged calibrations: longest", longest, "s"),
    ]


EXPORT = """
import sys
from contextlib import suppress
from pathlib import Path
from tests.bench.bench_fuzz import CHILD_BYTES, bound_memory
from tests.support import export_fuzzing, fuzzing
with suppress(ImportError):
    import pxr.UsdSkel
bound_memory(CHILD_BYTES)
folder = Path(sys.argv[1])
fuzzing.furnish(folder)
(folder / "written").mkdir()
(folder / "scene.yaml").write_bytes(fuzzing.mutant(int(sys.argv[2]), fuzzing.seeds()))
print(dict(export_fuzzing.export_all(folder / "scene.yaml", folder / "written", export_fuzzing.LIGHT)))
"""
CHILD_S, CHILD_BYTES = 20, 2_000_000_000


def _in_child(program: str, *arguments: object, n: int = 1) -> str:
    """Run a program of a few lines on damaged files in a bounded process; return what is wrong, or nothing."""
    with tempfile.TemporaryDirectory() as name:
        command = [sys.executable, "-c", program, name, *map(str, arguments)]
        try:
            done = subprocess.run(
                command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=10.0 * CHILD_S * n,
                preexec_fn=partial(_limit, CHILD_S * n) if os.name == "posix" else None,
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            return f"{arguments}: it does not end"
        return "" if done.returncode == 0 else f"{arguments}: {done.returncode} {done.stderr[-600:]}"


def _limit(seconds: int) -> None:
    import resource

    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))


def export_rows(exported: int) -> list[Row]:
    """Export damaged scenes."""
    with ThreadPoolExecutor(min(2, os.cpu_count() or 1)) as threads:
        wrong = list(filter(None, threads.map(lambda i: _in_child(EXPORT, i, n=6), range(exported))))
    print(*(f"  {each}" for each in wrong), sep="\n", file=sys.stderr)
    return [row("damaged scenes exported: processes that raised, died or were late", len(wrong), "processes")]


def run(count: int = COUNT) -> list[Row]:
    """Open them all."""
    mutants, huge = Tally(), Tally()
    chunks = [range(i, min(i + CHUNK, count)) for i in range(0, count, CHUNK)]
    with ThreadPoolExecutor(min(2, os.cpu_count() or 1)) as threads:
        for tally in threads.map(_done, chunks):
            mutants.add(tally)
        for tally in threads.map(_done, huge_files()):
            huge.add(tally)
    for error in mutants.errors + huge.errors:
        print(f"  {error}", file=sys.stderr)
    rows = []
    for what, tally in (("damaged files", mutants), ("huge files", huge)):
        rows += [
            row(f"{what}: opened", tally.outcomes.total(), "files"),
            row(f"{what}: with a scene", tally.outcomes["scene"] + tally.outcomes["problems"], "files"),
            row(f"{what}: with problems in it", tally.outcomes["problems"], "files"),
            row(f"{what}: refused by a SceneError", tally.outcomes["refused"], "files"),
            row(
                f"{what}: another exception",
                sum(tally.outcomes[kind] for kind in FAULTS),
                "files",
            ),
            row(f"{what}: over {LIMIT_S:g} s", tally.outcomes["too slow"], "files"),
            row(f"{what}: longest ({tally.worst})", tally.worst_s, "s"),
            row(
                f"{what}: peak memory of a worker (at most {LIMIT_MB} MB more than it starts with)", tally.peak_mb, "MB"
            ),
        ]
    rows += [row(f"simulations {how}", n, "runs") for how, n in sorted(mutants.simulated.items())]
    rows += calibration_rows(round(calibration_fuzzing.COUNT * count / COUNT))
    return rows + mesh_rows(chunks) + export_rows(round(EXPORTED * count / COUNT))
