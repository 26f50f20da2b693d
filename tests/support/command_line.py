"""The command line, called within the process of the tests."""

from __future__ import annotations

import functools

from typer import testing
from typer.testing import CliRunner

__all__ = ["CliRunner"]

# Typer makes all commands anew at each call, which takes longer than most of them do.
testing._get_command = functools.cache(testing._get_command)  # noqa: SLF001
