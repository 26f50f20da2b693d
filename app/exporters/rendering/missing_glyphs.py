"""Missing glyphs: characters of a scene that no installed font has, and the message about them."""

from __future__ import annotations

from collections.abc import Iterable

from framescope.core.scene.schema.model import Scene

MAX_NAMED = 12


def letters_note(scene: Scene, texts: Iterable[str] = ()) -> str:
    """Return a sentence about characters that pictures show as boxes; empty when fonts have all of them."""
    letters = {letter for text in (scene.model_dump_json(), *texts) for letter in text if not letter.isascii()}
    if not letters:
        return ""
    from framescope.ui.scene_view.geometry.system_text import letters_without_font

    missing = letters_without_font(letters)
    if not missing:
        return ""
    named = " ".join(missing[:MAX_NAMED]) + (" …" if len(missing) > MAX_NAMED else "")
    return f"No font here has {named}: pictures show boxes instead. Install one for that script, such as Noto."
