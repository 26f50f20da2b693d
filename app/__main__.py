"""Entry point of the ``framescope`` command and of ``python -m framescope.app``."""

import sys


def main() -> None:
    """Run the command line; ``--version`` alone is answered without importing any dependency."""
    if sys.argv[1:] == ["--version"]:
        from importlib.metadata import version

        print(f"framescope {version('framescope')}")
        return

    from framescope.app.cli import app, with_command

    app(with_command(sys.argv[1:]), prog_name="framescope")


if __name__ == "__main__":
    main()
