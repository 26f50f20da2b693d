"""Commands that a reader finds in README, in the manual and in the help of commands, and what is shown beside them."""

from __future__ import annotations

import re
import shlex
import textwrap
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import click
import typer

from framescope import assets
from framescope.app.cli.main import app
from tests.tools.lock_files import ROOT

PAGES: dict[str, Path] = {
    "README": ROOT / "README.md",
    **{path.stem: path for path in sorted(assets.path("manual").glob("*.md"))},
}
"""Files of the pages, by name."""

HELP = "help"
"""Name of the page that is made of the examples in all help texts."""

RUN = "python3 run.py"
PROGRAMS = ("framescope", "python3", ".venv/bin/python", "dask", "openssl", "xacro", "echo")
"""First words of command lines. In README, a command of `framescope` may stand without it, too."""

PLACEHOLDERS = {"FILE": "my.yaml", "SCENE": "my.yaml", "OUT": "out.csv"}
"""Words that stand for any file, each with one."""

_FENCE = re.compile(r"^(`{3,})(\w*)\n(.*?)^\1$", re.MULTILINE | re.DOTALL)
_INDENTED = re.compile(r"(?<=\n\n)(?: {4}.*\n)+")


@dataclass(frozen=True)
class Command:
    """Command line on a page.

    Attributes
    ----------
    page
        Name of the page that shows it first.
    text
        The line as a reader would copy it.
    output
        Lines shown below it, in the same block.
    """

    page: str
    text: str
    output: str = ""

    @property
    def words(self) -> list[str]:
        """The line in words; `|` and `>` are words of their own."""
        lexer = shlex.shlex(self.text, posix=True, punctuation_chars="|>")
        lexer.whitespace_split = True
        return list(lexer)

    @property
    def arguments(self) -> list[str] | None:
        """Arguments of `framescope`; None if the line runs another program, or something after it."""
        words = self.words
        if "|" in words:
            words = words[words.index("|") + 1 :]
        if words[:3] == [*RUN.split(), "--"]:
            words = ["framescope", *words[3:]]
        is_alone = words[0] == "framescope" and ">" not in words
        return [PLACEHOLDERS.get(word, word) for word in words[1:]] if is_alone else None

    @property
    def needs_cluster(self) -> bool:
        """Whether it needs a cluster of Dask, or is a part of one."""
        return self.words[0] == "dask" or "--cluster" in self.words

    @property
    def standard_input(self) -> str:
        """Text that an `echo` before the command sends to it."""
        words = self.words
        return f"{words[1]}\n" if words[0] == "echo" and words[2:3] == ["|"] else ""


def tree() -> dict[tuple[str, ...], click.Command]:
    """Return all commands of `framescope`, each with its words; the program itself has none."""
    return dict(_below((), typer.main.get_command(app)))


def _below(words: tuple[str, ...], command: click.Command) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    yield words, command
    for name, part in getattr(command, "commands", {}).items():
        yield from _below((*words, name), part)


def blocks(text: str) -> list[tuple[str, str]]:
    """Return the blocks of code in a page, each with its language."""
    return [(language, block) for _, language, block in _FENCE.findall(text)]


def spans(text: str) -> list[str]:
    """Return the pieces of code within the lines of a page."""
    prose = _FENCE.sub("", text)
    return [" ".join(span.split()) for span in re.findall(r"`([^`]+)`", _INDENTED.sub("", prose))]


def shown_commands() -> list[Command]:
    """Return all commands of all pages; of commands that differ in the name of their output, one."""
    commands: dict[str, Command] = {}
    of_help = (example for command in tree().values() for example in examples_of(command))
    for command in (*_of_pages(), *of_help):
        key = re.sub(r"(export \S+) \w+(\.\w+)", r"\1 OUT\2", " ".join(command.arguments or [command.text]))
        if command.output or key not in commands:
            commands[key] = command
    return list(commands.values())


def _of_pages() -> Iterator[Command]:
    known = tree()
    for page, path in PAGES.items():
        text = path.read_text(encoding="utf-8")
        indented = map(textwrap.dedent, _INDENTED.findall(_FENCE.sub("", text)))
        for block in (*(block for language, block in blocks(text) if language in ("", "sh")), *indented):
            yield from _of_block(page, block)
        for span in spans(text):
            if page == "README" and (span.split()[0],) in known and " " in span:
                yield Command(page, f"framescope {span}")
            elif span.split()[0] in PROGRAMS and not is_name(span):
                yield Command(page, span)


def _of_block(page: str, block: str) -> Iterator[Command]:
    command = ""
    output: list[str] = []
    for line in block.splitlines():
        text = line.removeprefix("$ ").partition("  #")[0].strip()
        if text.split(" ")[0] in PROGRAMS:
            if command:
                yield Command(page, command, "\n".join(output).strip())
            command, output = text, []
        else:
            output.append(line)
    if command:
        yield Command(page, command, "\n".join(output).strip())


def examples_of(command: click.Command) -> list[Command]:
    """Return the examples in the help of a command; one that goes on after a backslash is one line."""
    _, _, examples = (command.help or "").rpartition("Example")
    lines = map(str.strip, re.sub(r" \\\n +", " ", examples).splitlines())
    return [Command(HELP, line) for line in lines if line.split(" ")[0] in PROGRAMS]


def is_name(span: str) -> bool:
    """Return whether a piece of code only names a command that takes arguments, such as `framescope check --deep`."""
    words = tuple(word for word in shlex.split(span)[1:] if not word.startswith("--"))
    command = tree().get(words) if span.startswith("framescope") else None
    return command is not None and "--help" not in span and (not words or any(_required(command)))


def _required(command: click.Command) -> Iterable[bool]:
    return (parameter.required for parameter in command.params)


def shown_options() -> dict[str, list[list[str]]]:
    """Return the options that each page shows by themselves, with their values."""
    texts = {page: spans(path.read_text(encoding="utf-8")) for page, path in PAGES.items()}
    return {page: [shlex.split(span) for span in found if re.match(r"--[a-z]", span)] for page, found in texts.items()}
