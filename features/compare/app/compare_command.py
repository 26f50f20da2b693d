"""Command ``compare``: why two texts of one pose differ."""

from __future__ import annotations

from typing import Annotated

import typer

from framescope.app.cli.common import printable, printed_errors


def add_command(app: typer.Typer) -> None:
    """Add the command ``compare``."""
    app.command("compare")(compare_poses)


def compare_poses(
    texts: Annotated[list[str], typer.Argument(metavar="TEXT", help="Any texts, files, or - for one of them.")],
    *,
    names: Annotated[str, typer.Option(help="Names of the sides, with commas between.")] = "",
    offset: Annotated[
        str, typer.Option(help="Known orientation of the second side's frame in that of the first.")
    ] = "",
    code: Annotated[str, typer.Option(help="Also print the conversion: python, scipy, matlab, julia, ...")] = "",
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    as_markdown: Annotated[bool, typer.Option("--markdown", help="Print Markdown, for an issue.")] = False,
) -> None:
    """Tell why two texts that should be the same pose differ, and how sure that is.

    Each text is read as framescope read does. Then all readings of both, both senses, changed axes and units are tried.
    Of more than two texts, each is compared with the first.

    \b
    Exit status, of the least certain comparison:
      0  settled: one relation, and nothing else within reach
      2  a text has no reading
      3  cannot tell: several relations fit; the answer names a pair that
         would part them
      4  neither: nothing brings them together
      5  likely: the simplest of several

    \b
    Examples:
      framescope compare "rpy 10 20 30 deg" "[0.9515, 0.0381, 0.1893, 0.2393]"
      framescope compare "KUKA A 30 B 20 C 10" "p[0, 0, 0, 0.08, 0.39, 0.49]"
      ros2 topic echo --once /pose | framescope compare - camera.yaml
    """  # noqa: D301 (without the backslash the lines would be joined)
    with printed_errors():
        from framescope.features.compare.app.comparison_text import run_compare

        text, status = run_compare(
            texts,
            names=tuple(name.strip() for name in names.split(",") if name.strip()),
            offset=offset,
            code={"python": "numpy"}.get(code, code),
            as_text="json" if as_json else "markdown" if as_markdown else "lines",
        )
        typer.echo(printable(text))
        raise typer.Exit(status)
