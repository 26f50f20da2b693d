"""The compiler of MJCF in a process of its own: a model that ends it ends nothing else."""

from __future__ import annotations

import json
import pickle
import sys

from framescope.core.errors import FramescopeError
from framescope.features.robots.core.mjcf.compiled import CompileError, described


def main() -> None:
    """Read a model and its files from standard input, and write what the compiler makes of it."""
    text, assets = pickle.load(sys.stdin.buffer)  # noqa: S301 - of the process that has started this one
    try:
        found = described(text, assets)
    except CompileError as error:
        found = {"refused": str(error)}
    except FramescopeError as error:
        found = {"missing": str(error)}
    written = json.dumps(found)
    if len(written) > MOST_WRITTEN:
        what = f"what it compiles to has {len(written):,} bytes, more than {MOST_WRITTEN:,}."
        written = json.dumps({"refused": what})
    sys.stdout.write(written)


MOST_WRITTEN = 64_000_000
"""Bytes that whoever has started this process is given at most."""


if __name__ == "__main__":
    main()
