"""Videos: MP4 with H.264, which plays everywhere, and WebM with VP9, which can be transparent."""

from __future__ import annotations

from framescope.app.exporters.chunks import CHUNK, write_film
from framescope.app.exporters.film import Film
from framescope.app.exporters.request import ExportRequest

# The picture is full-range sRGB; said so, players show the colours of the window.
COLORS = (
    *("-vf", "scale=out_color_matrix=bt709:out_range=tv", "-colorspace", "bt709", "-color_primaries", "bt709"),
    *("-color_trc", "bt709", "-color_range", "tv"),
)
# What an encoder makes of a frame depends on the number of its threads, so that it must not be that of the cores.
THREADS = ("-threads", "4")
H264 = (
    *("-c:v", "libx264", "-preset", "veryfast", "-crf", "18", "-pix_fmt", "yuv420p", "-g", str(CHUNK)),
    *("-flags", "+cgop", *THREADS),
)
VP9 = (
    *("-c:v", "libvpx-vp9", "-crf", "24", "-b:v", "0", "-deadline", "good", "-cpu-used", "5", "-row-mt", "1", *THREADS),
)
# Without, a WebM file is given a random number, and is never the same twice.
EXACT = ("-fflags", "+bitexact")


def write(request: ExportRequest) -> None:
    """Write an MP4 file: H.264, yuv420p, ready to be streamed; or a WebM file: VP9, yuv420p or yuva420p."""
    write_film(request, film_of(request))


def film_of(request: ExportRequest) -> Film:
    """Return how a request's frames become a video."""
    if request.path.suffix.lower() == ".mp4":
        return Film((*COLORS, *H264), joining=("-movflags", "+faststart"))
    kind = "yuva420p" if request.is_transparent else "yuv420p"
    return Film((*COLORS, *VP9, *EXACT, "-pix_fmt", kind), joining=EXACT)
