"""Set Framescope up and start it.

  python3 run.py                    open the window (with no display: export the demo scene to a video)
  python3 run.py -- ARGS            run the command `framescope ARGS`, such as `-- export SCENE out.mp4`
  python3 run.py test [ARGS]        run the tests on a virtual display, in five minutes; ARGS go to pytest
  python3 run.py test fast [ARGS]   run those that need no window, process or browser and are not long: in a minute
  python3 run.py test all [ARGS]    run the journeys and the soaks, too: in twenty minutes
  python3 run.py add NAME           add a package that only some uses need, such as usd, robots or tables
  python3 run.py check              linter, formatting, types, import rules, lock files
  python3 run.py bench [NAME] [--compare]     run the benchmarks, beside their records
  python3 run.py lock [ARGS]        make the lock files anew from pyproject.toml; ARGS such as --upgrade go to uv

Whatever is missing is set up first: the virtual environment `.venv` from requirements.lock, and on Debian and Ubuntu
the system libraries that Qt and OpenGL need (if you are root; otherwise the line that installs them is printed).
For the tests a window manager, Chromium and the Khronos glTF validator are installed too where that is possible; tests
that lack one are reported as not run.
On Windows, use `py run.py`. Exit status 3: something of the system is missing.
"""
# Standard library only, and nothing here that an old Python 3 cannot parse: it must get as far as the message below.

import sys

OLDEST, NEWEST = (3, 11), (3, 14)  # as `requires-python` in pyproject.toml
if not OLDEST <= sys.version_info[:2] <= NEWEST:
    sys.exit(
        "Framescope needs Python {}.{} to {}.{}, but this is Python {}.{} ({}).".format(
            *(OLDEST + NEWEST + sys.version_info[:2] + (sys.executable,))
        )
    )

import hashlib
import importlib.util
import json
import os
import queue
import re
import shutil
import subprocess
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"
LOCK = "requirements.lock"
DEV_LOCK = "requirements-dev.lock"
INSTALLED = "installed"
"""Key of the list of installed packages in the set-up's state."""
FAST = "not (window or process or browser or fuzz or long or approval or journey or soak)"
"""Marker expression of the tests that `test fast` runs."""
USUAL = "not (journey or soak)"
"""Marker expression of the tests that `test` alone runs."""
FOREIGN_PROGRAMS = ("tests/support/foreign.py",)
"""The script that installs programs of others, before the verbs that need them."""
SCRIPTS = {"check": "tests.tools.check_run", "lock": "tests.tools.lock_files"}
"""Modules that run the verbs for contributors."""

if TYPE_CHECKING:
    from framescope.app import platforms
    from framescope.app.platforms import Host
else:  # by its path: `framescope` can be imported only after the set-up
    _spec = importlib.util.spec_from_file_location("framescope_platforms", ROOT / "app" / "platforms.py")
    platforms = sys.modules[_spec.name] = importlib.util.module_from_spec(_spec)
    _spec.loader.exec_module(platforms)


class SetupError(Exception):
    """The set-up cannot continue; the message gives the reason and a remedy."""

    def __init__(self, message: str, status: int = 1, output: str = "") -> None:
        super().__init__(message)
        self.status = status
        self.output = output  # output of the command that failed


# --- The command line -----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Job:
    """Job of a command line."""

    arguments: list[str]
    """Arguments of the environment's interpreter."""
    environ: dict[str, str] = field(default_factory=dict)
    is_dev: bool = False
    """Whether the job needs the packages that requirements-dev.lock adds."""
    capabilities: tuple[str, ...] = ()
    """Keys of `platforms.SYSTEM_NEEDS`."""
    wishes: tuple[str, ...] = ()
    """Keys of needs that the job can do without."""
    preparation: tuple[str, ...] = ()
    """Arguments of the environment's interpreter for a command in the checkout before the job; it may fail."""
    is_in_root: bool = False
    """Whether the job runs in the checkout; otherwise in the caller's folder, to which file names are relative."""
    is_on_virtual_display: bool = False


def plan(argv: list[str], host: "Host") -> Job:
    """Return the job of a command line."""
    # -P keeps the working directory off the module path: a stray numpy.py there would shadow the real one.
    verb, rest = (argv[0], argv[1:]) if argv else ("--", [])
    off_screen, on_screen, virtual = ("draw",), ("draw", "window"), ("draw", "window", "virtual display")
    if verb == "--":
        capabilities = on_screen if platforms.has_display(host) else off_screen
        return Job(["-P", "-m", "framescope.app", *rest], capabilities=capabilities)
    if verb == "test":
        # pytest-xvfb starts the display, so `pytest` alone works as well. Tests also use that display on a Wayland
        # desktop: hence xcb.
        environ = {"PYTHONHASHSEED": "0", "QT_API": "pyside6", **({"QT_QPA_PLATFORM": "xcb"} if host.is_linux else {})}
        environ["OPENBLAS_NUM_THREADS"] = "1"  # as in the program: more threads only wait for each other here
        environ["PYTHONDONTWRITEBYTECODE"] = ""  # with bytecode, hundreds of processes compile once
        # The whole suite uses all cores; a few tests are faster in a single process.
        spread = ["-n", "logical", "--maxprocesses", "4", "--dist", "worksteal", "--durations", "10"]
        if rest[:1] == ["fast"]:
            windows = ["--ignore", "tests/window", "--ignore-glob", "*/tests/features/*/window"]
            fast = ["-P", "-m", "pytest", *spread, "--no-xvfb", *windows, "-m", FAST, *rest[1:]]
            return Job(fast, environ, is_dev=True, capabilities=off_screen, is_in_root=True)
        if not rest:
            rest = [*spread, "-m", USUAL]
        elif rest[0] == "all":
            rest = [*spread, *rest[1:]]
        return Job(
            ["-P", "-m", "pytest", *rest],
            environ,
            is_dev=True,
            capabilities=virtual,
            wishes=("window manager", "browser"),
            preparation=FOREIGN_PROGRAMS,
            is_in_root=True,
        )
    if verb == "bench":
        command = [str(ROOT / "tests" / "bench" / "bench_run.py"), *rest]
        if platforms.has_display(host):  # prefer a real display, for its graphics card
            return Job(command, is_dev=True, capabilities=on_screen)
        environ = {"QT_QPA_PLATFORM": "xcb"}
        wishes = ("window manager",)
        return Job(command, environ, is_dev=True, capabilities=virtual, wishes=wishes, is_on_virtual_display=True)
    if verb == "add":
        return Job(["-P", "-m", "framescope.app", "extras", "add", *rest])
    if verb in SCRIPTS:
        preparation = FOREIGN_PROGRAMS if verb == "check" else ()
        return Job(["-m", SCRIPTS[verb], *rest], is_dev=True, preparation=preparation, is_in_root=True)
    raise SetupError(f"run.py does not know '{verb}'. What it knows:\n\n{__doc__}", status=2)


# --- Progress -------------------------------------------------------------------------------------------------------


class Progress:
    """Progress as one rewritten line on a terminal; elsewhere a line per step, and one in a long silence."""

    SILENCE_S = 10.0

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._can_rewrite = stream.isatty() and os.environ.get("TERM") != "dumb"
        self._said_at = time.monotonic()

    def step(self, text: str) -> None:
        """Show the beginning of a step."""
        if self._can_rewrite:
            width = shutil.get_terminal_size().columns - 1
            self._stream.write("\r\x1b[K" + f"  {text}"[:width])
        else:
            self._stream.write(f"  {text}\n")
        self._stream.flush()
        self._said_at = time.monotonic()

    def sign_of_life(self, text: str) -> None:
        """Show the progress of a long step."""
        if self._can_rewrite or time.monotonic() - self._said_at > self.SILENCE_S:
            self.step(text)

    def close(self) -> None:
        """Erase the rewritten line."""
        if self._can_rewrite:
            self._stream.write("\r\x1b[K")
            self._stream.flush()


class PipReader:
    """Parser of pip's output during `pip install -r LOCK`, which names the steps to show."""

    _PACKAGE = re.compile(r"\s*(?:Collecting|Processing|Requirement already satisfied:) (?P<what>[^\s;]+)")

    def __init__(self, n_pins: int, count_installed: Callable[[], int]) -> None:
        self._n_packages = n_pins
        self._n_found = 0
        self._is_unpacking = False
        self._count_installed = count_installed

    def read(self, line: str) -> str | None:
        """Return the step that a line announces, if any."""
        match = self._PACKAGE.match(line)
        if line.startswith("Ignoring "):  # a pin for another platform or version of Python
            self._n_packages -= 1
        elif match:
            self._n_found += 1
            what = match["what"]
            # pip names a cached wheel by its path, other packages by their pins.
            name = " ".join(Path(what).name.split("-")[:2]) if what.endswith(".whl") else what.replace("==", " ")
            return f"[{self._n_found}/{self._n_packages}] {name}"
        elif line.startswith("Installing collected packages"):
            self._is_unpacking = True
            return "unpacking"
        return None

    def idle(self) -> str | None:
        """Return the progress, while pip prints nothing."""
        return f"unpacking: {self._count_installed()} of {self._n_packages}" if self._is_unpacking else "still at it"


class AptReader:
    """Parser of apt's output during `apt-get install`, which names the steps to show."""

    _TOTAL = re.compile(r"(\d+) upgraded, (\d+) newly installed")

    def __init__(self) -> None:
        self._n_packages = 0
        self._n_done = 0

    def read(self, line: str) -> str | None:
        """Return the step that a line announces, if any."""
        match = self._TOTAL.match(line)
        if match:
            self._n_packages = int(match[1]) + int(match[2])
            return f"fetching {self._n_packages} packages"
        if line.startswith("Setting up "):
            self._n_done += 1
            return f"[{self._n_done}/{self._n_packages}] {line.split()[2].partition(':')[0]}"
        return None

    def idle(self) -> str | None:
        """Return the progress, while apt prints nothing."""
        return "still at it"


def follow(command: list[str], reader: PipReader | AptReader, environ: Mapping[str, str]) -> None:
    """Run a command and show the steps that `reader` finds in its output; if it fails, raise with the whole output."""
    progress = Progress(sys.stdout)
    output: list[str] = []
    pipes = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
    with subprocess.Popen(command, env=environ, cwd=ROOT, **pipes, encoding="utf-8", errors="replace") as process:
        try:
            for line in lines_or_none(process.stdout, every_s=1.0):
                if line is None:
                    progress.sign_of_life(reader.idle())
                    continue
                output.append(line)
                step = reader.read(line)
                if step is not None:
                    progress.step(step)
        except BaseException:  # above all Ctrl-C
            process.kill()
            raise
        finally:
            progress.close()
    if process.returncode != 0:
        raise failure(command, process.returncode, "".join(output))


def run_quietly(command: list[str], environ: Mapping[str, str]) -> None:
    """Run a short command; if it fails, raise with its whole output."""
    done = subprocess.run(command, env=environ, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise failure(command, done.returncode, done.stdout + done.stderr)


def failure(command: list[str], status: int, output: str) -> SetupError:
    """Return the error for a command that failed."""
    return SetupError(
        f"{output}\nThis failed with exit status {status}; what it said stands above:\n  {' '.join(command)}",
        output=output,
    )


def lines_or_none(stream: TextIO, every_s: float) -> Iterator[str | None]:
    """Yield the lines of a stream, and None for every `every_s` seconds without one."""
    lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()

    def read() -> None:
        for line in stream:
            lines.put(line)
        lines.put(None)

    threading.Thread(target=read, daemon=True).start()
    while True:
        try:
            line = lines.get(timeout=every_s)
        except queue.Empty:
            yield None
        else:
            if line is None:
                return
            yield line


# --- The environment ------------------------------------------------------------------------------------------------


def fingerprints() -> dict[str, str]:
    """Return the fingerprints of the environment's inputs; any change requires a new set-up."""
    files = {
        name: hashlib.sha256((ROOT / name).read_bytes()).hexdigest() for name in ("pyproject.toml", LOCK, DEV_LOCK)
    }
    return {"root": str(ROOT), "python": "{}.{}".format(*sys.version_info), **files}


def read_state() -> dict[str, str]:
    """Return the fingerprints of the last complete set-up; empty after an interrupted one."""
    try:
        state = json.loads(state_file().read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return state if isinstance(state, dict) else {}


def state_file() -> Path:
    """Return the file with the fingerprints of a complete set-up; it also marks `.venv` as made by run.py."""
    return VENV / "framescope-setup.json"


def is_ready(state: dict[str, str], wanted: dict[str, str], is_dev: bool, host: "Host") -> bool:
    """Return whether the environment is complete and up to date."""
    keys = wanted.keys() - (set() if is_dev else {DEV_LOCK})
    is_current = all(state.get(key) == wanted[key] for key in keys) and platforms.venv_python(VENV, host).exists()
    return is_current and INSTALLED in state and not missing_packages(state, host)


def installed_names(host: "Host") -> set[str]:
    """Return the names in the environment's folder of packages."""
    try:
        names = set(os.listdir(platforms.venv_site_packages(VENV, host)))  # noqa: PTH208 - each start does it
    except OSError:
        return set()
    return {name for name in names if name != "__pycache__" and not name.startswith("~")}  # ~: remnants of pip


def missing_packages(state: dict[str, str], host: "Host") -> list[str]:
    """Return the names that the last set-up installed and that are missing now."""
    wanted = set(state.get(INSTALLED, "").splitlines())
    return sorted(wanted - installed_names(host)) if wanted else []


def remove_incomplete_records(missing: list[str], host: "Host") -> None:
    """Remove the records of incomplete packages, so that pip installs them again."""
    for record in platforms.venv_site_packages(VENV, host).glob("*.dist-info/RECORD"):
        parts = {line.partition(",")[0].partition("/")[0] for line in record.read_text(encoding="utf-8").splitlines()}
        if not parts.isdisjoint(missing):
            shutil.rmtree(record.parent)


def reason_to_rebuild(state: dict[str, str], wanted: dict[str, str], host: "Host") -> str | None:
    """Return why the environment must be rebuilt from scratch, or None."""
    if not VENV.exists() or not any(VENV.iterdir()):
        return "there is none yet"
    if not state_file().exists():
        raise SetupError(
            f"{VENV} was not made by run.py, which makes its own environment there and would overwrite it.\n"
            "Move it away or delete it, then run the same command again."
        )
    if not platforms.venv_python(VENV, host).exists():
        return "its Python is gone"
    if not state:
        return "its last set-up was not finished"
    if any(re.match(r"pip(-|$)", name) for name in missing_packages(state, host)):
        return "its pip is gone"
    if state.get("root") != wanted["root"]:
        return f"it was made for {state.get('root')}"
    if state.get("python") != wanted["python"]:
        return f"it was made for Python {state.get('python')}, and this is {wanted['python']}"
    return None


def set_up_environment(is_dev: bool, host: "Host") -> None:
    """Set up `.venv` or bring it up to date."""
    started = time.monotonic()
    state, wanted = read_state(), fingerprints()
    if is_ready(state, wanted, is_dev, host):
        return  # another run.py did it while this one waited
    # Development packages stay installed.
    is_dev = is_dev or state.get(DEV_LOCK) == wanted[DEV_LOCK]
    pip_install = platforms.python_command("-m", "pip", "install", python=platforms.venv_python(VENV, host))
    environ = clean_environment() | {"PIP_USER": "0", "PIP_DISABLE_PIP_VERSION_CHECK": "1", "PIP_NO_INPUT": "1"}

    reason = reason_to_rebuild(state, wanted, host)
    if reason is not None:
        say(f"Making the environment .venv: {reason}.")
        make_venv(host)
        state = {}
    missing = missing_packages(state, host)
    before = json.dumps(state, indent=1)
    mark_unfinished()
    if missing:
        some = ", ".join(missing[:3]) + (f" and {len(missing) - 3} more" if len(missing) > 3 else "")
        say(f"Fixing the environment .venv, of which something was removed: {some}.")
        remove_incomplete_records(missing, host)
        state = {key: value for key, value in state.items() if key not in (LOCK, DEV_LOCK)}

    lock = DEV_LOCK if is_dev else LOCK
    if state.get(lock) != wanted[lock]:
        say(f"Installing the packages of {lock}:")
        n_pins = len(re.findall(r"^\S+==", (ROOT / lock).read_text(encoding="utf-8"), re.MULTILINE))
        site_packages = platforms.venv_site_packages(VENV, host)
        reader = PipReader(n_pins, lambda: len(list(site_packages.glob("*.dist-info"))))
        exactly = ["--progress-bar", "off", "--require-hashes", "--only-binary", ":all:", "-r", str(ROOT / lock)]
        try:
            follow([*pip_install, *exactly], reader, environ)
        except SetupError as error:
            if not is_offline(error.output):
                raise
            # pip downloads everything before it installs: the environment is unchanged, and the next run repairs it.
            state_file().write_text(before, encoding="utf-8")
            raise SetupError(offline_message(lock, missing)) from None
    # The project itself: its folders are linked, not copied, and the lock file provides the build backend.
    run_quietly([*pip_install, "--no-deps", "--no-build-isolation", "--editable", str(ROOT)], environ)

    keys = wanted.keys() - (set() if is_dev else {DEV_LOCK})
    done = {key: wanted[key] for key in sorted(keys)} | {INSTALLED: "\n".join(sorted(installed_names(host)))}
    state_file().write_text(json.dumps(done, indent=1), encoding="utf-8")
    say(f"The environment is ready after {time.monotonic() - started:.0f} s.")


OFFLINE = re.compile(
    "Failed to establish a new connection|NameResolutionError|Temporary failure in name resolution|getaddrinfo failed"
    "|Name or service not known|nodename nor servname|Network is unreachable|No route to host|Connection refused"
    "|ConnectTimeoutError|ReadTimeoutError|ConnectionResetError|Cannot connect to proxy|No internet connection"
)
"""Messages of pip without a network connection."""


def is_offline(output: str) -> bool:
    """Return whether pip failed because it reached no package index."""
    return OFFLINE.search(output) is not None


def offline_message(lock: str, missing: list[str]) -> str:
    """Return the message for packages that cannot be downloaded."""
    some = ", ".join(missing[:3]) + (f" and {len(missing) - 3} more" if len(missing) > 3 else "")
    lack = f"The environment .venv lacks {some}" if missing else f"The environment .venv needs the packages of {lock}"
    return f"{lack}, and no package index can be reached: connect to the network and run the same command again."


def mark_unfinished() -> None:
    """Mark the set-up as unfinished, so that the next run starts over if this one is interrupted."""
    VENV.mkdir(exist_ok=True)
    state_file().write_text("{}", encoding="utf-8")


def make_venv(host: "Host") -> None:
    """Create an empty `.venv` with pip, replacing one that run.py made before."""
    if importlib.util.find_spec("ensurepip") is None:  # Debian packages it separately
        package = "python{}.{}-venv".format(*sys.version_info)
        install_packages([platforms.SystemNeed("ensurepip", package)], host)
    mark_unfinished()
    for path in VENV.iterdir():  # not `venv --clear`, which would remove the mark
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        elif path != state_file():
            path.unlink()
    # Not sys.executable, which may be the interpreter of the environment being replaced.
    python = getattr(sys, "_base_executable", None) or sys.executable
    run_quietly(platforms.python_command("-m", "venv", str(VENV), python=python), clean_environment())


def clean_environment() -> dict[str, str]:
    """Return the environment variables without those that add other Python packages, as ROS does."""
    return {key: value for key, value in os.environ.items() if key not in ("PYTHONPATH", "PYTHONHOME")}


# --- The system -----------------------------------------------------------------------------------------------------


def set_up_system(capabilities: tuple[str, ...], host: "Host") -> None:
    """Install missing system libraries: without them Qt ends the process with an unhelpful message."""
    missing = platforms.missing_needs(capabilities, host)
    if missing:
        install_packages(missing, host)
        missing = platforms.missing_needs(capabilities, host)
    if missing:
        names = ", ".join(need.name for need in missing)
        raise SetupError(f"These system libraries are still missing after their installation: {names}", status=3)


def install_packages(needs: list["platforms.SystemNeed"], host: "Host") -> None:
    """Install missing system packages, or raise with the command that installs them."""
    if not (host.is_debian_like and host.is_root):
        raise SetupError(platforms.install_hint(needs, host), status=3)
    packages = platforms.debian_packages(needs, host)
    say(f"Installing system packages: {' '.join(packages)}")
    for command in platforms.apt_commands(packages):
        follow(command, AptReader(), {**os.environ, "DEBIAN_FRONTEND": "noninteractive", "LC_ALL": "C.UTF-8"})


def grant_wishes(job: Job, host: "Host") -> None:
    """Install needs that the job can do without; ignore failures."""
    for wish in job.wishes:  # separately, so that one failure does not affect the others
        missing = platforms.missing_needs([wish], host)
        if missing and host.is_root and platforms.has_packages_for([wish], host):
            try:
                install_packages(missing, host)
            except SetupError:
                say(f"This could not be installed, and is done without: {', '.join(need.name for need in missing)}")
    if job.preparation:
        command = [str(platforms.venv_python(VENV, host)), *job.preparation]
        subprocess.run(command, env=clean_environment(), cwd=ROOT, check=False)


# --- Start ----------------------------------------------------------------------------------------------------------


def say(text: str) -> None:
    """Print a line immediately, also into a pipe."""
    print(text, flush=True)


def set_up(job: Job, host: "Host") -> None:
    """Make sure that the job can run; fast when everything is there."""
    lacks_system = bool(platforms.missing_needs(job.capabilities, host))
    if not lacks_system and is_ready(read_state(), fingerprints(), job.is_dev, host):
        return
    with platforms.hold_lock(ROOT / ".venv.lock", lambda: say("Waiting for another run.py that is setting up ...")):
        set_up_system(job.capabilities, host)
        set_up_environment(job.is_dev, host)


def start(job: Job, host: "Host") -> int:
    """Run the job in place of this process; return its exit status where that is impossible."""
    command = [str(platforms.venv_python(VENV, host)), *job.arguments]
    if job.is_on_virtual_display:
        command = [
            shutil.which("xvfb-run") or "/usr/bin/xvfb-run",
            "-a",
            "-s",
            "-screen 0 1600x1000x24 +extension GLX",
            *command,
        ]
    if job.is_in_root:
        os.chdir(ROOT)
    return platforms.hand_over(command, clean_environment() | job.environ, host)


def main(argv: list[str]) -> int:
    """Set up and run the job of a command line; return its exit status."""
    if argv[:1] in (["-h"], ["--help"]):
        say(__doc__.strip())
        return 0
    host = platforms.this_host()
    try:
        job = plan(argv, host)
        set_up(job, host)
        grant_wishes(job, host)
    except SetupError as error:
        print(error, file=sys.stderr)
        return error.status
    except OSError as error:  # such as a full disk or a folder without write permission
        print(f"The set-up failed: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("\nStopped. The next run finishes the set-up.", file=sys.stderr)
        return 130
    return start(job, host)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
