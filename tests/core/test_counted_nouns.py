"""Counts before plural nouns: a message about one row does not speak of "1 rows"."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

NOUNS = (
    "arguments|bodies|bytes|cells|characters|columns|comments|components|corners|edges|entries|errors|events|fields|"
    "files|findings|fixes|frames|gaps|indices|instances|intervals|items|joints|keys|letters|lines|links|messages|"
    "meshes|models|notes|numbers|others|pairs|parents|pictures|places|plots|poses|problems|processes|publishers|"
    "questions|recordings|robots|rows|samples|scenes|sensors|steps|stretches|tables|things|topics|transforms|"
    "triangles|values|variables|vectors|vertices|ways|words"
)
"""Plural nouns that follow counts in messages."""

COUNTED = rf" (?:(?:more|other|cut|such|whole|recorded|measured) )?(?:{NOUNS})\b"
AFTER_COUNT = re.compile(rf"{COUNTED}(?! of the)")
IN_SOURCE = re.compile(rf"\}}(?:[\"']\s*f?[\"'])?{COUNTED}")
"""A count and its noun in a source, both in one string or in two that follow each other: others need no parsing."""

LIMIT = re.compile(r"(?:len\()?(?:\w+\.)*[A-Z][A-Z_]+(?:\[.*\])?\)?")
"""A constant: limits are more than one."""

OVER_LIMIT = re.compile(r"(?:more than|over|at most) \{(?:\w+\.)*[A-Z][A-Z_]+")
"""Words of a message about a count that is over a limit."""

ALWAYS_MORE_THAN_ONE = {
    ("core/analysis/diagnostics/loop_closure.py", "len(missed)"): "several misses together",
    ("core/analysis/tf_autopsy/sample_faults.py", "have"): "has or have, and no count",
    ("core/conventions/notation.py", "form.n_numbers"): "3, 4 or 9",
    ("core/evaluation/compile/recorded.py", "len(t)"): "too many",
    ("core/mesh_files/surface.py", "sizes.max()"): "more than can be cut up",
    ("core/recordings/bags/compression.py", "size"): "beyond what is read at once",
    ("core/recordings/columns/choices.py", "len(self.orientation)"): "3, 4 or 9",
    ("core/recordings/columns/guess_columns.py", "_grouped(n)"): "more than are fitted",
    ("app/exporters/encoding/frame_processes.py", "self._n_lost"): "more than MAX_LOSSES",
}
"""Counts by file and expression that are never one, and why."""


def counts_before_plurals(source: str) -> Iterator[tuple[int, str]]:
    """Yield the line and the expression of each count in an f-string that a plural noun follows, whatever the count.

    A count that its function compares with one is left out: that function has words for one.
    """
    if not IN_SOURCE.search(source):
        return
    tree = ast.parse(source)
    functions = [node for node in ast.walk(tree) if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))]
    for string in (node for node in ast.walk(tree) if isinstance(node, ast.JoinedStr)):
        for part, words in zip(string.values, string.values[1:], strict=False):
            if not isinstance(part, ast.FormattedValue) or not isinstance(words, ast.Constant):
                continue
            count, spec = ast.unparse(part.value), ast.unparse(part.format_spec) if part.format_spec else ""
            if (
                not AFTER_COUNT.match(str(words.value))
                or LIMIT.fullmatch(count)
                or spec.rstrip("'").endswith(("g", "f"))
            ):
                continue
            around = [f for f in functions if f.lineno <= string.lineno <= (f.end_lineno or 0)]
            text = ast.unparse(min(around, key=lambda f: (f.end_lineno or 0) - f.lineno)) if around else ""
            compared = re.search(rf"(?:{re.escape(count)}) (?:(?:==|!=|>|<=) 1|(?:<|>=) 2)\b", text)
            if not compared and not OVER_LIMIT.search(ast.unparse(string)):
                yield part.lineno, count


@pytest.mark.parametrize("room", ["core", "ui", "app"])
def test_that_a_count_of_one_is_followed_by_a_noun_of_one(room: str) -> None:
    faults = [
        f"{name}:{line} {count}: framescope.core.errors.counted has both nouns"
        for path in sorted((ROOT / room).rglob("*.py"))
        for name in [path.relative_to(ROOT).as_posix()]
        for line, count in counts_before_plurals(path.read_text(encoding="utf-8"))
        if (name, count) not in ALWAYS_MORE_THAN_ONE
    ]
    assert not faults, "\n".join(faults)


def test_that_counts_before_plurals_are_found_and_others_are_not() -> None:
    planted = 'def say(n, rows):\n    return f"{n} rows", f"{len(rows)} more problems", f"of {n:,} whole pairs here"\n'
    assert [count for _, count in counts_before_plurals('def say(n):\n    return (f"{n}"\n    " rows")\n')] == ["n"]
    assert [count for _, count in counts_before_plurals(planted)] == ["n", "len(rows)", "n"]
    healthy = (
        'def say(n):\n    return "1 row" if n == 1 else f"{n} rows"\n'
        'def limit():\n    return f"at most {MAX_ROWS} rows", f"{limits.MAX_ROWS} cells", f"{name} holds rows"\n'
        'def tell(n):\n    return f"{n} rows, at most {MAX_ROWS} are read", f"{rate:.4g} samples a second"\n'
        "def help(n):\n    return f\"{counted(n, 'row')} are left\"\n"
    )
    assert list(counts_before_plurals(healthy)) == []
