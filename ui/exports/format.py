"""Format of an export: what the program writes, in the words of the dialog and as the exporters need it."""

from __future__ import annotations

from dataclasses import dataclass

from framescope.core.system.optional_packages import Extra


@dataclass(frozen=True)
class Format:
    """What can be made of a scene; one without a title is not offered in the dialog, as another one stands for it.

    Attributes
    ----------
    key, suffix, group
        What it is remembered by, the ending of its file, and the heading it stands under.
    title, use
        What it is, and what it is good for.
    module
        Its ``write(request)`` makes the file; it is imported when it is needed.
    called
        The format in a sentence, such as ``"a GIF"``.
    takes
        Names of the options that mean something to it.
    is_even
        Whether width and height must be even.
    fps, min_fps, max_fps
        Frames, or rows, a second: when nobody says how many, at least, and at most.
    extra
        The package that it needs besides those that are always there.
    is_still
        Whether it is one picture of a moment.
    omits
        Function that takes a plan and yields the items that the format cannot hold, as ``"package.module:function"``.
        Empty: none.
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

    @property
    def max_side(self) -> int:
        """The longest side that it may have, pixels."""
        return 8192 if self.is_still else 7680

    @property
    def is_seen(self) -> bool:
        """Whether there is something to see of it beforehand."""
        return "theme" in self.takes

    @property
    def is_looping(self) -> bool:
        """Whether it plays by itself, over and over, and is best small."""
        return self.key in ("gif", "apng")

    @property
    def kin(self) -> str:
        """What has sizes and rates like it."""
        return "looping" if self.is_looping else self.group

    @property
    def size(self) -> str:
        """The name of its size at first."""
        return "small" if self.is_looping else "1080p"

    @property
    def is_table(self) -> bool:
        """Whether it has rows instead of frames."""
        return self.group == "Numbers"
