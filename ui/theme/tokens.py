"""The one table of colours, sizes and fonts, for widgets, plots, scene and video.

Imports neither Qt nor VTK: headless pictures use it, too. Colours are `#RRGGBB`.
"""

from dataclasses import dataclass

AXIS_LETTERS = ("x", "y", "z")

TEXT_FAMILY = "Inter"
NUMBER_FAMILY = "JetBrains Mono"

# Paths below the assets folder; VTK opens fonts by file, Qt by family.
FONT_FILES = {
    (TEXT_FAMILY, 400): "third_party/fonts/Inter-Regular.ttf",
    (TEXT_FAMILY, 500): "third_party/fonts/Inter-Medium.ttf",
    (TEXT_FAMILY, 600): "third_party/fonts/Inter-SemiBold.ttf",
    (NUMBER_FAMILY, 400): "third_party/fonts/JetBrainsMono-Regular.ttf",
    (NUMBER_FAMILY, 500): "third_party/fonts/JetBrainsMono-Medium.ttf",
}


@dataclass(frozen=True)
class Theme:
    """The colours of one theme, one field per role."""

    name: str
    is_dark: bool

    # Backgrounds, from back to front.
    window: str
    panel: str
    field: str
    raised: str
    hover: str
    selected_row: str
    separator: str
    border: str
    field_border: str

    # Text.
    text: str
    quiet: str
    disabled: str
    accent: str
    accent_text: str
    on_accent: str

    # Axes: the Okabe-Ito set for marks, a second shade for letters.
    axis_x: str
    axis_y: str
    axis_z: str
    axis_x_text: str
    axis_y_text: str
    axis_z_text: str

    # States.
    good: str
    amber: str
    amber_ground: str
    red: str
    red_ground: str

    # Quantities in the scene and in plots.
    sensor: str
    frame_a: str
    omega: str
    force: str

    # Parts of controls, plots and the scene.
    slider_track: str
    knob: str
    plot_ground: str
    plot_grid: str
    scene_top: str
    scene_bottom: str

    @property
    def axes(self) -> tuple[str, str, str]:
        """Mark colours of x, y and z."""
        return self.axis_x, self.axis_y, self.axis_z

    @property
    def axis_texts(self) -> tuple[str, str, str]:
        """Text colours of x, y and z."""
        return self.axis_x_text, self.axis_y_text, self.axis_z_text


@dataclass(frozen=True)
class Metrics:
    """Sizes in device-independent pixels, the same in both themes."""

    # Type.
    base: int = 13
    secondary: int = 12
    caption: int = 11
    number: int = 12
    scene_title: int = 15
    teach_title: int = 20
    clock: int = 20
    teach_clock: int = 28

    # Space and bars.
    padding: int = 16
    gap: int = 8
    inner: int = 4
    scroll_bar: int = 8
    beside_bar: int = 8
    """Margin beside a scroll bar that is always there: with the bar, as wide as `padding`."""
    menu: int = 40
    dock_header: int = 32
    question: int = 40
    timeline: int = 40
    status: int = 24

    # Rows and controls.
    outline_row: int = 24
    outline_indent: int = 16
    slider_row: int = 32
    readout_row: int = 20
    problem_row: int = 61
    field: int = 24
    button: int = 28
    small_button: int = 24
    icon: int = 16
    row_icon: int = 14
    field_radius: int = 4
    button_radius: int = 6
    card_radius: int = 8
    focus: int = 2

    # Slider, timeline and gauge.
    track: int = 4
    knob: int = 14
    knob_rim: int = 2
    halo: int = 22
    gauge: int = 8

    # Docks.
    left: int = 280
    right: int = 260
    bottom: int = 240
    teach_left: int = 400
    build_bottom: int = 214
    teach_bottom: int = 212
    debug_right: int = 360
    debug_bottom: int = 252


METRICS = Metrics()

# Values of the singularity measure above which gauge and gimbal rings warn: near the lock, and almost locked.
NEAR, LOCK = 0.80, 0.95

DARK = Theme(
    name="dark",
    is_dark=True,
    window="#14171B",
    panel="#1B1F25",
    field="#14171C",
    raised="#262C34",
    hover="#2C333C",
    selected_row="#1D3045",
    separator="#2A3038",
    border="#39424D",
    field_border="#39424D",
    text="#E6E9ED",
    quiet="#9AA4B0",
    disabled="#66707C",
    accent="#4C9BE8",
    accent_text="#6FB1F0",
    on_accent="#0E1318",
    axis_x="#F0733A",
    axis_y="#2FC39B",
    axis_z="#3F9BE0",
    axis_x_text="#F58A58",
    axis_y_text="#4AD8B2",
    axis_z_text="#62B0EC",
    good="#2FC39B",
    amber="#FFC53D",
    amber_ground="#33291A",
    red="#DC7C72",
    red_ground="#381F21",
    sensor="#F0E442",
    frame_a="#56B4E9",
    omega="#CC79A7",
    force="#E69F00",
    slider_track="#39424D",
    knob="#E6E9ED",
    plot_ground="#171B20",
    plot_grid="#252B33",
    scene_top="#15181D",
    scene_bottom="#20252C",
)

LIGHT = Theme(
    name="light",
    is_dark=False,
    window="#E9EDF1",
    panel="#F4F6F8",
    field="#FFFFFF",
    raised="#FFFFFF",
    hover="#E6EBF0",
    selected_row="#DDEBF8",
    separator="#D9DFE5",
    border="#BCC5CE",
    field_border="#848F9A",
    text="#1A1F26",
    quiet="#5B6672",
    disabled="#97A1AB",
    accent="#1F6FBF",
    accent_text="#1B64AD",
    on_accent="#FFFFFF",
    axis_x="#D55E00",
    axis_y="#009E73",
    axis_z="#0072B2",
    axis_x_text="#AC4A00",
    axis_y_text="#00775A",
    axis_z_text="#006BA8",
    good="#00775A",
    amber="#925D00",
    amber_ground="#FBF0D9",
    red="#640006",
    red_ground="#FBE4E2",
    sensor="#978800",
    frame_a="#2E8FC4",
    omega="#A8447F",
    # The reference's orange is too pale on a light background.
    force="#B87700",
    slider_track="#C6CED6",
    knob="#FFFFFF",
    plot_ground="#FBFCFD",
    plot_grid="#E6EAEE",
    scene_top="#FBFCFD",
    scene_bottom="#E9EDF1",
)

THEMES = {theme.name: theme for theme in (DARK, LIGHT)}


def channels(color: str) -> tuple[float, float, float]:
    """Split a colour into red, green and blue from 0 to 1, as required by VTK.

    Examples
    --------
    >>> channels("#FF0000")
    (1.0, 0.0, 0.0)
    """
    return int(color[1:3], 16) / 255, int(color[3:5], 16) / 255, int(color[5:7], 16) / 255


def mix(first: str, second: str, share: float) -> str:
    """Blend two colours; `share` is the fraction of the second one.

    Examples
    --------
    >>> mix("#000000", "#FFFFFF", 0.5)
    '#808080'
    """
    pairs = zip(channels(first), channels(second), strict=True)
    return "#" + "".join(f"{round(255 * (a + (b - a) * share)):02X}" for a, b in pairs)


def contrast(first: str, second: str) -> float:
    """Return the contrast ratio of two colours, 1 to 21.

    References
    ----------
    WCAG 2.2, relative luminance and contrast ratio.

    Examples
    --------
    >>> round(contrast("#FFFFFF", "#000000"), 1)
    21.0
    """
    low, high = sorted((_luminance(first), _luminance(second)))
    return (high + 0.05) / (low + 0.05)


def _luminance(color: str) -> float:
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels(color))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
