"""Damaged files of every kind that Framescope opens, and how the commands end on them.

``python -m tests.support.reader_fuzzing FOLDER KIND FIRST LAST`` runs the commands on the files with these numbers,
within 2 GB and 20 s of CPU a command, and prints a `Tally` as JSON.
"""

from __future__ import annotations

import functools
import io
import json
import logging
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import traceback
import warnings
import zipfile
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from types import FrameType

import numpy as np
from typer import Typer

from framescope import assets
from framescope.core.system import reader_slips
from tests.support import damage, small_tables
from tests.support.command_line import CliRunner
from tests.support.damage import Damage
from tests.support.fuzzing import KINDS as SCENE_OF_MANY_KINDS
from tests.support.fuzzing import furnish, seeds

ROOT = Path(__file__).parents[2]
LIMIT_S = 20.0
LIMIT_BYTES = 2_000_000_000
TEXT = (damage.cut, damage.change_number, damage.change_number, damage.change_word, damage.change_line)
BINARY = (damage.flip_bytes, damage.flip_bytes, damage.cut, damage.change_integer)


CHECK, IMPORT = ("check", "--deep", "--json", "@"), ("import", "--json", "@")
IMPORT_ALL = ("import", "--out", "out.yaml", "--accept-open", "--mend", "all", "@")
TABLE_COMMANDS = (CHECK, IMPORT, IMPORT_ALL, ("check", "out.yaml"))


@dataclass(frozen=True)
class Kind:
    """A kind of file: good ones as name and content, the damage done to them, and the commands that open them.

    `count` is the number of files that the benchmark makes. In a command ``@`` stands for the name of the file.
    """

    seeds: Callable[[], list[tuple[str, bytes]]]
    damages: tuple[Damage, ...]
    count: int
    commands: tuple[tuple[str, ...], ...] = (CHECK, IMPORT)


# --- Good files


def _bags() -> list[tuple[str, bytes]]:
    from tests.support import bags

    sent = bags.drive(seconds=0.5)
    files = []
    with tempfile.TemporaryDirectory() as name:
        for number, (title, write) in enumerate(bags.WRITERS.items()):
            if "packed" in title:
                continue
            path = write(Path(name) / str(number), sent)
            found = [path] if path.is_file() else [*path.glob("*.db3"), *path.glob("*.mcap")]
            files += [(f"bag{each.suffix}", each.read_bytes()) for each in found]
    return files


def _tables() -> list[tuple[str, bytes]]:
    from tests.imports.corpus import corpus

    variants = [variant for variant in corpus() if len(variant.content) < 30_000]
    files = [(variant.file or f"table{variant.suffix}", variant.content) for variant in variants]
    return files + [("table.csv", data) for data in small_tables.text_tables()]


def _named(name: str, files: Callable[[], list[bytes]]) -> Callable[[], list[tuple[str, bytes]]]:
    return lambda: [(name, data) for data in files()]


def _results() -> list[tuple[str, bytes]]:
    from tests.support import modelica_results as results

    made = results.pendulum(11)
    for letter in "ft":
        force = np.stack([np.sin(made.times), np.ones_like(made.times), np.zeros_like(made.times)], axis=-1)
        made.add_vector(f"boxBody1.frame_b.{letter}", force)
    files = []
    with tempfile.TemporaryDirectory() as name:
        for layout in ("binTrans", "binNormal"):
            for write in (results.write, results.write_as_plotted):
                path = write(Path(name) / "result.mat", made, layout=layout)
                files.append((path.name, path.read_bytes()))
    return files


def _urdf() -> list[tuple[str, bytes]]:
    from tests.support.robots import healthy_robot

    return [("robot.urdf", healthy_robot(seed, 5).text.encode()) for seed in range(6)]


def _sdf() -> list[tuple[str, bytes]]:
    from tests.support.sdf_models import random_model

    models = [random_model(seed, 1).text for seed in range(6)]
    worlds = [text.replace(">", "><world name='w'>", 1).replace("</sdf>", "</world></sdf>") for text in models[:2]]
    return [("model.sdf", text.encode()) for text in (*models, *worlds)]


def _mjcf() -> list[tuple[str, bytes]]:
    from tests.support.mjcf_models import random_mjcf

    return [("model.xml", random_mjcf(seed).encode()) for seed in range(6)]


XACRO = """<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro"><xacro:property name="n" value="3"/>
<xacro:macro name="leg" params="i"><link name="l${i}"/><joint name="j${i}" type="fixed"><parent link="b"/>
<child link="l${i}"/><origin xyz="${i*0.1} 0 0"/></joint></xacro:macro><link name="b"/>
<xacro:leg i="0"/><xacro:if value="${n > 2}"><xacro:leg i="1"/></xacro:if></robot>"""


def _xacro() -> list[tuple[str, bytes]]:
    return [("robot.xacro", XACRO.encode())]


def _lessons() -> list[tuple[str, bytes]]:
    return [(path.name, path.read_bytes()) for path in sorted(assets.path("lessons").glob("*.lesson.md"))]


def _scenes() -> list[tuple[str, bytes]]:
    return [("scene.yaml", text.encode()) for text in seeds()]


def _bundles() -> list[tuple[str, bytes]]:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("scene.yaml", SCENE_OF_MANY_KINDS)
        archive.writestr("walk.txt", "".join(f"{0.1 * i} {i} 0 0 0 0 0 1\n" for i in range(40)))
    return [("bundle.zip", packed.getvalue())]


XML = (*TEXT, *[damage.change_xml] * 4)
KINDS: dict[str, Kind] = {
    "tables": Kind(
        _tables,
        (*TEXT, damage.flip_bytes, damage.change_encoding, damage.change_column, damage.change_json),
        4000,
        TABLE_COMMANDS,
    ),
    "JSON tables": Kind(
        _named("table.json", small_tables.json_tables),
        (*TEXT, damage.flip_bytes, damage.change_column, *[damage.change_json] * 4),
        1500,
        TABLE_COMMANDS,
    ),
    "NPZ tables": Kind(
        _named("table.npz", small_tables.npz_tables),
        (*BINARY, *[damage.change_member(*BINARY, *[damage.change_npy_header] * 4)] * 6),
        1500,
        TABLE_COMMANDS,
    ),
    "Parquet tables": Kind(_named("table.parquet", small_tables.parquet_tables), BINARY, 1000, TABLE_COMMANDS),
    "bags": Kind(_bags, (*BINARY, damage.change_database(damage.flip_bytes, damage.cut, damage.change_integer)), 4000),
    "results": Kind(_results, (*BINARY, *[damage.change_matrix] * 4), 2500),
    "URDF": Kind(_urdf, (*XML, damage.change_encoding), 2500),
    "SDF": Kind(_sdf, (*XML, damage.change_encoding), 2500),
    "lessons": Kind(_lessons, (*TEXT, damage.flip_bytes, damage.change_encoding), 1500, (("lesson", "check", "@"),)),
    "scenes": Kind(_scenes, (*TEXT, damage.flip_bytes, damage.change_encoding), 1500),
    "bundles": Kind(_bundles, (*BINARY, *[damage.change_member(*TEXT, damage.flip_bytes)] * 3), 2000),
    # The last two start a process for each command.
    "MJCF": Kind(_mjcf, XML, 300),
    "xacro": Kind(_xacro, (*TEXT, damage.change_xml), 200, (("robot", "expand", "@", "made.urdf"),)),
}


@functools.cache
def _seeds(kind: str) -> list[tuple[str, bytes]]:
    return KINDS[kind].seeds()


def mutant(kind: str, number: int) -> tuple[str, bytes]:
    """Return name and content of the damaged file of a number: always the same."""
    random = Random(f"{kind} {number}")
    name, data = random.choice(_seeds(kind))
    for _ in range(random.choice((1, 1, 1, 2, 3))):
        data = random.choice(KINDS[kind].damages)(random, data)
    return name, data


# --- What the commands make of them


@dataclass
class Tally:
    """What became of many files."""

    outcomes: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)
    longest_s: float = 0.0
    longest: str = ""

    def add(self, other: Tally) -> None:
        """Add the outcomes of other files."""
        self.outcomes += other.outcomes
        self.faults += other.faults
        if other.longest_s > self.longest_s:
            self.longest_s, self.longest = other.longest_s, other.longest


class LateError(BaseException):
    """Raised by the timer. No handler of exceptions catches it."""


def _late(_signal: int, _frame: FrameType | None) -> None:
    raise LateError


def _bound() -> None:
    if os.name == "posix":
        import resource

        signal.signal(signal.SIGPROF, _late)
        pages = int(Path("/proc/self/statm").read_text().split()[0]) if sys.platform == "linux" else 0
        limit = pages * os.sysconf("SC_PAGE_SIZE") + LIMIT_BYTES
        if pages:
            resource.setrlimit(resource.RLIMIT_AS, (limit, limit))


def _set_timer(seconds: float) -> None:
    if os.name == "posix":
        signal.setitimer(signal.ITIMER_PROF, seconds)


def run_commands(kind: str, numbers: Sequence[int], folder: Path) -> Tally:
    """Run the commands of a kind on its damaged files, in this process."""
    tally = Tally()
    furnish(folder)
    for path in assets.path("lessons").glob("*.yaml"):
        shutil.copy(path, folder)
    os.chdir(folder)
    for number in numbers:
        name, data = mutant(kind, number)
        path = folder / name
        path.write_bytes(data)
        (folder / "now").write_text(f"{kind} {number}")
        tally.add(open_file(path, KINDS[kind].commands, f"{kind} {number}"))
        path.unlink()
    return tally


def open_file(path: Path, commands: Sequence[Sequence[str]] = TABLE_COMMANDS, title: str = "") -> Tally:
    """Run commands on a file in the working directory, in this process; ``@`` stands for its name."""
    from framescope.app.cli import main

    tally, runner, start = Tally(), CliRunner(), time.process_time()
    for command in commands:
        words = [path.name if word == "@" else word for word in command]
        if words[-1] == "out.yaml" and not (path.parent / "out.yaml").exists():
            continue  # the import has made no scene
        outcome, fault = _run(runner, main.app, words)
        tally.outcomes[outcome] += 1
        if fault:
            tally.faults.append(f"{title or path.name} ({' '.join(words)}): {fault}")
    tally.longest_s, tally.longest = time.process_time() - start, title or path.name
    for name in ("out.yaml", "made.urdf"):
        (path.parent / name).unlink(missing_ok=True)
    return tally


def _run(runner: CliRunner, app: Typer, words: list[str]) -> tuple[str, str]:
    """Run a command; return its outcome in a word, and the fault in how it ended, if there is one."""
    tracebacks: list[str] = []
    handler = logging.Handler(logging.ERROR)
    handler.emit = lambda record: tracebacks.append(record.getMessage())  # type: ignore[method-assign]
    reader_slips.LOGGER.addHandler(handler)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            _set_timer(LIMIT_S)
            result = runner.invoke(app, words)
            _set_timer(0.0)
    except LateError:
        return "too slow", f"longer than {LIMIT_S:g} s"
    finally:
        _set_timer(0.0)
        reader_slips.LOGGER.removeHandler(handler)
    if tracebacks:
        *places, error_line = tracebacks[0].splitlines()
        files = [
            line.split('"')[1].rpartition("/")[2] + line.split('"')[2] for line in places if line.startswith("  File")
        ]
        return "exception", f"{error_line[:200]} ({' '.join(files[-6:])})"
    error = result.exception
    if error is not None and not isinstance(error, SystemExit):
        places = [f"{Path(at.filename).name}:{at.lineno}" for at in traceback.extract_tb(error.__traceback__)]
        return "exception", f"{type(error).__name__}: {str(error)[:150]!r} ({' '.join(places[-8:])})"
    if "--json" in words and result.exit_code in (0, 3):
        try:
            json.loads(result.stdout)
        except ValueError as wrong:
            return "no JSON", f"no JSON: {wrong} {result.stdout[-100:]!r}"
    said = result.output if "--json" not in words else result.stderr
    if re.search("[\x00-\x08\x0b-\x1f\x7f\u202e]", said.replace("\r\n", "\n")):
        return "control characters", f"control characters: {said[:200]!r}"
    if "does not fit into the memory" in said:
        return "memory", said[:200]
    status = f"exit status {result.exit_code}"
    return status, "" if result.exit_code in range(4) else f"{status}: {said[-200:]!r}"


def run_apart(kind: str, first: int, last: int) -> Tally:
    """Run the commands on damaged files in a process that may die; what it was at then is a fault."""
    with tempfile.TemporaryDirectory() as name:
        command = [sys.executable, "-P", "-m", "tests.support.reader_fuzzing", name, kind, str(first), str(last)]
        try:
            environ = {**os.environ, "PYTHONPATH": str(ROOT)}
            done = subprocess.run(
                command,
                cwd=ROOT,
                env=environ,
                capture_output=True,
                text=True,
                check=False,
                timeout=60 + 5 * (last - first),
            )
            if done.returncode == 0:
                found = json.loads(done.stdout.splitlines()[-1])
                return Tally(Counter(found.pop("outcomes")), **found)
            why = f"exit status {done.returncode} {done.stderr[-300:]}"
        except subprocess.TimeoutExpired:
            why = "no end"
        now = (Path(name) / "now").read_text() if (Path(name) / "now").exists() else "start"
    tally = Tally(Counter({"died": 1}), [f"{now}: the process died: {why}"])
    number = int(now.split()[-1]) if now != "start" else last
    if number + 1 < last:
        tally.add(run_apart(kind, number + 1, last))
    return tally


if __name__ == "__main__":
    where, what, begin, end = Path(sys.argv[1]).resolve(), sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    _bound()
    print("\n" + json.dumps(vars(run_commands(what, range(begin, end), where))))
