"""Page of a lesson: one file with all its scenes, which asks and judges in any browser, without any network."""

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
from framescope.features.lessons.core.schema import Point
from framescope.features.lessons.core.staging import ANSWER, POINTER, Staging
from framescope.features.web_page.app import html as scene_page
from framescope.features.web_page.app import web as scene_web
from framescope.features.web_page.core.scene_code import scene_code

Json = dict[str, Any]

ACCURACY_DEG = 0.2
"""Of what is sampled in the scenes: nobody measures them in a lesson, deg."""


@dataclass
class _Blobs:
    """Long texts that pages share, each once."""

    texts: dict[str, int]

    def mark(self, text: str) -> str:
        """Return the mark by which a page has a text."""
        return f"{{{{@{self.texts.setdefault(text, len(self.texts))}}}}}"


def write(request: LessonRequest) -> None:
    """Write the page of a lesson to its file, which appears whole or not at all."""
    text = page_of(request)
    request.stop_if_cancelled()
    try:
        with atomically(request.path) as partial:
            partial.write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        raise request.failure(error) from None


def page_of(request: LessonRequest) -> str:
    """Return the whole page; progress is reported step by step."""
    lesson, blobs, pages, hashes = request.lesson, _Blobs({}), dict[str, str](), _Hashes()
    steps: list[Json] = []
    for step in request.steps:
        request.stop_if_cancelled()
        text = scene_text(step.staging.scene)
        if text not in pages:
            pages[text] = _scene_page(_scene_request(request, step), step.staging, blobs, hashes)
        steps.append(_step(step.staging, step.plan, list(pages).index(text)))
        request.progress(step.number, len(request.steps))
    if lesson.text:
        steps[0]["html"] = f"{html_of(lesson.text)}{steps[0]['html']}"
    packed = _packed({"pages": list(pages.values()), "blobs": list(blobs.texts)})
    data = {"steps": steps, "packed": packed, "followsScheme": True}
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
        "all": "".join(_printed(step) for step in steps),
        "lesson": json.dumps(data, separators=(",", ":"), allow_nan=False).replace("<", "\\u003c"),
    }
    return re.sub(r"\{\{(\w+)\}\}", lambda found: parts[found[1]], web.source("lesson.html"))


def _packed(data: Json) -> str:
    """Return data compressed, as text."""
    text = json.dumps(data, separators=(",", ":"), allow_nan=False)
    return base64.b64encode(zlib.compress(text.encode(), level=9)).decode("ascii")


class _Hashes:
    """What the pages run and look like, by their hashes: nothing else may."""

    def __init__(self) -> None:
        self._styles: dict[str, None] = {}
        self._scripts: dict[str, None] = {}

    def add(self, style: str, script: str) -> None:
        """Let a style and a script be."""
        self._styles[scene_page.hash_source(style)] = None
        self._scripts[scene_page.hash_source(script)] = None

    @property
    def sources(self) -> str:
        """The directives of the content security policy."""
        return f"script-src {' '.join(self._scripts)}; style-src {' '.join(self._styles)}"


def _scene_request(request: LessonRequest, step: DrawnStep) -> ExportRequest:
    """Return the request for the page of a step's scene."""
    options = replace(request.options, interactive=True, accuracy=ACCURACY_DEG)
    return request_for(step.staging.scene, step.plan, request.path, options, is_cancelled=request.is_cancelled)


def _scene_page(request: ExportRequest, staging: Staging, blobs: _Blobs, hashes: _Hashes) -> str:
    """Return the page of a scene, with marks for what it shares with others."""
    parts = scene_page.page_parts(request, animated_nodes(request, has_links=False))
    hashes.add(parts["style"], parts["script"])
    if isinstance(staging.question, Point):
        parts["scene"] = _with_grip(parts["scene"], request.plan)
    for name in parts.keys() - {"style", "script", "numbers"}:  # texts of the scene make no marks
        parts[name] = parts[name].replace("{{@", "{\\u007b@" if name == "scene" else "{&#123;@")
    formulas = scene_web.formulas_script(scene_code(request.plan).text)
    before, after = parts["script"].split(formulas)
    parts["script"] = f"{blobs.mark(before)}{blobs.mark(formulas)}{blobs.mark(after)}"
    for name in ("style", "numbers"):
        parts[name] = blobs.mark(parts[name])
    return scene_page.filled(parts)


def _with_grip(scene: str, plan: Plan) -> str:
    """Return the data of a scene in which the arrow that a hand turns can be taken at its tip."""
    data = json.loads(scene)
    for frame in data["frames"]:
        if frame["name"] == ANSWER:
            frame["axis"] = POINTER * plan.scene.view.triad_length.si("length", ("view", "triad_length"))
    return json.dumps(data, separators=(",", ":"), allow_nan=False).replace("<", "\\u003c")


def _step(staging: Staging, plan: Plan, scene: int) -> Json:
    play = staging.play
    names = [name for name in plan.names if name != WORLD]
    return {
        "title": html_of(staging.step.title, is_inline=True),
        "html": html_of(staging.step.text),
        "scene": scene,
        "state": f"t={staging.time!r}",
        "time": staging.time,
        "choose": staging.select or (names[0] if names else WORLD),
        "play": None if play is None else {"to": play.to.si("time", ("play", "to")), "speed": play.speed},
        "question": _set_key(key_of(staging, plan)),
    }


def _set_key(key: Json | None) -> Json | None:
    """Return an answer key whose words are HTML: those of the lesson are Markdown with formulas."""
    if key is None:
        return None
    found = key | {name: html_of(key[name], is_inline=True) for name in ("ask", "ifRight", "ifWrong")}
    found["hints"] = [html_of(hint, is_inline=True) for hint in key["hints"]]
    if "options" in key:
        found["options"] = [
            each | {"text": html_of(each["text"], is_inline=True), "reply": html_of(each["reply"], is_inline=True)}
            for each in key["options"]
        ]
    if "thoughts" in key:
        found["thoughts"] = [each | {"says": _thought(each)} for each in key["thoughts"]]
    return found


def _thought(thought: Json) -> str:
    """Return what is said of a thought as HTML: of the lesson's own as Markdown, else as it is."""
    says: str = thought["says"]
    return html_of(says, is_inline=True) if thought["name"] == "misreading" else html.escape(says)


def _printed(step: Json) -> str:
    """Return a step for paper."""
    question = step["question"]
    asked = "" if question is None else f"<p><b>{question['ask']}</b></p>{_options(question)}"
    return f"<section><h2>{step['title']}</h2>{step['html']}{asked}</section>"


def _options(question: Json) -> str:
    options: Iterable[Json] = question.get("options", ())
    items = "".join(f"<li>{each['text']}</li>" for each in options)
    return f"<ul>{items}</ul>" if items else ""
