"""SVG sources of the bundled icons, tinted. Pure text: imports no Qt."""

from functools import cache

from framescope import assets

STROKE = 1.75


def tint_icon(name: str, color: str) -> bytes:
    """Return the SVG source of a Lucide icon in a colour `#RRGGBB`."""
    return _source(name).replace("currentColor", color).encode()


@cache
def _source(name: str) -> str:
    source = assets.path(f"third_party/icons/{name}.svg").read_text(encoding="utf-8")
    return source.replace('stroke-width="2"', f'stroke-width="{STROKE}"')
