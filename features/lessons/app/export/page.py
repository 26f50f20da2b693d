"""Page of a lesson: one file with all scenes, which asks and judges in any browser without network access."""

from __future__ import annotations

import base64
import html
import json
import re
import zlib
from collections.abc import Iterable
from dataclasses import dataclass, replace
from importlib.metadata import version
from typing import Any
from urllib.parse import urlencode

from framescope.app.exporters.registry import request_for
from framescope.app.exporters.request import ExportRequest
from framescope.app.exporters.scene_graph.scene_graph import animated_nodes
from framescope.core.evaluation.evaluate import Plan
from framescope.core.scene.files.saving import scene_text
from framescope.core.scene.schema.model import WORLD
from framescope.core.system.atomic_write import atomically
from framescope.features.lessons.app.export import web
from framescope.features.lessons.app.export.drawn_steps import DrawnStep
from framescope.features.lessons.app.export.lesson_request import LessonRequest
from framescope.features.lessons.app.export.plain_text import plain_text
from framescope.features.lessons.app.export.words_html import html_of
from framescope.features.lessons.core.answer_keys import key_of
from framescope.features.lessons.core.schema import PointQuestion
from framescope.features.lessons.core.staging import ANSWER, POINTER, Staging
from framescope.features.web_page.app import html as scene_page
from framescope.features.web_page.app import web as scene_web
from framescope.features.web_page.core.scene_code import scene_code
from framescope.ui.formatting.item_names import unit_text
from framescope.ui.formatting.ticks import ticks

Json = dict[str, Any]

N_VALUES, N_TIMES = 5, 6
"""Approximate numbers of ticks of a curve that the reader draws."""

ACCURACY_DEG = 0.2
"""Sampling accuracy of the scenes, deg; coarse, as nobody measures in a lesson."""


@dataclass
class _Blobs:
    """Long texts that the pages of the scenes share, each stored once."""

    texts: dict[str, int]

    def mark(self, text: str) -> str:
        """Store a text and return the placeholder for it in a page."""
        return f"{{{{@{self.texts.setdefault(text, len(self.texts))}}}}}"


def write(request: LessonRequest) -> None:
    """Write the page of a lesson atomically."""
    text = page_of(request)
    request.stop_if_cancelled()
    try:
        with atomically(request.path) as partial:
            partial.write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        raise request.failure(error) from None


def page_of(request: LessonRequest) -> str:
    """Return the HTML of the page; report progress step by step."""
    lesson, blobs, pages, hashes = request.lesson, _Blobs({}), dict[str, str](), _Hashes()
    steps: list[Json] = []
    for step in request.steps:
        request.stop_if_cancelled()
        text = scene_text(step.staging.scene)
        if text not in pages:
            pages[text] = _scene_page(_scene_request(request, step), step.staging, blobs, hashes)
        steps.append(step_data(step.staging, step.plan, list(pages).index(text)))
        request.progress(step.number, len(request.steps))
    if lesson.text:
        steps[0]["html"] = f"{html_of(lesson.text)}{steps[0]['html']}"
    packed = _compress({"pages": list(pages.values()), "blobs": list(blobs.texts)})
    data = {"steps": steps, "packed": packed, "followsScheme": True, "hosts": list(request.options.hosts or ())}
    style = "".join(scene_page.variables(theme) for theme in scene_page.both_themes(request)) + web.source("lesson.css")
    script = web.script()
    hashes.add(style, script)
    parts = {
        "policy": scene_page.content_policy(f"{hashes.sources}; img-src data:"),
        "theme": request.theme.name,
        "generator": html.escape(f"Framescope {version('framescope')}"),
        "title": html.escape(plain_text(lesson.title)),
        "heading": html_of(lesson.title, is_inline=True),
        "icon": scene_page.icon("moon"),
        "style": style,
        "script": script,
        "all": "".join(_print_html(step) for step in steps),
        "lesson": json.dumps(data, separators=(",", ":"), allow_nan=False).replace("<", "\\u003c"),
    }
    return re.sub(r"\{\{(\w+)\}\}", lambda match: parts[match[1]], web.source("lesson.html"))


def _compress(data: Json) -> str:
    """Compress data to base64 text."""
    text = json.dumps(data, separators=(",", ":"), allow_nan=False)
    return base64.b64encode(zlib.compress(text.encode(), level=9)).decode("ascii")


class _Hashes:
    """Hashes of the scripts and styles of the pages; the content security policy allows no others."""

    def __init__(self) -> None:
        self._styles: dict[str, None] = {}
        self._scripts: dict[str, None] = {}

    def add(self, style: str, script: str) -> None:
        """Allow a style and a script."""
        self._styles[scene_page.hash_source(style)] = None
        self._scripts[scene_page.hash_source(script)] = None

    @property
    def sources(self) -> str:
        """Directives of the content security policy for scripts and styles."""
        return f"script-src {' '.join(self._scripts)}; style-src {' '.join(self._styles)}"


def _scene_request(request: LessonRequest, step: DrawnStep) -> ExportRequest:
    """Return the request for the page of a step's scene."""
    options = replace(request.options, interactive=True, accuracy=ACCURACY_DEG)
    return request_for(step.staging.scene, step.plan, request.path, options, is_cancelled=request.is_cancelled)


def _scene_page(request: ExportRequest, staging: Staging, blobs: _Blobs, hashes: _Hashes) -> str:
    """Return the page of a scene, with placeholders for the texts that it shares with others."""
    parts = scene_page.page_parts(request, animated_nodes(request, has_links=False))
    hashes.add(parts["style"], parts["script"])
    if isinstance(staging.question, PointQuestion):
        parts["scene"] = _set_grip(parts["scene"], request.plan)
    for name in parts.keys() - {"style", "script", "numbers"}:  # texts of the scene must not contain placeholders
        parts[name] = parts[name].replace("{{@", "{\\u007b@" if name == "scene" else "{&#123;@")
    formulas = scene_web.formulas_script(scene_code(request.plan).text)
    before, after = parts["script"].split(formulas)
    parts["script"] = f"{blobs.mark(before)}{blobs.mark(formulas)}{blobs.mark(after)}"
    for name in ("style", "numbers"):
        parts[name] = blobs.mark(parts[name])
    return scene_page.fill_template(parts)


def _set_grip(scene: str, plan: Plan) -> str:
    """Set the length of the axis of the answer's frame, so that the user can drag the arrow at its tip."""
    data = json.loads(scene)
    for frame in data["frames"]:
        if frame["name"] == ANSWER:
            frame["axis"] = POINTER * plan.scene.view.triad_length.si("length", ("view", "triad_length"))
    return json.dumps(data, separators=(",", ":"), allow_nan=False).replace("<", "\\u003c")


def step_data(staging: Staging, plan: Plan, scene: int) -> Json:
    """Return what the page knows of a step, whose scene has a number among the scenes of the lesson."""
    play = staging.play
    names = [name for name in plan.names if name != WORLD]
    return {
        "title": html_of(staging.step.title, is_inline=True),
        "html": html_of(staging.step.text),
        "scene": scene,
        "state": _state_text(staging, plan),
        "time": staging.time,
        "choose": staging.select or (names[0] if names else WORLD),
        "play": None if play is None else {"to": play.to.si("time", ("play", "to")), "speed": play.speed},
        "hasPlots": bool(staging.scene.view.plots),
        "question": _key_html(key_of(staging, plan)),
    }


def _state_text(staging: Staging, plan: Plan) -> str:
    """Return the state of the page of the scene at a step, as the end of an address."""
    parts, staged = {"t": repr(staging.time)}, staging.staged
    if staged is not None and staged.frame in plan.index:
        sequence = plan.sequence(staged.frame) or "XYZ"
        parts |= {"frame": staged.frame, "staged": f"{sequence},{staged.turns:g},{staged.axes},active"}
    return urlencode(parts)


def _key_html(key: Json | None) -> Json | None:
    """Convert the texts of an answer key from Markdown with formulas to HTML."""
    if key is None:
        return None
    converted = key | {name: html_of(key[name], is_inline=True) for name in ("ask", "ifRight", "ifWrong")}
    converted["hints"] = [html_of(hint, is_inline=True) for hint in key["hints"]]
    if "options" in key:
        converted["options"] = [
            option
            | {"text": html_of(option["text"], is_inline=True), "reply": html_of(option["reply"], is_inline=True)}
            for option in key["options"]
        ]
    if key["form"] == "sketch":
        converted["ticks"] = {
            "values": _ticks(key["low"], key["high"], N_VALUES, unit_text(key["unit"])),
            "times": _ticks(key["start"], key["end"], N_TIMES, "s"),
        }
    if "unit" in key:
        converted["unit"] = unit_text(key["unit"])
    if "thoughts" in key:
        converted["thoughts"] = [thought | {"says": _thought_html(thought)} for thought in key["thoughts"]]
    return converted


def _ticks(low: float, high: float, n: int, unit: str) -> list[Json]:
    """Return the ticks of an axis with labels; the last one has the unit."""
    marks = ticks(low, high, n)
    labels = marks.labels()
    if labels:
        labels = [*labels[:-1], f"{labels[-1]}{'' if unit.startswith('°') else ' '}{unit}".strip()]
    return [{"at": float(at), "label": label} for at, label in zip(marks.major, labels, strict=True)]


def _thought_html(thought: Json) -> str:
    """Return the text of a misconception as HTML. Texts of the lesson are Markdown, the others plain text."""
    text: str = thought["says"]
    return html_of(text, is_inline=True) if thought["name"] == "misreading" else html.escape(text)


def _print_html(step: Json) -> str:
    """Return the HTML of a step for printing."""
    question = step["question"]
    question_html = "" if question is None else f"<p><b>{question['ask']}</b></p>{_options(question)}"
    return f"<section><h2>{step['title']}</h2>{step['html']}{question_html}</section>"


def _options(question: Json) -> str:
    options: Iterable[Json] = question.get("options", ())
    items = "".join(f"<li>{option['text']}</li>" for option in options)
    return f"<ul>{items}</ul>" if items else ""
