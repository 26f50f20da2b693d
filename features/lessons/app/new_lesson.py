"""New lessons: a file with one step that shows the state of the window."""

from __future__ import annotations

from pathlib import Path

from framescope.app.session.session import Session
from framescope.app.session.staged_mode import StagedMode
from framescope.core.errors import SceneError
from framescope.core.scene.files.saving import write_atomically
from framescope.core.scene.schema.model import Scene
from framescope.features.lessons.app.lesson_capture import CaptureError, WindowState, capture_moment, captured_scene
from framescope.features.lessons.app.lesson_lookup import read_lesson_text
from framescope.features.lessons.core import SUFFIX
from framescope.features.lessons.core.editing import step_source
from framescope.features.lessons.core.lesson import LessonError
from framescope.ui.dialogs.save_dialog import path_to_save
from framescope.ui.window.main_window import MainWindow

FILTER = f"Lessons (*{SUFFIX});;All files (*)"
TITLE = "My lesson"
INTRO = "Describe the topic, and what the reader can do afterwards."
FIRST = "The first step", "Describe the scene, and ask a question."


def moment_source(
    session: Session, window: MainWindow, staged: StagedMode, words: tuple[str, str], name: str, base: Scene
) -> str:
    """Return the text of a step that shows the state of the window.

    Parameters
    ----------
    session, window, staged
        Sources of the state.
    words
        Title and text of the step.
    name, base
        Name of the scene in the lesson, and the scene of its file.
    """
    scene = session.document.scene
    plots = tuple(dict.fromkeys(plot.called for plot in scene.view.plots)) if window.has_dock("plots") else ()
    state = WindowState(
        scene,
        float(session.snapshot.t),
        window.scene_view.camera.state,
        session.selected_frame(),
        plots,
        staged.step,
    )
    return step_source(*words, capture_moment(name, base, state))


def new_lesson(session: Session, window: MainWindow, staged: StagedMode) -> Path | None:
    """Ask for a file, write a lesson with one step that shows the state of the window, and return its path.

    None where the user cancels or the lesson cannot be written.
    """
    document = session.document
    try:
        captured_scene(document, document.working_folder)
        suggested = document.working_folder / f"{Path(document.name).stem}{SUFFIX}"
        inputs = document.files
        path = path_to_save(window, "A new lesson", suggested, FILTER, SUFFIX, inputs=inputs, is_only=True)
        if path is None:
            return None
        source = moment_source(session, window, staged, FIRST, *captured_scene(document, path.parent))
        text = f"# {TITLE}\n\n{INTRO}\n\n{source}"
        read_lesson_text(text, path)
        write_atomically(path, text)
    except LessonError as error:
        remedy = "Save the scene beside the lesson first." if document.is_dirty else error.problems[0].hint
        words = f"No lesson is begun: {error.problems[0].message} {remedy}"
        window.status.show_message("amber", words.strip())
    except CaptureError as error:
        window.status.show_message("amber", f"No lesson is begun: {error}")
    except SceneError as error:
        window.status.show_message("red", f"No lesson is begun: {error.problems[0]}")
    except OSError as error:
        window.status.show_message("red", f"The lesson is not written: {error.strerror or error}")
    else:
        return path
    return None
