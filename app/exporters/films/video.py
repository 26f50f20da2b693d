"""Videos: MP4 with H.264, which plays everywhere, and WebM with VP9, which can be transparent."""

from __future__ import annotations

from framescope.app.exporters.encoding import chunks
from framescope.app.exporters.encoding.chunks import Film
from framescope.app.exporters.encoding.film_writer import write_film
from framescope.app.exporters.request import ExportRequest

# The picture is full-range sRGB; said so, players show the colours of the window.
COLORS = (
    *("-vf", "scale=out_color_matrix=bt709:out_range=tv", "-colorspace", "bt709", "-color_primaries", "bt709"),
    *("-color_trc", "bt709", "-color_range", "tv"),
)
# What an encoder makes of a frame depends on the number of its threads, so that it must not be that of the cores.
THREADS = ("-threads", "4")
H264 = ("-c:v", "libx264", "-preset", "veryfast", "-pix_fmt", "yuv420p", "-flags", "+cgop", *THREADS)
VP9 = ("-c:v", "libvpx-vp9", "-b:v", "0", "-deadline", "good", "-cpu-used", "5", "-row-mt", "1", *THREADS)
# The factor of quality of each encoder: its own usual one or a little worse, one at which hardly anything is lost, and
# one at which thin lines stay what they were when they are looked at one by one.
H264_CRF = {"small": "26", "good": "18", "best": "12"}
VP9_CRF = {"small": "36", "good": "24", "best": "14"}
# Without, a WebM file is given a random number, and is never the same twice.
EXACT = ("-fflags", "+bitexact")


def write(request: ExportRequest) -> None:
    """Write an MP4 file: H.264, yuv420p, ready to be streamed; or a WebM file: VP9, yuv420p or yuva420p."""
    write_film(request, film_of(request))


def film_of(request: ExportRequest) -> Film:
    """Return how a request's frames become a video."""
    message, quality = metadata(request), request.options.quality or "good"
    if request.path.suffix.lower() == ".mp4":
        coded = (*COLORS, *H264, "-g", str(chunks.CHUNK), "-crf", H264_CRF[quality])
        return Film(coded, joining=(*message, "-movflags", "+faststart"))
    kind = "yuva420p" if request.is_transparent else "yuv420p"
    coded = (*COLORS, *VP9, "-crf", VP9_CRF[quality], *EXACT, "-pix_fmt", kind)
    return Film(coded, joining=(*EXACT, *message))


def metadata(request: ExportRequest) -> tuple[str, ...]:
    """Return what tells ffmpeg the title and the licence of a file."""
    message = (("title", request.title), ("copyright", request.license))
    return tuple(part for key, words in message if words for part in ("-metadata", f"{key}={words}"))
