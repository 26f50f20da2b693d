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
COMBO = 20
"""Least height of a choice box inside its border, for a text of the usual size, px."""

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
    """Return the rules that enlarge labels, read-outs, pictures and lists of names in a widget.

    Fields and buttons stay.

    >>> from framescope.ui.theme.tokens import DARK
    >>> larger_texts(DARK, 2.0).splitlines()[:2]
    ['QLabel, ReadOut, Picture, LabPlot, FoldingRow { font-size: 26px; }', 'QComboBox { font-size: 26px; }']
    """
    sizes = re.findall(r"^(QLabel\[.*?\]) {[^}]*font-size: (\d+)px;", stylesheet(theme), re.MULTILINE)
    painted = "QLabel, ReadOut, Picture, LabPlot, FoldingRow"
    rules = ((painted, METRICS.base), ("QComboBox", METRICS.base), *((text, int(size)) for text, size in sizes))
    high = f"QComboBox {{ min-height: {round(scale * COMBO)}px; }}"
    return "\n".join((*(f"{text} {{ font-size: {round(scale * size)}px; }}" for text, size in rules), high))
