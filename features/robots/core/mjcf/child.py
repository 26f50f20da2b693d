"""Child process that compiles MJCF, so that a crash of the compiler does not affect the program."""

from __future__ import annotations

import json
import pickle
import sys

from framescope.core.errors import FramescopeError
from framescope.features.robots.core.mjcf.compiled import CompileError, describe_model


def main() -> None:
    """Read a model and its files from standard input, and write the compiled model as JSON to standard output."""
    text, assets = pickle.load(sys.stdin.buffer)  # noqa: S301 - sent by the parent process
    try:
        result = describe_model(text, assets)
    except CompileError as error:
        result = {"refused": str(error)}
    except FramescopeError as error:
        result = {"missing": str(error)}
    written = json.dumps(result)
    if len(written) > MOST_WRITTEN:
        message = f"the compiled model has {len(written):,} bytes, more than {MOST_WRITTEN:,}."
        written = json.dumps({"refused": message})
    sys.stdout.write(written)


MOST_WRITTEN = 64_000_000
"""Limit of bytes sent to the parent process."""


if __name__ == "__main__":
    main()
