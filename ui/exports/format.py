"""Format of an export, with its texts for the dialog and its limits for the exporters."""

from __future__ import annotations

from dataclasses import dataclass

from framescope.core.system.optional_packages import Extra

TREE_GROUP = "Tree of frames"
"""Heading of the formats of trees."""


@dataclass(frozen=True)
class Format:
    """Export format. A format without a title is not in the dialog, because another one represents it.

    Attributes
    ----------
    key, suffix, group
        Key in the settings, ending of the file, and heading in the dialog.
    title, use
        Name and purpose.
    module
        Module whose ``write(request)`` writes the file; imported when needed.
    called
        The format in a sentence, such as ``"a GIF"``.
    takes
        Names of the options that apply to the format.
    is_even
        Whether width and height must be even.
    fps, min_fps, max_fps
        Frames, or rows, per second: default, minimum and maximum.
    extra
        Optional package that the format needs.
    is_still
        Whether the format is a single picture.
    omits
        Function that takes a plan and yields the items that the format cannot hold, as ``"package.module:function"``.
        Empty: none.
    summary
        Function that takes a request and returns a sentence on the content of the file, for the dialog, as
        ``"package.module:function"``. It may raise an `ExportError`. Empty: the dialog counts frames, rows or files.
    preview
        Function that takes a request and returns the text of the file, for the dialog, as
        ``"package.module:function"``. It may raise an `ExportError`. Empty: none.
    libraries
        Libraries for which the format writes code: text and value of each, the default first.
    first_size
        Name of the size that the dialog offers first, in place of the usual one.
    """

    key: str
    suffix: str
    group: str
    title: str
    use: str
    module: str
    called: str
    takes: frozenset[str]
    is_even: bool = False
    fps: float = 30.0
    max_fps: float = 1000.0
    extra: Extra | None = None
    is_still: bool = False
    min_fps: float = 0.0
    omits: str = ""
    summary: str = ""
    preview: str = ""
    libraries: tuple[tuple[str, str], ...] = ()
    first_size: str = ""

    @property
    def max_side(self) -> int:
        """Maximum length of a side, pixels."""
        return 8192 if self.is_still else 7680

    @property
    def is_seen(self) -> bool:
        """Whether the format has a preview."""
        return "theme" in self.takes

    @property
    def is_looping(self) -> bool:
        """Whether the format loops by itself and should be small."""
        return self.key in ("gif", "apng")

    @property
    def kin(self) -> str:
        """Key of the formats that share size and rate in the dialog."""
        return "looping" if self.is_looping else self.group

    @property
    def size(self) -> str:
        """Name of the size that the dialog offers first."""
        return self.first_size or ("small" if self.is_looping else "1080p")

    @property
    def is_video(self) -> bool:
        """Whether the format is a video, with a choice of quality."""
        return "quality" in self.takes

    @property
    def is_table(self) -> bool:
        """Whether the format has rows instead of frames."""
        return self.group == "Numbers"

    @property
    def is_tree(self) -> bool:
        """Whether the format holds the frames below one, which the option `frame` names."""
        return self.group == TREE_GROUP
