"""The Qt stylesheet, ``assets/window.qss`` with the tokens of a theme. Pure text: imports no Qt.

Widgets select a look by dynamic properties: `role` on labels and frames, `kind` on buttons, `invalid` on fields.
"""

from dataclasses import asdict
from string import Template

from framescope import assets
from framescope.ui.theme.tokens import METRICS, NUMBER_FAMILY, Theme

IMAGE_SCHEME = "framescope-images"

# Images of sub-controls: name of the icon and role of its colour, by image name.
_IMAGES = {
    "chevron-down": ("chevron-down", "quiet"),
    "chevron-right": ("chevron-right", "quiet"),
    "chevron-up": ("chevron-up", "quiet"),
    "check": ("check", "on_accent"),
    "check-disabled": ("check", "disabled"),
    "minus": ("minus", "on_accent"),
    "minus-disabled": ("minus", "disabled"),
}


def images(theme: Theme) -> dict[str, tuple[str, str]]:
    """Return file name -> (icon, role) of every image in the stylesheet."""
    return {f"{name}-{theme.name}.svg": icon_and_role for name, icon_and_role in _IMAGES.items()}


def stylesheet(theme: Theme) -> str:
    """Return the stylesheet of the whole application."""
    tokens = asdict(theme) | asdict(METRICS) | {"mono": NUMBER_FAMILY, "field_color": theme.field}
    for name in _IMAGES:
        tokens["image_" + name.replace("-", "_")] = f'url("{IMAGE_SCHEME}:{name}-{theme.name}.svg")'
    return Template(assets.path("window.qss").read_text(encoding="utf-8")).substitute(tokens)
