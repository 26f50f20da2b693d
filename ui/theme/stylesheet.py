"""The Qt stylesheet, ``assets/window.qss`` with the tokens of a theme. Pure text: imports no Qt.

Widgets select a look by dynamic properties: `role` on labels and frames, `kind` on buttons, `invalid` on fields.
"""

import re
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


def larger_texts(theme: Theme, scale: float) -> str:
    """Return the rules that enlarge labels, read-outs and lists of names in a widget; fields and buttons stay.

    >>> from framescope.ui.theme.tokens import DARK
    >>> larger_texts(DARK, 2.0).splitlines()[:2]
    ['QLabel, ReadOut, QComboBox { font-size: 26px; }', 'QLabel[role="quiet"] { font-size: 24px; }']
    """
    sizes = re.findall(r"^(QLabel\[.*?\]) {[^}]*font-size: (\d+)px;", stylesheet(theme), re.MULTILINE)
    rules = (("QLabel, ReadOut, QComboBox", METRICS.base), *((selector, int(size)) for selector, size in sizes))
    return "\n".join(f"{selector} {{ font-size: {round(scale * size)}px; }}" for selector, size in rules)
