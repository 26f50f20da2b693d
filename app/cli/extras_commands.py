"""Command ``extras``: lists and adds packages that only some uses need."""

from __future__ import annotations

import re
import subprocess
import tempfile
from pathlib import Path
from typing import Annotated

import typer

from framescope.app import platforms
from framescope.app.cli.common import EXIT_PROBLEM, printed_errors
from framescope.core.errors import FramescopeError, did_you_mean
from framescope.core.system.optional_packages import EXTRAS, Extra, add_command, checkout, requirement

DEV_LOCK = "requirements-dev.lock"
"""Lock file of a checkout that pins the packages of all extras."""

extras = typer.Typer(help="Packages that only some uses need: list them, add one.", invoke_without_command=True)


@extras.callback()
def list_extras(context: typer.Context) -> None:
    """List the packages that only some uses need, and whether each is installed."""
    if context.invoked_subcommand is not None:
        return
    width = max(map(len, EXTRAS))
    for name, extra in EXTRAS.items():
        state = "installed" if extra.is_installed else "not installed"
        typer.echo(f"{name:{width}}  {extra.what} needs {extra.package} ({state})")
    typer.echo(f"Add one with: {add_command('NAME')}")


@extras.command("add")
def add_extras(names: Annotated[list[str], typer.Argument(metavar="NAME...", help="Names of extras.")]) -> None:
    """Install the packages of extras into the environment that this program runs in."""
    with printed_errors():
        named = [extra_of(name) for name in names]
        missing = [extra for extra in named if not extra.is_installed]
        for extra in named:
            if extra not in missing:
                typer.echo(f"{extra.package} is installed already.")
        if missing:
            raise typer.Exit(install(missing))


def extra_of(name: str) -> Extra:
    """Return an extra by its name or its package's name; raise `FramescopeError` for an unknown one."""
    by_package = {extra.package: extra for extra in EXTRAS.values()}
    extra = EXTRAS.get(name) or by_package.get(name)
    if extra is None:
        raise FramescopeError(f'There is no extra "{name}". {did_you_mean(name, [*EXTRAS, *by_package])}')
    return extra


def install(missing: list[Extra]) -> int:
    """Install packages with pip, in the versions that a checkout pins; return the exit status."""
    requirements = [requirement(extra.package) for extra in missing]
    with tempfile.TemporaryDirectory() as folder:
        constraints = Path(folder) / "constraints.txt"
        constraints.write_text("\n".join(pinned_versions()), encoding="utf-8")
        command = platforms.python_command("-m", "pip", "install", "--constraint", str(constraints), *requirements)
        status = subprocess.run(command, check=False).returncode
    if status:
        typer.echo(f"pip could not install {', '.join(requirements)}; its message stands above.", err=True)
    return EXIT_PROBLEM if status else 0


def pinned_versions() -> list[str]:
    """Return the version pins in the lock file of a checkout; none in an installed program."""
    folder = checkout()
    if folder is None or not (folder / DEV_LOCK).is_file():
        return []
    text = (folder / DEV_LOCK).read_text(encoding="utf-8")
    return [line.removesuffix("\\").strip() for line in text.splitlines() if re.match(r"[\w.-]+==", line)]
