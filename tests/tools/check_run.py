"""`run.py check`: whatever can be said of the code without running it. Every step runs, whether or not one fails."""

import os
import shutil
import subprocess
import sys
import sysconfig
import time
from collections.abc import Callable
from pathlib import Path

from framescope.app import platforms
from tests.support import foreign
from tests.tools import docstring_check, layout_check, lock_files

ROOT = Path(__file__).resolve().parents[2]
TYPINGS = ROOT / ".typings"


def link_typings() -> None:
    """Show type checkers the layout of the installed packages: they do not follow a mapping of folders to names."""
    (TYPINGS / "framescope").mkdir(parents=True, exist_ok=True)
    for layer in ("app", "assets", "core", "features", "ui"):
        platforms.link_directory(TYPINGS / "framescope" / layer, ROOT / layer, platforms.this_host())
    for name in ("__init__.py", "py.typed"):
        shutil.copy(ROOT / "framescope" / name, TYPINGS / "framescope")
    shutil.copy(ROOT / "pyproject.toml", TYPINGS)


def types() -> str:
    """Run the type checker on the linked layout."""
    complaint = tool("basedpyright", "--project", str(TYPINGS), "--pythonpath", sys.executable)()
    return complaint.replace(f"{TYPINGS / 'framescope'}{os.sep}", "")


def tool(name: str, *arguments: str, folder: Path = ROOT) -> Callable[[], str]:
    """Return a step that runs a tool of this environment in a folder and returns the output of a tool that fails."""

    def run() -> str:
        program = Path(sysconfig.get_path("scripts")) / name
        done = subprocess.run([program, *arguments], cwd=folder, capture_output=True, text=True, check=False)
        said = f"{done.stdout}{done.stderr}"
        # basedpyright takes an include that matches nothing for success.
        is_good = done.returncode == 0 and "No source files found" not in said
        return "" if is_good else said or f"exit status {done.returncode}"

    return run


def node_tool(package: str, script: str, *arguments: str) -> Callable[[], str]:
    """Return a step that runs a tool of Node.js on the scripts of pages; it returns the tool's complaints."""

    def run() -> str:
        command = foreign.node_program(package, script)
        if command is None:
            return (
                f"{package} is not installed in build/web, so the scripts of pages were not checked. `run.py check` "
                "installs it with the environment's Node.js where it can reach the npm registry."
            )
        done = subprocess.run([*command, *arguments], cwd=ROOT, capture_output=True, text=True, check=False)
        return "" if done.returncode == 0 else f"{done.stdout}{done.stderr}" or f"exit status {done.returncode}"

    return run


def locks_in_step() -> str:
    """Compare the lock files with pyproject.toml and with each other."""
    texts = {name: (ROOT / name).read_text(encoding="utf-8") for name in (lock_files.LOCK, lock_files.DEV_LOCK)}
    lines = [f"{name} is not what pyproject.toml asks for: run `run.py lock`" for name in lock_files.outdated_locks()]
    lines += [f"{name}: {line}" for name, text in texts.items() for line in lock_files.foreign_lines(text)]
    only_in_first = lock_files.pins(texts[lock_files.LOCK]) - lock_files.pins(texts[lock_files.DEV_LOCK])
    lines += [f"{lock_files.DEV_LOCK} lacks {pin}" for pin in sorted(only_in_first)]
    return "\n".join(lines)


def wheels_everywhere() -> str:
    """Prove that both lock files install from wheels alone, wherever we claim it."""
    return "\n".join(lock_files.missing_wheels(lock_files.LOCK) + lock_files.missing_wheels(lock_files.DEV_LOCK))


STEPS: dict[str, Callable[[], str]] = {
    "ruff check": tool("ruff", "check"),
    "ruff format": tool("ruff", "format", "--check"),
    "types": types,
    "import rules": tool("lint-imports", "--no-cache", folder=TYPINGS),
    "layout": layout_check.complaints,
    "docstrings": docstring_check.complaints,
    "script types": node_tool("typescript", "bin/tsc", "--project", "tests/web/tsconfig.json", "--pretty", "false"),
    "script rules": node_tool(
        "eslint", "bin/eslint.js", "--config", "tests/web/eslint.config.mjs", "--max-warnings", "0", "features"
    ),
    "locks in step": locks_in_step,
    "wheels everywhere": wheels_everywhere,
}


def main() -> int:
    """Run the steps named on the command line, or all, and return the exit status."""
    unknown = set(sys.argv[1:]) - STEPS.keys()
    if unknown:
        print(f"There is no step {', '.join(sorted(unknown))}; the steps are: {', '.join(STEPS)}", file=sys.stderr)
        return 2
    link_typings()
    failed = []
    for name in sys.argv[1:] or STEPS:
        started = time.monotonic()
        try:
            complaint = STEPS[name]()
        except (OSError, RuntimeError) as error:  # a tool that is not there, a registry that cannot be reached
            complaint = str(error)
        print(f"{'FAILED' if complaint else 'ok':>6}  {name:<18} {time.monotonic() - started:6.1f} s", flush=True)
        if complaint:
            print(complaint.rstrip() + "\n", flush=True)
            failed.append(name)
    print(f"\n{len(failed)} of the steps failed: {', '.join(failed)}" if failed else "\nAll is well.")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
