"""Notes in pages, pictures and films: the same words at the same places."""

from __future__ import annotations

import numpy as np
import pytest

from framescope.app.exporters.registry import export
from framescope.core.evaluation.evaluate import compile_plan
from framescope.core.scene.schema.model import Scene
from framescope.features.web_page.app.page_notes import html_of
from framescope.ui.theme.tokens import DARK
from tests.support.films import picture_of

SIZE = (900, 700)
SCENE = {
    "framescope": 1,
    "title": "Notes",
    "frames": {
        "arm": {
            "parent": "world",
            "position": {"value": [0.4, 0, 0.2], "unit": "m"},
            "orientation": {"form": "axes", "sequence": "XYZ", "angles": [0, 0, "30*t"], "unit": "deg"},
        }
    },
    "notes": {
        "tip": {"text": r"So **fast**: $\omega$ < 40", "frame": "arm", "position": {"value": [0.2, 0, 0], "unit": "m"}},
        "fixed": {"text": "<b>Here</b>", "at": [0.25, 0.6], "size": "large"},
        "late": {"text": "Later", "at": [0.7, 0.8], "start": "2 s", "end": "3 s"},
    },
}


def made():
    scene = Scene.model_validate(SCENE)
    plan = compile_plan(scene)
    assert not plan.problems
    return scene, plan


@pytest.mark.window
@pytest.mark.parametrize("interactive", [False, True])
def test_that_a_page_has_its_notes_with_formulas_at_their_places_and_times(browser, tmp_path, interactive) -> None:
    scene, plan = made()
    path = tmp_path / "notes.html"
    export(scene, plan, path, interactive=interactive, accuracy=0.5)
    page = browser.open(path, SIZE, is_reduced=True)
    seen = """[...document.querySelectorAll('#tags .note')].filter(e => !e.parentNode.hidden).map(e => {
      const box = e.getBoundingClientRect();
      return [e.innerHTML, box.x + box.width / 2, box.y + box.height / 2]; })"""
    places = {}
    for t in (0.0, 2.5):
        page.evaluate(f"framescope.seek({t})")
        page.next_picture()
        places[t] = {html: (x, y) for html, x, y in page.evaluate(seen)}
    stage = page.box("#stage")
    (tip,) = (html for html in places[0.0] if "<math" in html)
    assert "<b>fast</b>" in tip
    assert "ω" in tip
    assert set(places[0.0]) == {tip, "&lt;b&gt;Here&lt;/b&gt;"}
    assert set(places[2.5]) == {tip, "&lt;b&gt;Here&lt;/b&gt;", "Later"}
    for t in places:
        here = places[t]["&lt;b&gt;Here&lt;/b&gt;"]
        assert here == pytest.approx((stage["x"] + 0.25 * stage["width"], stage["y"] + 0.6 * stage["height"]), abs=2.0)
    assert np.hypot(*np.subtract(places[2.5][tip], places[0.0][tip])) > 20.0, "it goes with the frame"
    assert page.complaints == []
    page.close()


def test_that_what_a_note_says_is_no_markup() -> None:
    assert (
        html_of("<script>alert(1)</script> & **<i>**") == "&lt;script&gt;alert(1)&lt;/script&gt; &amp; <b>&lt;i&gt;</b>"
    )
    assert html_of(r"$x^{2$ <") == r"$x^{2$ &lt;"


@pytest.mark.long
def test_that_a_picture_has_the_notes_of_its_time() -> None:
    scene, plan = made()
    found = {t: picture_of(scene, plan, t, (640, 480), DARK).astype(int).max(axis=-1) for t in (0.5, 2.5)}
    x, y = round(0.7 * 640), round(0.8 * 480)
    patches = {t: image[y - 12 : y + 12, x - 30 : x + 30] for t, image in found.items()}
    assert np.ptp(patches[2.5]) > np.ptp(patches[0.5]) + 80
