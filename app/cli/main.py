"""Command line. Commands import their modules when they run, so that help and checks start fast and headless."""

from __future__ import annotations

import re
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup
from typer.models import CommandInfo

from framescope.app.cli.common import EXIT_PROBLEM, AllowOutside, SceneName, printed_errors
from framescope.app.cli.convention_commands import convert, read
from framescope.app.cli.export_commands import export, picture
from framescope.app.cli.extras_commands import extras
from framescope.app.cli.scene_commands import check, evaluate_signals
from framescope.core.system.features import installed_features, missing_provider

_NEGATIVE = re.compile(r"-(?:(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?|inf|nan)(?=[\s,;]|$)|-\s")


def with_numbers(arguments: list[str]) -> list[str]:
    """Put a blank before arguments that begin with a negative number or a dash, which would be parsed as options.

    >>> with_numbers(["detect", "-2.1 0 3", "-.5,1", "-h", "-2.csv", "--time", "-1"])
    ['detect', ' -2.1 0 3', ' -.5,1', '-h', '-2.csv', '--time', ' -1']
    >>> with_numbers(["read", "-", "- Translation: [0, 0, 1]"])
    ['read', '-', ' - Translation: [0, 0, 1]']
    """
    return [f" {argument}" if _NEGATIVE.match(argument) else argument for argument in arguments]


class _Commands(TyperGroup):
    """Group of commands that accepts negative numbers as arguments."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        return super().parse_args(ctx, with_numbers(args))

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        if feature := missing_provider(args[0]):
            typer.echo(f"The command {args[0]} belongs to {feature}.", err=True)
            raise typer.Exit(EXIT_PROBLEM)
        return super().resolve_command(ctx, args)


app = typer.Typer(
    cls=_Commands,
    add_completion=False,
    pretty_exceptions_show_locals=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def with_command(arguments: list[str]) -> list[str]:
    """Insert the command ``open`` before a first word that is no command: ``framescope my.yaml``.

    A word that is no file and has others after it is a command that does not exist, which is reported as one.

    >>> with_command(["my.yaml"]), with_command(["check", "my.yaml"]), with_command(["--help"])
    (['open', 'my.yaml'], ['check', 'my.yaml'], ['--help'])
    >>> with_command(["inspect", "drive.mcap"])
    ['inspect', 'drive.mcap']
    """
    commands = {_name_of(command) for command in app.registered_commands}
    commands |= {str(group.name) for group in app.registered_groups}
    if not arguments or arguments[0].startswith("-") or arguments[0] in commands or missing_provider(arguments[0]):
        return arguments
    has_more = any(not argument.startswith("-") for argument in arguments[1:])
    return arguments if has_more and not Path(arguments[0]).exists() else ["open", *arguments]


def add_commands(app: typer.Typer, add: Callable[[typer.Typer], None], after: str) -> None:
    """Add the command or the group of a feature, and list it after the command `after`, or last if that is empty.

    Groups are sorted by name.
    """
    n = len(app.registered_commands)
    add(app)
    app.registered_groups.sort(key=lambda group: str(group.name))
    names = [_name_of(command) for command in app.registered_commands[:n]]
    if after in names:
        commands = app.registered_commands[n:]
        del app.registered_commands[n:]
        place = names.index(after) + 1
        app.registered_commands[place:place] = commands


def _name_of(command: CommandInfo) -> str:
    return command.name or (command.callback.__name__ if command.callback else "")


def print_version(is_requested: bool) -> None:
    """Print the version and exit, when requested."""
    if is_requested:
        typer.echo(f"framescope {version('framescope')}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def framescope(
    ctx: typer.Context,
    _version: Annotated[
        bool, typer.Option("--version", callback=print_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    """See, check and export rotations and reference frames.

    Without a command the window opens on SCENE, or on the demo.
    """
    if ctx.invoked_subcommand is None:
        open_scene("demo")


@app.command("open")
def open_scene(scene: SceneName = "demo", *, allow_outside: AllowOutside = False) -> None:
    """Open the window on a scene (the word open may be left out)."""
    from framescope.app import startup

    with printed_errors():
        raise typer.Exit(startup.open_window(scene, allow_outside=allow_outside))


@app.command()
def schema() -> None:
    """Print the JSON Schema of scene files, for editors."""
    from framescope.core.scene.files.json_schema import schema_text

    typer.echo(schema_text(), nl=False)


app.command()(check)
app.command("evaluate")(evaluate_signals)
app.command()(export)
app.command()(picture)
app.command()(convert)
app.command()(read)
app.add_typer(extras, name="extras")

for feature in installed_features():
    for entry, after in feature.commands:
        add_commands(app, feature.load(entry), after)
