"""Numbers that begin with a minus are arguments of every command, and no options."""

from __future__ import annotations

import pytest
import typer.main
from typer.testing import CliRunner

from framescope.app.cli.main import app, with_numbers

NEGATIVE = ["-2.1 0.3 0.4", "-2", "-.5,1,2", "-1e-3;2", "-0.1\n-0.2", "-inf 0 0", "-nan"]


def every_command() -> dict[str, list[str]]:
    """Return the words that call each command, by its name."""
    groups = {"": app, **{group.name: group.typer_instance for group in app.registered_groups}}
    words = {}
    for prefix, group in groups.items():
        for name in sorted(typer.main.get_group(group).commands.keys() - groups.keys()):
            words[f"{prefix} {name}".strip()] = [*prefix.split(), name]
    return words


COMMANDS = every_command()


def test_that_all_commands_are_known() -> None:
    assert {"detect", "convert", "evaluate", "check", "lesson check", "robot expand"} <= set(COMMANDS)


@pytest.mark.parametrize("number", NEGATIVE)
def test_that_no_command_takes_a_negative_number_for_an_option(number: str) -> None:
    for name, words in COMMANDS.items():
        if name in ("open", "schema"):  # opens a window; takes nothing
            continue
        result = CliRunner().invoke(app, [*words, number, number, "--no-such-option"])
        assert result.exit_code == 2, name
        assert "No such option: --no-such-option" in " ".join(result.output.split()), (name, result.output)


@pytest.mark.long
def test_that_detect_takes_numbers_as_they_are() -> None:
    a, b = "-2.1 0.3 0.4\n0.1 -0.2 0.3\n-0.7 0.6 -0.5", "-2.1 0.3 0.4\n0.1 -0.2 0.3\n-0.7 0.6 -0.5"
    result = CliRunner().invoke(app, ["detect", a, b])
    assert "No such option" not in result.output
    assert "3 samples of 3 numbers" in result.output


@pytest.mark.parametrize("argument", ["-2x", "-h", "--deep", "-s", "-", "-2.csv", "--", "-e5", "-a1 2"])
def test_that_options_stay_options(argument: str) -> None:
    assert with_numbers([argument]) == [argument]
