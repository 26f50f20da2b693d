"""Writer of films of several shots: parts by shot, joined with chapters and sound, and subtitles beside the film."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from framescope.app.background.child_processes import ProcessLimits
from framescope.app.exporters.encoding.chapters import chapter_inputs, one_line
from framescope.app.exporters.encoding.chunks import Film, parts_of
from framescope.app.exporters.encoding.concat import join
from framescope.app.exporters.encoding.ffmpeg import run_ffmpeg
from framescope.app.exporters.films import apng, gif, png_sequence, video
from framescope.app.exporters.rendering.headless import rendered_frames
from framescope.app.exporters.request import ExportError, ExportRequest, ignore_progress
from framescope.core.errors import ItemError
from framescope.core.scene.files.referenced_files import SOUND_FILES
from framescope.core.system.atomic_write import atomically
from framescope.core.system.file_access import resolve_named
from framescope.features.films.app.kept_parts import chunks_of, encode_film
from framescope.features.films.core.compiled_film import CompiledFilm, compile_film

SOUND_FORMATS = "wav,w64,mp3,mov,mp4,m4a,aac,flac,ogg"
"""Formats of sound that ffmpeg may take a file for."""

SOUND_BYTES, SOUND_S = 1 << 30, 600
"""Limits of the memory, bytes, and of the processor time, s, of the program that reads the sound."""

SOUND_FADE_S = 0.5
"""Duration in which the sound fades at the end of the film, s."""

Row = tuple[float, float, str]
"""Start, end, s, and text of a subtitle."""


def write(request: ExportRequest) -> str:
    """Write a film; return a sentence about the frames that were drawn and kept."""
    film, _ = compile_film(request.plan, request.options.film or "", request.fps)
    if request.made.key == "frames":
        png_sequence.write(request)
        return ""
    try:
        return _write_film(request, film)
    except OSError as error:
        raise request.failure(error) from None


def _write_film(request: ExportRequest, film: CompiledFilm) -> str:
    suffix = request.path.suffix.lower()
    coded, chunks = film_settings(request), chunks_of(film)
    is_video = suffix in (".mp4", ".webm")
    with atomically(request.path) as partial, parts_of(request.path) as new_part:
        inputs, mapping = _additions(request, film, new_part) if is_video else ((), ())
        parts, kept = encode_film(request, film, coded, chunks, new_part)
        request.stop_if_cancelled()
        rows = list(zip(parts, map(len, chunks), strict=True))
        join(request, coded.joined, (*mapping, *coded.joining), rows, partial, inputs)
    if is_video and film.film.subtitles is not None:
        with atomically(request.path.with_suffix(".vtt")) as partial:
            partial.write_text(webvtt(film.subtitles), encoding="utf-8")
    return kept.text


def film_settings(request: ExportRequest) -> Film:
    """Return the encoder settings of the format of a film."""
    match request.path.suffix.lower():
        case ".gif":
            times = request.times
            some = times[np.unique(np.linspace(0, len(times) - 1, gif.PALETTE_FRAMES).round().astype(int))]
            return gif.film_of(request, rendered_frames(replace(request, progress=ignore_progress), some))
        case ".apng":
            return apng.FILM
        case _:
            return video.film_of(request)


# --- Beside the pictures


def webvtt(subtitles: Sequence[Row]) -> str:
    """Return subtitles as a WebVTT file; formulas are shown as they are typed.

    >>> print(webvtt([(0.5, 61.25, "a < **b**")]))
    WEBVTT
    <BLANKLINE>
    00:00:00.500 --> 00:01:01.250
    a &lt; b
    <BLANKLINE>
    """
    blocks = ["WEBVTT"]
    for start, end, text in subtitles:
        rows = [one_line(row) for row in text.replace("**", "").splitlines()]
        words = "\n".join(row for row in rows if row) or " "
        for character, escaped in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;")):
            words = words.replace(character, escaped)
        blocks.append(f"{_stamp(start)} --> {_stamp(end)}\n{words}")
    return "\n\n".join(blocks) + "\n"


def _stamp(seconds: float) -> str:
    whole = round(1e3 * seconds)
    return f"{whole // 3_600_000:02d}:{whole // 60_000 % 60:02d}:{whole // 1000 % 60:02d}.{whole % 1000:03d}"


def _additions(
    request: ExportRequest, film: CompiledFilm, new_part: Callable[[], Path]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return ffmpeg's arguments for chapters and sound: further inputs, and how the film uses them."""
    inputs: list[str] = []
    mapping = ["-map", "0:v"]
    sound = film.film.sound
    if sound is not None:
        path = _encode_sound(request, sound, film.duration, new_part)
        inputs += ["-i", f"file:{path}"]
        mapping += ["-map", "1:a"]
    more, chapters = chapter_inputs(film.chapters, new_part, 1 + (sound is not None))
    return (*inputs, *more), (*mapping, *chapters)


def _encode_sound(request: ExportRequest, sound: str, seconds: float, new_part: Callable[[], Path]) -> Path:
    """Return the sound of a film, encoded for its format: cut where the film ends, or continued in silence."""
    try:
        source = resolve_named(sound, request.plan.context.access, (), SOUND_FILES)
    except ItemError as error:
        raise ExportError(f"sound: {error.message} {error.hint}".strip()) from None
    path = new_part()
    is_mp4 = request.path.suffix.lower() == ".mp4"
    coder, rate, kind = ("aac", "160k", "mp4") if is_mp4 else ("libopus", "128k", "webm")
    coded = ("-c:a", coder, "-b:a", rate, "-f", kind)
    fade = f"apad,atrim=0:{seconds:.6f},afade=t=out:st={max(seconds - SOUND_FADE_S, 0.0):.6f}:d={SOUND_FADE_S}"
    reading = ("-protocol_whitelist", "file", "-format_whitelist", SOUND_FORMATS, "-t", f"{seconds:.6f}")
    exact = ("-map_metadata", "-1", "-fflags", "+bitexact", "-flags:a", "+bitexact")
    arguments = [*reading, "-i", f"file:{source}", "-map", "0:a:0", "-vn", "-af", fade, "-ar", "48000", "-ac", "2"]
    try:
        run_ffmpeg(request, [*arguments, *coded, *exact, str(path)], limits=ProcessLimits(SOUND_BYTES, SOUND_S))
    except ExportError as error:
        raise ExportError(f"sound: {sound} cannot be read. {error}") from None
    return path
