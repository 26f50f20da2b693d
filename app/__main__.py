"""Entry point of the ``framescope`` command and of ``python -m framescope.app``."""

import os
import sys


def main() -> None:
    """Run the command line; ``--version`` alone is answered without importing any dependency."""
    if sys.argv[1:] == ["--version"]:
        from importlib.metadata import version

        print(f"framescope {version('framescope')}")
        return

    from framescope.app import process_settings

    os.environ.update(process_settings.one_blas_thread())
    try:
        from framescope.app.cli.main import app, with_command
        from framescope.app.storage.temporary_folders import noted
        from framescope.core.system.atomic_write import note_partials_by

        note_partials_by(noted)
        app(with_command(sys.argv[1:]), prog_name="framescope")
    except KeyboardInterrupt:  # while it starts
        sys.exit(130)


if __name__ == "__main__":
    main()
