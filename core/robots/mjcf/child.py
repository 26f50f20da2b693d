"""The compiler of MJCF in a process of its own: a model that ends it ends nothing else."""

from __future__ import annotations

import json
import pickle
import sys

from framescope.core.errors import FramescopeError
from framescope.core.robots.mjcf.compiled import CompileError, described


def main() -> None:
    """Read a model and its files from standard input, and write what the compiler makes of it."""
    text, assets = pickle.load(sys.stdin.buffer)  # noqa: S301 - of the process that has started this one
    try:
        found = described(text, assets)
    except CompileError as error:
        found = {"refused": str(error)}
    except FramescopeError as error:
        found = {"missing": str(error)}
    sys.stdout.write(json.dumps(found))


if __name__ == "__main__":
    main()
