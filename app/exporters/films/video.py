"""Videos: MP4 with H.264, which plays everywhere, and WebM with VP9, which can be transparent."""

from __future__ import annotations

from framescope.app.exporters.encoding import chunks
from framescope.app.exporters.encoding.chunks import Film
from framescope.app.exporters.encoding.film_writer import write_film
from framescope.app.exporters.request import ExportRequest

# Frames are full-range sRGB. With these tags players show the colours of the window.
COLORS = (
    *("-vf", "scale=out_color_matrix=bt709:out_range=tv", "-colorspace", "bt709", "-color_primaries", "bt709"),
    *("-color_trc", "bt709", "-color_range", "tv"),
)
# The encoded bits depend on the number of encoder threads, so it is fixed instead of following the cores.
THREADS = ("-threads", "4")
H264 = ("-c:v", "libx264", "-preset", "veryfast", "-pix_fmt", "yuv420p", "-flags", "+cgop", *THREADS)
VP9 = ("-c:v", "libvpx-vp9", "-b:v", "0", "-deadline", "good", "-cpu-used", "5", "-row-mt", "1", *THREADS)
# Quality factors of each encoder: slightly below its default; with hardly any visible loss; with thin lines intact in
# single frames.
H264_CRF = {"small": "26", "good": "18", "best": "12"}
VP9_CRF = {"small": "36", "good": "24", "best": "14"}
# Without it a WebM file contains a random number and differs at every export.
EXACT = ("-fflags", "+bitexact")


def write(request: ExportRequest) -> None:
    """Write an MP4 file (H.264, yuv420p, ready for streaming) or a WebM file (VP9, yuv420p or yuva420p)."""
    write_film(request, film_of(request))


def film_of(request: ExportRequest) -> Film:
    """Return the encoder settings for a request's video."""
    texts, quality = metadata(request), request.options.quality or "good"
    if request.path.suffix.lower() == ".mp4":
        coded = (*COLORS, *H264, "-g", str(chunks.CHUNK), "-crf", H264_CRF[quality])
        return Film(coded, joining=(*texts, "-movflags", "+faststart"))
    kind = "yuva420p" if request.is_transparent else "yuv420p"
    coded = (*COLORS, *VP9, "-crf", VP9_CRF[quality], *EXACT, "-pix_fmt", kind)
    return Film(coded, joining=(*EXACT, *texts))


def metadata(request: ExportRequest) -> tuple[str, ...]:
    """Return ffmpeg's arguments for title and licence."""
    texts = (("title", request.title), ("copyright", request.license))
    return tuple(part for key, words in texts if words for part in ("-metadata", f"{key}={words}"))
