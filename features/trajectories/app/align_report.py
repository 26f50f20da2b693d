"""Report of the command ``align``, as lines or JSON, and the files that it writes."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from framescope.app.cli.json_output import json_text
from framescope.core.conventions.pose_snippets import POSE_TARGETS, pose_as_code
from framescope.core.errors import FramescopeError, did_you_mean, visible_text
from framescope.core.evaluation.evaluate import compile_plan
from framescope.core.orientation import Orientation
from framescope.core.scene.edits.base import with_item
from framescope.core.scene.files.loading import LoadedScene, load_scene
from framescope.core.scene.files.saving import save_scene, write_atomically
from framescope.core.scene.schema.model import WORLD, Frame, Scene
from framescope.core.scene.schema.poses import Position, QuaternionForm
from framescope.core.system.file_access import Access
from framescope.core.system.output_check import check_output
from framescope.core.transform import Transform
from framescope.features.calibrations.core import tree_writing
from framescope.features.calibrations.core.calibration import Calibration, CalibrationError, Edge
from framescope.features.calibrations.core.dialects.registry import DIALECTS
from framescope.features.trajectories.core.align_streams import AlignChoice, Alignment, align
from framescope.features.trajectories.core.alignment_edit import aligning_edit
from framescope.features.trajectories.core.alignment_study import FramePair, study_frames
from framescope.features.trajectories.core.alignment_text import open_parts, rows, sentence, summary
from framescope.features.trajectories.core.pose_stream import PoseStream
from framescope.features.trajectories.core.refinement import PARTS, SLICES
from framescope.features.trajectories.core.stream_reading import StreamChoice, read_stream, split_name
from framescope.features.trajectories.core.trajectory_writing import WRITERS, format_of


@dataclass(frozen=True)
class AlignOutputs:
    """What an alignment writes: a dialect, code, a scene, poses, a figure; and whether it prints JSON."""

    dialect: str = ""
    code: str = ""
    into: Path | None = None
    save: Path | None = None
    plot: Path | None = None
    as_json: bool = False


CODE = {
    "numpy": ("python", "numpy"),
    "python": ("python", "numpy"),
    "scipy": ("python", "scipy"),
    "tf2": ("python", "tf2"),
    "eigen": ("cpp", "eigen"),
    "cpp": ("cpp", "eigen"),
    "matlab": ("matlab", ""),
    "urdf": ("urdf", ""),
    "sdf": ("sdf", ""),
    "launch": ("launch", ""),
}
"""Code in which the mounting is written: language and library."""


def run_align(
    sources: tuple[str, str],
    choice: AlignChoice,
    read: StreamChoice,
    names: tuple[str, str],
    outputs: AlignOutputs,
) -> tuple[str, bool]:
    """Return the report on two streams, and whether something stays open. Write what is asked for.

    Raises
    ------
    FramescopeError
        When a file cannot be read or written, or nothing fits.
    """
    inputs = [split_name(source)[0] for source in sources]
    _check(outputs, inputs)
    a, b = (read_stream(source, read) for source in sources)
    usual = HAND_NAMES.get(choice.hand)
    if usual is not None:
        a, b = (replace(stream, frame=own or other) for stream, own, other in zip((a, b), names, usual, strict=True))
    else:
        a, b = (_named(stream, own, other) for stream, own, other in zip((a, b), names, ("a", "b"), strict=True))
    if a.frame == b.frame:
        b = replace(b, frame=f"{b.frame} 2")
    answer = align(a, b, choice)
    written = _write(answer, outputs, sources)
    is_open = bool(answer.blind or answer.alternatives)
    if outputs.as_json:
        return json_text({**as_data(answer), **_printed_data(answer, outputs, are_named=any(names))}), is_open
    printed = _snippets(answer, outputs, are_named=any(names))
    if printed:
        return "\n".join([*printed, *written]), is_open
    return "\n".join([*_lines(answer), *([""] if written else []), *written]), is_open


HAND_NAMES: dict[str, tuple[str, str]] = {"eye in hand": ("hand", "camera"), "eye to hand": ("base", "camera")}
"""Names of the frames of hand and eye whose relation is written, if none are given."""


def written_edge(answer: Alignment) -> tuple[str, str, Transform]:
    """Return parent, child and pose that are written: the mounting, or of eye to hand the camera in the base."""
    if answer.choice.hand == "eye to hand":
        return answer.a.frame, answer.b.frame, answer.world
    return answer.a.frame, answer.b.frame, answer.body


def _named(stream: PoseStream, own: str, other: str) -> PoseStream:
    """Return a stream whose frame has a name: the given one, that of the file, or the stem of the file."""
    stem = Path(stream.name).stem or other
    return replace(stream, frame=own or stream.frame or stem)


def _check(outputs: AlignOutputs, inputs: list[Path]) -> None:
    for out in (outputs.save, outputs.plot):
        if out is not None:
            check_output(out, inputs)
    if outputs.save is not None:
        format_of(outputs.save.name)
    if outputs.code and outputs.code not in CODE and outputs.code not in POSE_TARGETS:
        known = (*CODE, *POSE_TARGETS)
        raise FramescopeError(f"--code: there is no {visible_text(outputs.code)}. {did_you_mean(outputs.code, known)}")
    if outputs.dialect:
        known = [dialect.name for dialect in DIALECTS if dialect.write is not None]
        if outputs.dialect not in known:
            asked = visible_text(outputs.dialect)
            raise FramescopeError(f"--as: there is no dialect {asked}. {did_you_mean(outputs.dialect, known)}")


def _lines(answer: Alignment) -> Iterator[str]:
    """Yield the report: one sentence, values with standard errors, what stays open, and notes."""
    yield sentence(answer)
    yield ""
    table = rows(answer)
    width = max(len(label) for label, _ in table)
    yield from (f"{label.ljust(width)}  {text}" for label, text in table)
    yield f"{'Fit'.ljust(width)}  {summary(answer)}"
    opened = open_parts(answer)
    if opened:
        yield ""
        yield from opened
    if answer.notes:
        yield ""
        yield from map(visible_text, answer.notes)


def _snippets(answer: Alignment, outputs: AlignOutputs, *, are_named: bool) -> list[str]:
    """Return the mounting in a dialect and as code."""
    out: list[str] = []
    if outputs.dialect:
        out.append(in_dialect(answer, outputs.dialect, are_named=are_named).rstrip())
    if outputs.code:
        out.append(code_of(answer, outputs.code).rstrip())
    return out


def _printed_data(answer: Alignment, outputs: AlignOutputs, *, are_named: bool) -> dict[str, str]:
    """Return the calibration and the code that are asked for, as texts."""
    out: dict[str, str] = {}
    if outputs.dialect:
        out["calibration"] = in_dialect(answer, outputs.dialect, are_named=are_named)
    if outputs.code:
        out["code"] = code_of(answer, outputs.code)
    return out


USUAL_NAMES = ("imu0", "cam0")
"""Names that a dialect with names of its own gets, if none are given."""


def in_dialect(answer: Alignment, name: str, *, are_named: bool = False) -> str:
    """Return the mounting as a calibration in a dialect.

    `are_named` is whether the user has named the frames; otherwise a dialect with names of its own gets `USUAL_NAMES`.

    Raises
    ------
    FramescopeError
        When the dialect cannot hold it.
    """
    dialect = next(dialect for dialect in DIALECTS if dialect.name == name)
    assert dialect.write is not None  # noqa: S101 - checked before the streams were read

    parent, child, X = written_edge(answer)

    def written(a: str, b: str) -> str:
        assert dialect.write is not None  # noqa: S101 - the same
        return dialect.write(Calibration(name, (Edge(a, b, X, "mounting"),)))

    try:
        return written(parent, child)
    except CalibrationError as error:
        if not are_named:
            with suppress(CalibrationError):
                return written(*USUAL_NAMES)
        raise FramescopeError(f"--as {name}: {error}") from None


def code_of(answer: Alignment, target: str) -> str:
    """Return the mounting as code: a target of `CODE`, or one of a single line, such as ``static-transform``."""
    a, b, X = written_edge(answer)
    if target in POSE_TARGETS:
        return pose_as_code(Orientation(X.R_AB.T, np.zeros(3)), X.p_AB, a, b, target)
    language, library = CODE[target]
    poses = [tree_writing.PlacedFrame(b, a, X)]
    remarks = [f"Mounting of {visible_text(b)} on {visible_text(a)}, written by Framescope. Positions are in m."]
    match language:
        case "python":
            return tree_writing.python(poses, remarks, library)
        case "cpp":
            return tree_writing.cpp(poses, remarks, library)
        case "matlab":
            return tree_writing.matlab(poses, remarks)
        case "urdf":
            return tree_writing.urdf(poses, remarks)
        case "sdf":
            return tree_writing.sdf(poses, remarks)
        case _:
            return tree_writing.launch_python(poses, remarks)


def _write(answer: Alignment, outputs: AlignOutputs, sources: tuple[str, str]) -> list[str]:
    """Write poses, figure and scene; return a line for each file."""
    lines: list[str] = []
    if outputs.save is not None:
        write_atomically(outputs.save, WRITERS[format_of(outputs.save.name)](answer.aligned_b()))
        lines.append(str(outputs.save))
    if outputs.plot is not None:
        draw_alignment(outputs.plot, answer)
        lines.append(str(outputs.plot))
    if outputs.into is not None:
        lines.append(_into(answer, outputs.into, sources))
    return lines


def draw_alignment(path: Path, answer: Alignment) -> None:
    """Write the figure of the residual positions of an alignment over time, and of the path from above.

    Raises
    ------
    FramescopeError
        When the file cannot be written, or is no .pdf or .svg.
    """
    from framescope.features.trajectories.app.error_figure import FigureCurve, FigureWords, write_figure

    fit = answer.fit
    m = fit.m
    n = len(m)
    t = np.arange(float(n)) if m.t is None else m.t - m.t[0]
    x = fit.mounting
    predicted = x.s * (m.p_B @ x.R_Y.T) + x.p_Y - m.R_A @ x.p_X
    used = np.flatnonzero(fit.is_used)
    errors = fit.residual_position[used]
    name = f"{answer.b.frame} on {answer.a.frame}, without outliers"
    curve = FigureCurve(name, t[used], errors, predicted[used], m.p_A[used], np.arange(len(used)))
    title = f"Residual positions of {visible_text(answer.a.frame)} as {visible_text(answer.b.frame)} predicts them"
    words = FigureWords(title, "residual, m", "time since the first pair, s" if m.t is not None else "pair")
    write_figure(path, [curve], words)


# --- Scenes


def _into(answer: Alignment, path: Path, sources: tuple[str, str]) -> str:
    """Put the result into a scene file, whose comments stay; return a line about it.

    Two frames of that scene get the edits that bring them together. Otherwise the frame of b gets its mounting on the
    frame of a.
    """
    loaded = load_scene(path)
    pair = _frames_in(path, sources, answer)
    scene = _aligned(loaded, pair, answer.choice) if pair is not None else _mounted(loaded.scene, answer)
    save_scene(scene, path, loaded.text)
    return str(path)


def _frames_in(path: Path, sources: tuple[str, str], answer: Alignment) -> FramePair | None:
    """Return the two frames of a scene that are aligned; None if the streams are of other files."""
    files = [split_name(source)[0] for source in sources]
    if not all(file.exists() and file.samefile(path) for file in files):
        return None
    return FramePair(answer.a.frame, answer.b.frame, answer.choice)


def _aligned(loaded: LoadedScene, pair: FramePair, choice: AlignChoice) -> Scene:
    plan = compile_plan(loaded.scene, access=Access(loaded.home))
    return aligning_edit(plan, study_frames(plan, replace(pair, choice=choice))).apply(loaded.scene)


def _mounted(scene: Scene, answer: Alignment) -> Scene:
    """Return the scene in which the frame of b is fixed on the frame of a, both added if they are missing."""
    a, b, X = written_edge(answer)
    part = slice(6, 12) if X is answer.world else slice(0, 6)
    if any(math.isinf(error) for error in answer.errors[part].tolist()):
        raise FramescopeError(
            f"the motion leaves the mounting of {visible_text(b)} open, so that no scene is changed."
            f" {answer.blind[0].text}"
        )
    if a != WORLD and a not in scene.frames:
        scene = with_item(scene, "frames", a, Frame(parent=WORLD))
    x, y, z, w = (X.to_quaternion(order="xyzw") + 0.0).tolist()
    position = tuple((X.p_AB + 0.0).tolist())
    changes = {
        "parent": a,
        "position": Position(value=position, unit="m"),
        "orientation": QuaternionForm(value=(x, y, z, w), order="xyzw"),
    }
    old = scene.frames.get(b)
    frame = Frame.model_validate(changes) if old is None else old.model_copy(update={**changes, "motion": None})
    return with_item(scene, "frames", b, frame)


# --- JSON


def as_data(answer: Alignment) -> dict[str, Any]:
    """Return an alignment as plain data."""
    errors = answer.errors
    free = [part for part in PARTS if answer.fit.is_free[SLICES[part]].any()]
    return {
        "sentence": sentence(answer),
        "frames": {"a": answer.a.frame, "b": answer.b.frame},
        "body": _pose_data(answer.body),
        "world": _pose_data(answer.world),
        "scale": answer.scale,
        "clock": {"offset_s": answer.clocks.offset_s, "drift": answer.clocks.drift, "at_s": answer.clocks.centre_s},
        "reading": answer.reading.words(answer.a.frame, answer.b.frame),
        "is_plain": answer.reading.is_plain,
        "standard_errors": {part: errors[SLICES[part]] for part in free},
        "covariance": answer.covariance[:6, :6],
        "unknown": [{"part": blind.part, "axes": blind.axes, "text": blind.text} for blind in answer.blind],
        "alternatives": [reading.words(answer.a.frame, answer.b.frame) for reading in answer.alternatives],
        "pairs": answer.n_pairs,
        "outliers": answer.n_outliers,
        "noise": {"angle_rad": answer.noise_angle, "position_m": answer.noise_position},
        "notes": list(answer.notes),
    }


def _pose_data(X: Transform) -> dict[str, Any]:
    return {"position": X.p_AB, "quaternion_xyzw": X.to_quaternion(order="xyzw"), "matrix": X.to_matrix()}
