"""Beginning of a lesson: its file, with one step of what a window shows."""

from __future__ import annotations

from pathlib import Path

from framescope.app.session.session import Session
from framescope.app.session.staged_mode import StagedMode
from framescope.core.errors import SceneError
from framescope.core.scene.files.saving import write_atomically
from framescope.core.scene.schema.model import Scene
from framescope.features.lessons.app.lesson_capture import CaptureError, Shown, captured, shown_scene
from framescope.features.lessons.core import SUFFIX
from framescope.features.lessons.core.editing import step_source
from framescope.ui.dialogs.save_dialog import path_to_save
from framescope.ui.window.main_window import MainWindow

FILTER = f"Lessons (*{SUFFIX});;All files (*)"
TITLE = "My lesson"
INTRO = "What it is about, and what one can do after it."
FIRST = "The first step", "What is to be seen, and what is asked."


def moment_source(
    session: Session, window: MainWindow, staged: StagedMode, words: tuple[str, str], name: str, base: Scene
) -> str:
    """Return the text of a step, with a title and a sentence, of what a window shows.

    Parameters
    ----------
    session, window, staged
        Which are asked.
    words
        The title, and what is said.
    name, base
        How the lesson names the scene, and that scene as its file has it.
    """
    scene = session.document.scene
    plots = tuple(dict.fromkeys(plot.called for plot in scene.view.plots)) if window.has_dock("plots") else ()
    shown = Shown(
        scene,
        float(session.snapshot.t),
        window.scene_view.camera.state,
        session.selected_frame(),
        plots,
        staged.step,
    )
    return step_source(*words, captured(name, base, shown))


def new_lesson(session: Session, window: MainWindow, staged: StagedMode) -> Path | None:
    """Ask for the file of a lesson, write it with one step of what is shown, and return its path."""
    document = session.document
    try:
        shown_scene(document, document.working_folder)
        suggested = document.working_folder / f"{Path(document.name).stem}{SUFFIX}"
        inputs = document.files
        path = path_to_save(window, "A new lesson", suggested, FILTER, SUFFIX, inputs=inputs, is_only=True)
        if path is None:
            return None
        source = moment_source(session, window, staged, FIRST, *shown_scene(document, path.parent))
        write_atomically(path, f"# {TITLE}\n\n{INTRO}\n\n{source}")
    except CaptureError as error:
        window.status.show_message("amber", f"No lesson is begun: {error}")
    except SceneError as error:
        window.status.show_message("red", f"No lesson is begun: {error.problems[0]}")
    except OSError as error:
        window.status.show_message("red", f"The lesson is not written: {error.strerror or error}")
    else:
        return path
    return None
