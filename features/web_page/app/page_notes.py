"""Notes of a scene for a page: text as HTML with MathML, position and time."""

from __future__ import annotations

import html
import math
import re
from typing import Any

from framescope.app.exporters.scene_graph.scene_graph import AnimatedNodes
from framescope.core.evaluation.compile.view_data import ViewNote
from framescope.core.evaluation.evaluate import Plan
from framescope.ui.scene_view.geometry.note_pictures import BOLD
from framescope.ui.theme.formulas import MARKS, Formula, FormulaError, extract_formulas, mathml_text_of

Json = dict[str, Any]


def notes_of(plan: Plan, animated: AnimatedNodes) -> list[Json]:
    """Return the notes of a page. Notes of the world have node -1."""
    return [_note(note, animated) for note in plan.view_data.notes]


def _note(note: ViewNote, animated: AnimatedNodes) -> Json:
    return {
        "html": html_of(note.text),
        "size": note.size,
        "node": None if note.i_frame is None else animated.node_of[note.i_frame],
        "r": note.r,
        "at": note.at,
        "start": None if math.isinf(note.start) else note.start,
        "end": None if math.isinf(note.end) else note.end,
    }


def html_of(text: str) -> str:
    r"""Return the text of a note as HTML. Only bold and formulas are markup; all other text is escaped.

    >>> html_of("**a** < b")
    '<b>a</b> &lt; b'
    >>> html_of(r"$\omega$").startswith("<math")
    True
    """
    bare, formulas = extract_formulas(text)
    marked = re.sub(BOLD, r"<b>\1</b>", html.escape(bare, quote=False))
    return MARKS.sub(lambda match: _formula(formulas[int(match[1])]), marked)


def _formula(formula: Formula) -> str:
    try:
        return mathml_text_of(formula)
    except FormulaError:
        return html.escape(formula.source, quote=False)
