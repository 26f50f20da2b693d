"""The two lock files: `run.py lock` makes them by this script, and `run.py check` proves them good.

Both are universal (one file for all platforms and versions of Python) and hold hashes. The second adds what tests,
checks and benchmarks need to exactly the versions of the first.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from uv import find_uv_bin

ROOT = Path(__file__).resolve().parents[2]
LOCK, DEV_LOCK = "requirements.lock", "requirements-dev.lock"

PYTHONS = ("3.11", "3.12", "3.13", "3.14")
# Where Framescope claims to install from wheels alone. The versions of glibc and of macOS are PySide6's. Windows on
# arm64 is not among them: pyvista-validation has no wheel for it.
PLATFORMS = {
    "Linux x86-64, glibc 2.34": "x86_64-manylinux_2_34",
    "Linux arm64, glibc 2.39": "aarch64-manylinux_2_39",
    "Windows x86-64": "x86_64-pc-windows-msvc",
    "macOS 14 arm64": "aarch64-apple-darwin",
    "macOS 14 x86-64": "x86_64-apple-darwin",
}


def uv_pip_compile(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """Run `uv pip compile` in the root of the checkout."""
    # The interpreter is named so that uv does not search the machine for one of the version it resolves for.
    command = [find_uv_bin(), "pip", "compile", "--quiet", "--python", sys.executable, *map(str, arguments)]
    environ = {**os.environ, "MACOSX_DEPLOYMENT_TARGET": "14.0"}
    return subprocess.run(command, cwd=ROOT, env=environ, capture_output=True, text=True, check=False)


def compile_locks(folder: Path, *arguments: str) -> None:
    """Write both lock files into `folder`; pins that stand there already are kept where they can be."""
    options = ["--universal", "--python-version", PYTHONS[0], "--generate-hashes", "--no-annotate"]
    options += ["--custom-compile-command", "python3 run.py lock"]  # in the header, instead of a line with paths
    sources = {
        LOCK: ["--extra", "window", "--group", "build"],
        DEV_LOCK: ["--extra", "window", "--group", "build", "--group", "dev", "--constraints", folder / LOCK],
    }
    for name, source in sources.items():
        done = uv_pip_compile("pyproject.toml", *source, *options, *arguments, "--output-file", folder / name)
        if done.returncode != 0:
            raise RuntimeError(f"uv could not make {name}:\n{done.stderr}")


def outdated_locks() -> list[str]:
    """Return the names of the lock files that pyproject.toml has left behind."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for lock in (LOCK, DEV_LOCK):
            shutil.copy(ROOT / lock, folder)
        compile_locks(folder)
        return [lock for lock in (LOCK, DEV_LOCK) if (folder / lock).read_bytes() != (ROOT / lock).read_bytes()]


def pins(text: str) -> set[str]:
    """Return the pins of a lock file, such as `numpy==2.4.6 ; python_full_version < '3.12'`."""
    return {line.removesuffix("\\").strip() for line in text.splitlines() if re.match(r"[\w.-]+==", line)}


def foreign_lines(text: str) -> list[str]:
    """Return the lines that are neither pin nor hash nor comment: no host and no path may get into a lock file."""
    expected = re.compile(r"#[^/]*|[\w.-]+==[\w.+]+( ; [\w.'\" <>=!()]+)? \\|    --hash=sha256:[0-9a-f]{64}( \\)?")
    return [line for line in text.splitlines() if not expected.fullmatch(line)]


def missing_wheels(lock: str) -> list[str]:
    """Return the platforms and Pythons on which `lock` does not install from wheels alone, with uv's reason."""
    failures = []
    for platform, tag in PLATFORMS.items():
        for python in PYTHONS:
            target = ["--python-platform", tag, "--python-version", python]
            done = uv_pip_compile(lock, "--no-deps", "--only-binary", ":all:", *target)
            if done.returncode != 0:
                failures.append(f"{lock} on {platform}, Python {python}:\n{done.stderr}")
    return failures


def main() -> None:
    """Make both lock files anew; further arguments (`--upgrade`, `--upgrade-package NAME`) go to uv."""
    before = {name: (ROOT / name).read_text(encoding="utf-8") for name in (LOCK, DEV_LOCK) if (ROOT / name).exists()}
    compile_locks(ROOT, *sys.argv[1:])
    for name in (LOCK, DEV_LOCK):
        old, new = pins(before.get(name, "")), pins((ROOT / name).read_text(encoding="utf-8"))
        print(f"{name}: {len(new)} pins")
        for pin in sorted(old ^ new):
            print(f"  {'+' if pin in new else '-'} {pin}")


if __name__ == "__main__":
    main()
