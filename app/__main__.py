"""Entry point of the ``framescope`` command and of ``python -m framescope.app``."""

import os
import sys


def _leave_current_folder() -> None:
    """Remove relative parts of PYTHONPATH, including empty ones, from the import path, here and for child processes.

    They name the current folder or one inside it, where a stranger's files may lie beside a scene. This runs before any
    import; `os` and `sys` are already loaded.
    """
    given = os.environ.get("PYTHONPATH", "")
    parts = given.split(os.pathsep) if given else []
    is_absolute, whole = os.path.isabs, os.path.abspath
    absolute = [part for part in parts if is_absolute(part)]
    if len(absolute) < len(parts):
        relative = {whole(part) for part in parts if not is_absolute(part)} - {whole(part) for part in absolute}
        sys.path[:] = [place for place in sys.path if whole(place) not in relative]
        os.environ["PYTHONPATH"] = os.pathsep.join(absolute)


def main() -> None:
    """Run the command line; ``--version`` alone is answered without importing any dependency."""
    _leave_current_folder()
    if sys.argv[1:] == ["--version"]:
        from importlib.metadata import version

        print(f"framescope {version('framescope')}")
        return

    from framescope.app import process_settings

    os.environ.update(process_settings.one_blas_thread())
    try:
        from framescope.app.cli.main import app, with_command
        from framescope.app.storage.temporary_folders import note_partial
        from framescope.core.system.atomic_write import note_partials_by

        note_partials_by(note_partial)
        app(with_command(sys.argv[1:]), prog_name="framescope")
    except KeyboardInterrupt:  # during the start
        sys.exit(130)
    except ModuleNotFoundError as error:
        if error.name != "typer":
            raise
        sys.exit(
            "This installation has the maths and the scenes of Framescope alone. "
            "The program needs the extra window: install framescope[window]."
        )


if __name__ == "__main__":
    main()
