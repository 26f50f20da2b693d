"""Lessons as handouts and films: texts, pictures, questions and answers read back, lengths, and what is refused."""

from __future__ import annotations

import re
import shutil
import subprocess
import zlib
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from typer.testing import CliRunner

from framescope.app.cli.main import app
from framescope.app.exporters.errors import ExportCancelledError, ExportError
from framescope.app.exporters.registry import write
from framescope.core.system.file_access import Access
from framescope.features.films.core.compiled_film import compile_film
from framescope.features.films.core.moments import frame_moment
from framescope.features.lessons.app.export.lesson_request import lesson_request
from framescope.features.lessons.app.export.page_flow import Piece, break_pages
from framescope.features.lessons.app.export.plain_text import formula_text, plain_text
from framescope.features.lessons.app.export.printed_text import markdown_pieces
from framescope.features.lessons.app.export.storyboard import FILM, LETTERS, PAUSE, pages_of, reading_time, storyboard
from framescope.features.lessons.app.export.vector_formulas import path_of
from framescope.features.lessons.app.lesson_lookup import read_lesson
from framescope.features.lessons.core.staging import ANSWER, orientation_of
from framescope.ui.exports.options import ExportOptions
from framescope.ui.qt_support.qt_host import on_qt
from framescope.ui.theme.formulas import Formula
from framescope.ui.theme.tokens import LIGHT, channels
from tests.support.films import TURNING, ffmpeg_frames, pillow_frames

pytestmark = pytest.mark.window

SMALL = r"""
# Turns

Said [before](other.lesson.md) all.

## It stands

The angle $\theta$ is zero, and

$$T = \begin{pmatrix} 1 & 0 \\ 0 & 1 \end{pmatrix}$$

is its matrix.

```yaml
scene: turning.yaml
time: 0 s
```

## Nothing new

The same picture.

```yaml
question:
  form: choose
  ask: Which is it?
  options: [{text: This one, right: true, reply: Because it is.}, {text: That one, reply: No.}]
  if_right: Quite so.
```

## A number

```yaml
question: {form: number, ask: How fast?, value: -114.6, unit: deg/s, tolerance: 1, if_right: Twice a radian.}
```

## A turn

```yaml
question: {form: turn, ask: Turn it so., frame: top, to: {form: axes, sequence: ZYX, angles: [30, -10, 0], unit: deg},
  if_right: Turned.}
```

## A direction

```yaml
question: {form: point, ask: Point along it., frame: top, axis: [0, 0, 1], either_way: true, if_right: Upwards.}
```

## A curve

```yaml
question: {form: sketch, ask: Draw the angle., signal: angles of top relative to world by ZYX in deg,
  start: 0 s, end: 1 s, if_right: A straight line.}
```

## It runs

```yaml
play: {to: 1 s}
```
"""

SHORT = """
# Short

Before.

## Stands

Here.

```yaml
scene: turning.yaml
```

## Runs

There.

```yaml
play: {to: 6 s}
```

## Asks

Now.

```yaml
question: {form: number, ask: How fast?, value: 2, unit: rad/s, tolerance: 0.1, if_right: This is the right answer.}
```
"""


@pytest.fixture
def lesson_file(tmp_path):
    (tmp_path / "turning.yaml").write_text(TURNING)

    def made(text: str) -> Path:
        path = tmp_path / "own.lesson.md"
        path.write_text(text)
        return path

    return made


def request_of(path: Path, out: Path, *, is_letter: bool = False, **options):
    read = read_lesson(path)

    def access_to(name: str) -> Access:
        return Access(read.folder_of(name))

    return lesson_request(read.lesson, read.stagings, access_to, out, ExportOptions(**options), is_letter=is_letter)


def run(*arguments: object):
    result = CliRunner().invoke(app, ["lesson", "export", *map(str, arguments)])
    assert "Traceback" not in result.output
    return result


# --- A PDF read back: by poppler where it is installed, else by what Qt writes


def objects_of(data: bytes) -> dict[int, bytes]:
    return {int(number): body for number, body in re.findall(rb"(\d+) 0 obj\s(.*?)endobj", data, re.DOTALL)}


def stream_of(body: bytes) -> bytes:
    content = re.search(rb"stream\r?\n(.*?)\r?\nendstream", body, re.DOTALL)[1]
    try:
        return zlib.decompress(content)
    except zlib.error:
        return content


def referred(body: bytes, key: str) -> int:
    return int(re.search(rb"/%s (\d+) 0 R" % key.encode(), body)[1])


def letters_of(objects: dict[int, bytes], font: int) -> dict[int, str]:
    """Return the letters of a font by the numbers of their shapes."""
    table = stream_of(objects[referred(objects[font], "ToUnicode")]).decode("latin-1")
    letters: dict[int, str] = {}
    for first, last, rest in re.findall(r"<(\w+)> <(\w+)> (\[[^\]]*\]|<\w+>)", table):
        found = re.findall(r"<(\w+)>", rest)
        for i in range(int(last, 16) - int(first, 16) + 1):
            code = found[i] if len(found) > 1 else f"{int(found[0], 16) + i:04X}"
            letters[int(first, 16) + i] = bytes.fromhex(code).decode("utf-16-be")
    return letters


def pages_as_written(path: Path) -> list[str]:
    objects = objects_of(path.read_bytes())
    pages: list[str] = []
    for body in [body for body in objects.values() if b"/Type /Page\n" in body]:
        fonts = re.findall(rb"/F(\d+) (\d+) 0 R", objects[referred(body, "Resources")])
        letters = {name.decode(): letters_of(objects, int(font)) for name, font in fonts}
        font, text = "", ""
        content = stream_of(objects[referred(body, "Contents")]).decode("latin-1")
        for name, codes, begins in re.findall(r"/F(\d+) [\d.]+ Tf|<([0-9A-F]+)> Tj|(BT)", content):
            font = name or font
            text += "\n" * bool(begins)
            text += "".join(letters[font][int(codes[i : i + 4], 16)] for i in range(0, len(codes), 4))
        pages.append(" ".join(text.split()))
    return pages


def pages_of_pdf(path: Path) -> list[str]:
    """Return the words on each page."""
    if shutil.which("pdftotext") is None:
        return pages_as_written(path)
    done = subprocess.run(["pdftotext", str(path), "-"], capture_output=True, check=True)
    return [" ".join(page.split()) for page in done.stdout.decode().split("\f")[:-1]]


def pictures_in(path: Path) -> list[tuple[int, int]]:
    """Return width and height of the pictures, but for the single points that stand where formulas are."""
    bodies = [body for body in objects_of(path.read_bytes()).values() if b"/Subtype /Image" in body]
    sizes = [tuple(int(re.search(rb"/%s (\d+)" % key, body)[1]) for key in (b"Width", b"Height")) for body in bodies]
    return [size for size in sizes if size > (1, 1)]


# --- Handouts


@pytest.fixture(scope="module")
def handout(tmp_path_factory):
    folder = tmp_path_factory.mktemp("handout")
    (folder / "turning.yaml").write_text(TURNING)
    (folder / "own.lesson.md").write_text(SMALL)
    write(request_of(folder / "own.lesson.md", folder / "out.pdf"))
    return folder / "out.pdf"


def test_that_a_handout_asks_first_and_answers_on_a_page_of_its_own(handout) -> None:
    pages = pages_of_pdf(handout)
    *asking, answering = pages
    asked = " ".join(asking)
    for words in (
        "Turns Said before all. 1 It stands The angle",
        "is its matrix.",
        "2 Nothing new The same picture. Question 1 Which is it? This one That one",
        "Question 2 How fast?",
        "°/s",
        "Question 3 Turn it so. Draw it into the picture.",
        "Question 4 Point along it. Draw it into the picture.",
        "Question 5 Draw the angle.",
        "7 It runs",
    ):
        assert words in asked
    for words in ("Because it is.", "Quite so.", "114.6", "Twice", "30°", "Upwards", "straight", "Answers", ANSWER):
        assert words not in asked
    for words in (
        "Answers Question 1 · Nothing new This one Because it is. Quite so.",
        "Question 2 · A number −114.6°/s Twice a radian.",
        "Question 3 · A turn top in world: ZYX 30°, −10°, 0° Turned.",
        "Question 4 · A direction (0, 0, 1), resolved in top, or the other way round Upwards.",
        "A straight line.",
    ):
        assert words in answering
    for i, page in enumerate(pages, 1):
        assert page.replace(" / ", "/").endswith(f"Turns {i}/{len(pages)}")


def test_that_a_handout_is_read_alike_by_a_foreign_reader_and_as_it_is_written(handout) -> None:
    for one, other in zip(pages_of_pdf(handout), pages_as_written(handout), strict=True):
        assert sorted(one.replace(" ", "")) == sorted(other.replace(" ", ""))


def test_that_a_handout_shows_a_scene_again_only_to_draw_in_it_and_where_time_runs(handout) -> None:
    # One stands; two to draw into; of the one that runs, the end alone: it begins as the one before.
    assert pictures_in(handout) == [(1181, 591)] * 4


def test_that_a_handout_is_light_and_its_formulas_are_shapes(handout) -> None:
    objects = objects_of(handout.read_bytes())
    first = next(body for body in objects.values() if b"/Type /Page\n" in body)
    content = stream_of(objects[referred(first, "Contents")]).decode("latin-1")
    colors = re.findall(r"([\d.]+) ([\d.]+) ([\d.]+) scn\n/GSa gs\nBT", content)
    roles = [channels(color) for color in (LIGHT.text, LIGHT.quiet, LIGHT.accent_text)]
    for color in colors:  # a link is no other
        assert any(np.allclose([float(part) for part in color], role, atol=1e-6) for role in roles)
    assert b"/URI" not in handout.read_bytes()
    curves = re.findall(r" c\n", content)
    assert len(curves) > 50


@pytest.mark.parametrize(("is_letter", "size"), [(False, (595, 842)), (True, (612, 792))])
def test_that_a_handout_is_on_a4_or_letter(lesson_file, tmp_path, is_letter, size) -> None:
    path = tmp_path / "out.pdf"
    write(request_of(lesson_file("# A\n\n## B\n\n```yaml\nscene: turning.yaml\n```\n"), path, is_letter=is_letter))
    boxes = re.findall(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", path.read_bytes())
    assert [tuple(map(float, box)) for box in boxes] == [size]


def test_that_a_text_names_no_file_that_is_printed(lesson_file, tmp_path) -> None:
    Image.new("RGB", (50, 40), "red").save(tmp_path / "red.png")
    named = f"![red](red.png) ![red]({tmp_path}/red.png) <img src='file://{tmp_path}/red.png'>"
    path = tmp_path / "out.pdf"
    write(
        request_of(
            lesson_file(
                f"# Some *title* of it\n\n## Angles $\\alpha$ here\n\n{named}\n\n```yaml\nscene: turning.yaml\n```\n"
            ),
            path,
        )
    )
    assert pictures_in(path) == [(1181, 591)]
    assert pages_of_pdf(path)[0].startswith("Some title of it 1 Angles α here")


def test_that_a_text_of_many_pages_is_broken_between_its_paragraphs(lesson_file, tmp_path) -> None:
    path = tmp_path / "out.pdf"
    paragraphs = "\n\n".join(f"Paragraph {i} begins here. {'It goes on and on. ' * 12}" for i in range(30))
    write(request_of(lesson_file(f"# A\n\n## B\n\n{paragraphs}\n\n```yaml\nscene: turning.yaml\n```\n"), path))
    pages = pages_of_pdf(path)
    assert len(pages) == 3
    assert sum(page.count("begins here.") for page in pages) == 30
    for page in pages[1:]:
        assert page.startswith("Paragraph")


def test_that_pieces_that_keep_the_next_one_leave_a_page_together() -> None:
    pieces = [Piece(6.0, print), Piece(1.0, print, keeps_next=True), Piece(5.0, print), Piece(1.0, print, 2.0)]
    assert [[y for y, _ in page] for page in break_pages(pieces, 10.0)] == [[0.0], [0.0, 1.0, 8.0]]
    tall = [Piece(6.0, print, keeps_next=True), Piece(6.0, print, keeps_next=True), Piece(20.0, print)]
    assert [[y for y, _ in page] for page in break_pages(tall, 10.0)] == [[0.0], [0.0], [0.0]]
    answers = [Piece(1.0, print), Piece(1.0, print, 3.0, begins_page=True)]
    assert [[y for y, _ in page] for page in break_pages(answers, 10.0)] == [[0.0], [0.0]]


def test_that_formulas_on_lines_of_their_own_have_room_and_those_in_lines_take_none() -> None:
    def heights(*texts: str) -> list[list[float]]:
        return [[piece.height for piece in markdown_pieces(text, 500.0)] for text in texts]

    texts = "Of x.", r"Of $\beta$.", r"Of $\dfrac{a}{b}$.", "Of\n\n$$x$$\n\nof."
    (plain,), (low,), (tall,), alone = on_qt(lambda: heights(*texts))
    assert low == pytest.approx(plain)
    assert tall > plain + 8.0
    assert len(alone) == 3
    assert alone[1] > 16.0


# --- Films


def test_that_a_film_has_the_size_and_the_length_of_what_is_read_and_runs(lesson_file, tmp_path) -> None:
    path = tmp_path / "out.mp4"
    told: list[tuple[int, int]] = []
    request = request_of(lesson_file(SHORT), path, size=(320, 180), fps=5.0)
    write(replace(request, progress=lambda *done: told.append(done)))
    frames, said = ffmpeg_frames(path)
    read = 4.0  # of every caption here
    expected = 2 * read + (6.0 + 0.2) + (read + read + PAUSE) + read
    assert frames.shape[1:] == (180, 320, 3)
    assert len(frames) == pytest.approx(5.0 * expected, abs=1)
    minutes, seconds = re.search(r"Duration: 00:(\d+):([\d.]+)", said).groups()
    assert 60 * int(minutes) + float(seconds) == pytest.approx(expected, abs=0.2)
    assert told[-1] == (len(frames), len(frames))
    first, last = frames[0].astype(int), frames[-1].astype(int)
    assert np.abs(first - last).max() > 100
    # What stands does not change, and while time runs every frame does.
    changes = np.abs(np.diff(frames[:, :120].astype(int), axis=0)).max(axis=(1, 2, 3))
    assert changes[:38].max() < 30
    assert (changes[41:69] > 30).all()


def test_that_a_film_shows_no_answer_before_it_is_told(lesson_file, tmp_path) -> None:
    request = request_of(lesson_file(SMALL), tmp_path / "out.webm", size=(320, 180), fps=2.0)
    shots = storyboard(request.lesson, request.steps, request.fps)
    by_hand = [shot for shot in shots if ANSWER in shot.plan.scene.frames]
    assert [shot.captions[-1][1].title for shot in by_hand] == [
        "Turn it so.",
        "Answer: top in world: ZYX 30°, −10°, 0°",
        "Point along it.",
        "Answer: (0, 0, 1), resolved in top, or the other way round",
    ]
    x_W = [orientation_of(shot.plan, ANSWER, "world", 0.0)[:, 0] for shot in by_hand]
    turned = [np.cos(np.radians(30)) * np.cos(np.radians(10)), np.sin(np.radians(30)) * np.cos(np.radians(10))]
    np.testing.assert_allclose(x_W[0], [1.0, 0.0, 0.0], atol=1e-9)
    np.testing.assert_allclose(x_W[1], [*turned, np.sin(np.radians(10))], atol=1e-9)
    assert abs(x_W[2][2]) < 0.8
    np.testing.assert_allclose(x_W[3], [0.0, 0.0, 1.0], atol=1e-9)
    asked = next(caption for shot in shots for _, caption in shot.captions if caption.title == "Which is it?")
    assert asked.rows == ("A   This one", "B   That one")
    curves = [(shot.has_curve, shot.shot.end and str(shot.shot.end)) for shot in shots if shot.chart is not None]
    assert curves == [(False, None), (True, "1 s")]


def test_that_a_rotation_is_shown_as_far_as_the_step_has_turned_it(lesson_file, tmp_path) -> None:
    block = "## Turns {0}\n\n```yaml\nscene: turning.yaml\ntime: 0.5 s\nstaged: {{frame: top, turns: {0}}}\n```\n"
    staged = "\n".join(block.format(n) for n in (0, 3))
    request = request_of(lesson_file(f"# A\n\n{staged}"), tmp_path / "out.pdf")
    turned = [orientation_of(step.staged_plan(), "top", "world", 0.5) for step in request.steps]
    np.testing.assert_allclose(turned[0], np.eye(3), atol=1e-12)
    np.testing.assert_allclose(turned[1][0, 0], np.cos(1.0), atol=1e-12)


MOVES = """
# A

## Turned

```yaml
scene: turning.yaml
time: 0.5 s
staged: {frame: top, turns: 1}
camera: {position: [3, 0, 1], focal_point: [0, 0, 0], unit: m}
```

## Turned further

```yaml
staged: {frame: top, turns: 3}
camera: {position: [0, 300, 100], focal_point: [0, 0, 0], unit: cm}
light: z of top
```

## Runs slowly

```yaml
play: {to: 1 s, speed: 0.1}
```

## Elsewhere

```yaml
scene: other.yaml
question: {form: number, ask: How fast?, value: 2, unit: rad/s, tolerance: 0.1, if_right: So.}
```
"""


def test_that_each_step_is_a_shot_with_its_motion_its_camera_and_its_light(lesson_file, tmp_path) -> None:
    lesson = lesson_file(MOVES)
    shutil.copyfile(tmp_path / "turning.yaml", tmp_path / "other.yaml")
    request = request_of(lesson, tmp_path / "out.mp4", size=(320, 180), fps=10.0)
    first, further, slow, asked, answered = storyboard(request.lesson, request.steps, request.fps)
    assert (first.shot.staged.turns, further.shot.staged.turns) == ((0.0, 1.0), (1.0, 3.0))
    assert first.shot.camera is None
    assert [key.position for key in further.shot.camera.keys] == [(3.0, 0.0, 1.0), (0.0, 3.0, 1.0)]
    (light,) = further.shot.items
    assert (light.look, light.frames, light.parts) == ("lit", ("top",), ("z",))
    assert first.shot.items == slow.shot.items == ()
    assert (str(slow.shot.start), str(slow.shot.end), slow.shot.speed) == ("0.5 s", "1 s", 0.1)
    assert slow.count == 51
    assert (slow.shot.transition, asked.shot.transition.form, answered.shot.transition) == (None, "fade", None)
    assert [shot.title for shot in (first, further, slow, asked, answered)] == [
        "1  Turned",
        "2  Turned further",
        "3  Runs slowly",
        "4  Elsewhere",
        "",
    ]
    for shot in (first, further, slow, asked, answered):
        compiled, problems = compile_film(shot.plan, FILM, request.fps)
        assert problems == ()
        assert compiled.count == shot.count
    film, _ = compile_film(further.plan, FILM, request.fps)
    assert [round(frame_moment(film, i).shot.turns, 3) for i in (0, 10, 20, 25, 45)] == [1.0, 1.5, 2.0, 2.0, 3.0]


def test_that_a_film_of_a_lesson_has_a_chapter_for_each_step(lesson_file, tmp_path) -> None:
    path = tmp_path / "out.mp4"
    request = request_of(lesson_file(SHORT), path, size=(128, 128), fps=1.0)
    write(request)
    said = ffmpeg_frames(path)[1]
    assert re.findall(r"Chapter #0:\d+: start ([\d.]+)", said) == ["0.000000", "4.000000", "8.000000", "15.000000"] * 2
    assert re.findall(r"title +: (.*)", said) == ["Short", "Short", "1 Stands", "2 Runs", "3 Asks"] * 2


def test_that_a_webm_and_a_gif_are_made_too(lesson_file, tmp_path) -> None:
    lesson = lesson_file("# A\n\n## B\n\nHere.\n\n```yaml\nscene: turning.yaml\nplay: {to: 1 s}\n```\n")
    for suffix in (".webm", ".gif"):
        write(request_of(lesson, tmp_path / f"out{suffix}", size=(320, 180), fps=5.0))
    assert ffmpeg_frames(tmp_path / "out.webm")[0].shape == (20, 180, 320, 3)
    frames, durations, loop = pillow_frames(tmp_path / "out.gif")
    assert frames.shape[1:] == (180, 320, 4)
    assert sum(durations) == pytest.approx(4000, abs=20)
    assert loop == 0


@pytest.mark.parametrize("name", ["out.pdf", "out.mp4", "out.gif"])
def test_that_what_is_given_up_leaves_no_file(lesson_file, tmp_path, name) -> None:
    lesson = lesson_file(SHORT)
    before = set(tmp_path.iterdir())
    request = request_of(lesson, tmp_path / name, **({} if name == "out.pdf" else {"size": (320, 180)}))
    with pytest.raises(ExportCancelledError):
        write(replace(request, is_cancelled=lambda: True))
    assert set(tmp_path.iterdir()) == before


def test_that_captions_that_find_no_room_are_refused(lesson_file, tmp_path) -> None:
    options = ", ".join(f"{{text: {'very long and ' * 8}so on {i}, right: {str(i == 0).lower()}}}" for i in range(8))
    asked = f"question: {{form: choose, ask: What?, options: [{options}]}}"
    lesson = f"# A\n\n## B\n\n```yaml\nscene: turning.yaml\n{asked}\n```\n"
    with pytest.raises(ExportError, match=r'size: the text of "What\?" takes more than 40% of it'):
        write(request_of(lesson_file(lesson), tmp_path / "out.mp4", size=(128, 128)))


def test_that_long_texts_are_told_in_even_parts_at_ends_of_sentences() -> None:
    text = " ".join(f"This is the sentence of the number {i}." for i in range(20))
    pages = pages_of(text)
    assert " ".join(pages) == text
    assert all(page.endswith(".") and len(page) <= LETTERS for page in pages)
    assert min(map(len, pages)) > 0.6 * max(map(len, pages))
    assert [reading_time(len(page)) for page in pages_of("word " * 200)] == pytest.approx([18.0] * 4, abs=1.0)
    assert "".join(pages_of("x" * 1000)) == "x" * 1000
    assert pages_of("") == []


# --- Formulas


@pytest.mark.parametrize(
    ("tex", "text"),
    [
        (r"\frac{a+b}{2}", "(a + b)/2"),
        (r"-\sqrt{x^{-1}}", "−√x⁻¹"),
        (r"R_{AB} v_B", "R_AB v_B"),
        (r"\begin{pmatrix} 1 & -2 \\ 3 & 4 \end{pmatrix}", "(1, −2; 3, 4)"),
        (r"\frac{", r"\frac{"),
    ],
)
def test_that_a_formula_is_told_in_words(tex, text) -> None:
    assert formula_text(Formula(tex, is_display=False)) == text


def test_that_markdown_is_told_without_its_marks() -> None:
    assert plain_text("A **bold** [link](x.md),\n`code` and\n\n* one\n* two\n\n```\nx = 1\n```") == (
        "A bold link, code and one two x = 1"
    )


def test_that_a_path_goes_through_its_points() -> None:
    path = path_of("M 1 2 L 3 -4 Q 5 6 7e0 8 Z M .5 0 1 1")
    assert [(path.elementAt(i).x, path.elementAt(i).y) for i in (0, 1, 4)] == [(1.0, 2.0), (3.0, -4.0), (7.0, 8.0)]


# --- The command


def test_that_the_command_writes_and_says_where(lesson_file, tmp_path) -> None:
    out = tmp_path / "out.pdf"
    result = run(lesson_file("# A\n\n## B\n\n```yaml\nscene: turning.yaml\n```\n"), out, "--letter")
    assert result.exit_code == 0, result.output
    assert result.stdout.strip() == str(out)
    assert "out.pdf: 1 of 1" in result.stderr
    assert out.read_bytes().startswith(b"%PDF-")


def test_that_a_lesson_with_mistakes_is_not_exported(lesson_file, tmp_path) -> None:
    lesson = lesson_file("# A\n\n## B\n\n```yaml\nscene: turning.yaml\nselect: tpo\ntime: 99 s\n```\n")
    result = run(lesson, tmp_path / "out.pdf")
    assert result.exit_code == 2
    assert 'there is no frame "tpo"' in result.stderr
    assert 'Did you mean "top"?' in result.stderr
    assert not (tmp_path / "out.pdf").exists()


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("out.odt", [], '".odt" is no format of lessons. Use .html for a page, .pdf for a handout, .mp4,'),
        ("out.html", ["--fps", "5"], "a page takes no fps"),
        ("out", [], "the file name has no ending"),
        ("nowhere/out.pdf", [], "there is no folder"),
        ("nowhere/out.mp4", [], "there is no folder"),
        ("out.pdf", ["--size", "640x360"], "size: a handout takes no size. Leave it out"),
        ("out.pdf", ["--theme", "dark"], "theme: a handout takes no theme."),
        ("out.mp4", ["--letter"], "letter: a film has no paper."),
        ("out.mp4", ["--size", "big"], "size: expected width x height"),
        ("out.mp4", ["--size", "641x360"], "size: expected an even width"),
        ("out.mp4", ["--theme", "pink"], "theme: expected dark, light or white"),
        ("out.gif", ["--fps", "60"], "fps: a GIF shows at most 50"),
    ],
)
def test_that_what_cannot_be_met_is_refused(lesson_file, tmp_path, name, options, message) -> None:
    result = run(lesson_file(SHORT), tmp_path / name, *options)
    assert result.exit_code == 2
    assert message in " ".join(result.stderr.split())
