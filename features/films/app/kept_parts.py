"""Parts of films, kept by their content: only shots that have changed are drawn and encoded again.

The key of a part is a digest of all that its frames depend on: the moments of the frames, the shots that they show, the
scene and its files, the look, the encoder, the modules of the program and the version of the renderer. The position of
a shot in the film is not among them.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from importlib.metadata import version
from itertools import pairwise
from pathlib import Path

import imageio_ffmpeg

from framescope.app.exporters.encoding.chunk_encoders import encode_chunks
from framescope.app.exporters.encoding.chunks import CHUNK, Film
from framescope.app.exporters.rendering.offscreen_window import SAMPLES
from framescope.app.exporters.rendering.renderer_info import renderer_name
from framescope.app.exporters.request import ExportRequest
from framescope.app.storage.app_directories import cache_folder
from framescope.core.errors import ItemError
from framescope.core.scene.files.referenced_files import KNOWN_FILES, named_files
from framescope.core.scene.schema.base import FrozenDict
from framescope.core.system.atomic_write import atomically
from framescope.core.system.file_access import resolve_named
from framescope.features.films.app.drawing_code import drawing_code
from framescope.features.films.core.compiled_film import CompiledFilm, CompiledShot
from framescope.features.films.core.moments import CameraMoment, Moment, ShotMoment, frame_moment

MOST_BYTES = 2 << 30
"""Largest size of all kept parts; the parts not used for the longest time are removed."""

SUFFIX = ".part"


@dataclass(frozen=True)
class KeptParts:
    """Number of frames that were kept from earlier exports, and of those that were drawn."""

    kept: int
    drawn: int

    @property
    def text(self) -> str:
        """Sentence for the user.

        >>> KeptParts(2250, 450).text
        '450 frames were drawn, and 2,250 kept from an earlier export.'
        """
        if not self.kept:
            return f"{self.drawn:,} frames were drawn."
        return f"{self.drawn:,} frames were drawn, and {self.kept:,} kept from an earlier export."


def chunks_of(film: CompiledFilm) -> list[range]:
    """Divide the frames of a film into chunks: transitions and blends apart from the rest of each shot."""
    chunks: list[range] = []
    for shot in film.shots:
        cuts = {0, shot.count, round((shot.duration - shot.fade_out) * film.fps)}
        cuts |= {round(shot.transition_s * film.fps), round(shot.camera.blend * film.fps)}
        ends = sorted(cut for cut in cuts if 0 <= cut <= shot.count)
        for first, stop in pairwise(ends):
            starts = range(shot.first + first, shot.first + stop, CHUNK)
            chunks += (range(start, min(start + CHUNK, shot.first + stop)) for start in starts)
    return chunks


def encode_film(
    request: ExportRequest, film: CompiledFilm, coded: Film, chunks: Sequence[range], new_part: Callable[[], Path]
) -> tuple[list[Path], KeptParts]:
    """Return the files of the chunks of a film, from an earlier export where their content is the same."""
    keys = part_keys(request, film, coded, chunks)
    folder = kept_folder()
    paths: dict[int, Path] = {}
    for i, key in enumerate(keys):
        path = None if folder is None else _take(folder / f"{key}{SUFFIX}", new_part)
        if path is not None:
            paths[i] = path
    missing = [i for i in range(len(chunks)) if i not in paths]
    kept = sum(len(chunks[i]) for i in paths)
    total = sum(map(len, chunks))
    if kept:
        request.progress(kept, total)
    if missing:
        part = request.with_progress_after(kept, total)

        def keep(k: int, path: Path) -> None:
            if folder is not None:  # at once, so that a cancelled export continues there
                _put(path, folder / f"{keys[missing[k]]}{SUFFIX}")

        made = encode_chunks(part, coded, [chunks[i] for i in missing], new_part, keep)
        paths |= dict(zip(missing, made, strict=True))
        if folder is not None:
            _remove_oldest(folder)
    return [paths[i] for i in range(len(chunks))], KeptParts(kept, total - kept)


def frames_to_draw(request: ExportRequest, film: CompiledFilm, coded: Film) -> int:
    """Return how many frames of a film an export would draw."""
    chunks, folder = chunks_of(film), kept_folder()
    keys = part_keys(request, film, coded, chunks)
    return sum(
        len(chunk)
        for key, chunk in zip(keys, chunks, strict=True)
        if folder is None or not (folder / f"{key}{SUFFIX}").is_file()
    )


def kept_folder() -> Path | None:
    """Return the folder of the kept parts; None where it cannot be made."""
    folder = cache_folder() / "film-parts"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return None
    return folder


def part_keys(request: ExportRequest, film: CompiledFilm, coded: Film, chunks: Sequence[range]) -> list[str]:
    """Return the key of each chunk: a digest of all that it depends on."""
    common = hashlib.sha256(repr(_common(request, film)).encode())
    common.update(repr((coded.arguments, coded.joined, coded.palette)).encode())
    common.update(_scene_digest(request))
    keys: list[str] = []
    for chunk in chunks:
        digest = common.copy()
        moments = [frame_moment(film, i) for i in chunk]
        digest.update(repr([_in_place(moment) for moment in moments]).encode())
        shots = sorted({k for moment in moments for k in _shots_in(moment)}, reverse=True)
        digest.update(repr([_shot_content(film.shots[k]) for k in shots]).encode())
        keys.append(digest.hexdigest())
    return keys


def _common(request: ExportRequest, film: CompiledFilm) -> tuple[object, ...]:
    options, subtitles = request.options, film.film.subtitles
    encoder = str(imageio_ffmpeg.get_ffmpeg_version())  # pyright: ignore[reportUnknownMemberType, reportUnknownArgumentType]
    drawn_by = (SAMPLES, drawing_code(), version("vtk"), renderer_name(), encoder)
    look = (request.size, request.fps, request.theme, request.is_transparent, request.is_bare, options.angle_unit)
    has_captions = subtitles is None or subtitles.burnt
    return drawn_by, look, request.scale, options.samples, film.film.clock, has_captions


def _scene_digest(request: ExportRequest) -> bytes:
    """Return a digest of the scene without its films, and of the files that it names."""
    scene = request.plan.scene.model_copy(update={"film": FrozenDict()})
    digest = hashlib.sha256(scene.model_dump_json().encode())
    for name in named_files(scene):
        try:
            with resolve_named(name, request.plan.context.access, (), KNOWN_FILES).open("rb") as file:
                digest.update(hashlib.file_digest(file, "sha256").digest())
        except (ItemError, OSError):
            digest.update(b"?")  # a missing file does not affect the picture
    return digest.digest()


def _shots_in(moment: Moment) -> set[int]:
    shots = {moment.shot.shot}
    for part in (moment.shot, moment.before):
        if part is not None:
            shots |= {part.shot, *(() if part.camera.before is None else (part.camera.before.shot,))}
    return shots


def _in_place(moment: Moment) -> Moment:
    """Return a moment with its shots counted from its own, so that it does not depend on their place in the film."""
    own = moment.shot.shot

    def camera(part: CameraMoment) -> CameraMoment:
        return replace(part, shot=part.shot - own, before=None if part.before is None else camera(part.before))

    def shot(part: ShotMoment) -> ShotMoment:
        return replace(part, shot=part.shot - own, camera=camera(part.camera))

    return replace(moment, shot=shot(moment.shot), before=None if moment.before is None else shot(moment.before))


def _shot_content(shot: CompiledShot) -> tuple[object, ...]:
    """Return all of a shot that its pictures depend on: neither its title nor its transitions."""
    authored = shot.shot.model_copy(update={"title": "", "transition": None})
    card = None if shot.card is None else shot.card.model_copy(update={"transition": None}).model_dump_json()
    return authored.model_dump_json(), card, shot.start, shot.end, shot.playing, shot.duration, shot.rests, shot.camera


# --- The folder


def _take(path: Path, new_part: Callable[[], Path]) -> Path | None:
    """Return a copy of a kept part, and mark the part as used; None where there is none."""
    try:
        if not path.is_file():
            return None
        copy = new_part()
        shutil.copyfile(path, copy)
        os.utime(path)
    except OSError:
        return None
    return copy


def _put(part: Path, path: Path) -> None:
    """Keep a copy of a part; a full disk keeps none."""
    with contextlib.suppress(OSError), atomically(path) as partial:
        shutil.copyfile(part, partial)


def _remove_oldest(folder: Path) -> None:
    """Remove the parts not used for the longest time, until the rest is small enough."""
    parts: list[tuple[float, int, Path]] = []
    for path in folder.glob(f"*{SUFFIX}"):
        with contextlib.suppress(OSError):
            state = path.stat()
            parts.append((state.st_mtime, state.st_size, path))
    total = sum(size for _, size, _ in parts)
    for _, size, path in sorted(parts):
        if total <= MOST_BYTES:
            return
        with contextlib.suppress(OSError):
            path.unlink()
        total -= size
