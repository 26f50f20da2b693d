"""Dialog that lists the topics of a bag, and lets the user select those that become a scene."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractItemView, QDialog, QHeaderView, QTreeWidget, QTreeWidgetItem, QWidget

from framescope.core.scene.schema.stamps import NS
from framescope.features.bags.core.bag import Channel
from framescope.features.bags.core.bag_scene import BagChoices
from framescope.features.bags.core.tf_log import (
    carries_poses,
    carries_transforms,
    describes_robot,
    is_read,
    namespace_of,
)
from framescope.ui.formatting.literal_text import literal_text
from framescope.ui.theme.tokens import METRICS
from framescope.ui.widgets import layouts
from framescope.ui.widgets.buttons import push_button

_SIZE = 680, 420
_WIDEST = 260
"""Limit of the width of a column, logical pixels."""
_LONGEST, _LONGEST_TITLE = 200, 60
"""Limits of characters of a name in a row and in the heading."""
_TOPIC, _GIVES, _MESSAGES, _TYPE = range(4)


class BagImportDialog(QDialog):
    """Lists the topics of a bag. At first its transforms are selected, or its poses if it has no transforms.

    Parameters
    ----------
    name
        Name of the bag.
    channels, span_ns, damages
        Contents of its index, see `framescope.features.bags.core.bag.Bag`.
    """

    def __init__(
        self,
        name: str,
        channels: Sequence[Channel],
        span_ns: tuple[int, int] | None,
        damages: Sequence[str] = (),
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setProperty("role", "panel")
        self.setWindowTitle("Open a bag")
        self._channels = channels = _by_topic(channels)
        self._has_transforms = any(_contribution(channel) == _TRANSFORMS and channel.count for channel in channels)
        n = len({channel.topic for channel in channels})
        length = "" if span_ns is None else f", {(span_ns[1] - span_ns[0]) / NS:.4g} s"
        self.heading = layouts.plain_label(
            f"{_one_line(name, _LONGEST_TITLE)}: {n} topic{'s' * (n != 1)}{length}", "title"
        )
        text = "The selected topics become frames of a new scene. The motion stays in the bag."
        self.explanation = layouts.plain_label(text, "quiet", wordWrap=True)
        self.topics = QTreeWidget(columnCount=4)
        self.topics.setRootIsDecorated(False)
        self.topics.setUniformRowHeights(True)
        self.topics.setHeaderLabels(["Topic", "Gives", "Messages", "Type"])
        self.topics.setAccessibleName("topics of the bag")
        self.topics.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.topics.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        header = self.topics.header()
        header.setStretchLastSection(True)
        header.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        for channel in _in_order(channels):
            self.topics.addTopLevelItem(self._item(channel))
        for column in (_TOPIC, _GIVES, _MESSAGES):
            self.topics.ensurePolished()
            self.topics.resizeColumnToContents(column)
            width = self.topics.columnWidth(column) + 2 * METRICS.gap
            self.topics.setColumnWidth(column, min(width, _WIDEST))
        self.topics.headerItem().setTextAlignment(
            _MESSAGES, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        )
        first = self.topics.topLevelItem(0)
        if first is not None:
            self.topics.setCurrentItem(first)
        self.damages = layouts.plain_label("\n".join(damages[:3]), "caption", wordWrap=True)
        self.damages.setVisible(bool(damages))
        self.reason = layouts.plain_label("", "caption", wordWrap=True)
        self.cancel = push_button("Cancel")
        self.open_scene = push_button("Open", kind="main", default=True)
        self.cancel.clicked.connect(self.reject)
        self.open_scene.clicked.connect(self.accept)
        self.topics.itemChanged.connect(lambda _item, _column: self._check())
        buttons = layouts.row(self.reason, layouts.STRETCH, self.cancel, self.open_scene, spacing=METRICS.gap)
        layouts.column(
            self.heading,
            self.explanation,
            (self.topics, 1),
            self.damages,
            buttons,
            on=self,
            margins=METRICS.padding,
            spacing=METRICS.gap,
        )
        self.resize(*_SIZE)
        self._check()

    @property
    def choices(self) -> BagChoices:
        """The selected topics."""
        chosen = [channel for channel in self._selected_channels() if _contribution(channel)]
        spaces = dict.fromkeys(namespace_of(channel.topic) for channel in chosen if carries_transforms(channel))
        topics = dict.fromkeys(channel.topic for channel in chosen if carries_poses(channel))
        robots = dict.fromkeys(channel.topic for channel in chosen if describes_robot(channel))
        return BagChoices(namespaces=tuple(spaces), topics=tuple(topics), robots=tuple(robots))

    def _item(self, channel: Channel) -> QTreeWidgetItem:
        gives = _contribution(channel)
        topic, kind = _one_line(channel.topic), _one_line(channel.type)
        item = QTreeWidgetItem([topic, gives or CONTENTS.get(channel.type, "no poses"), f"{channel.count:,}", kind])
        item.setTextAlignment(_MESSAGES, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        item.setData(_TOPIC, Qt.ItemDataRole.UserRole, channel)
        if gives:
            is_chosen = gives in (_TRANSFORMS, _SHAPES) or not self._has_transforms
            item.setCheckState(_TOPIC, Qt.CheckState.Checked if is_chosen else Qt.CheckState.Unchecked)
        else:
            item.setDisabled(True)
        if channel.publisher:
            item.setToolTip(_TOPIC, literal_text(f"sent by {_one_line(channel.publisher)}"))
        return item

    def _selected_channels(self) -> list[Channel]:
        items = (self.topics.topLevelItem(i) for i in range(self.topics.topLevelItemCount()))
        return [
            item.data(_TOPIC, Qt.ItemDataRole.UserRole)
            for item in items
            if item is not None and item.checkState(_TOPIC) == Qt.CheckState.Checked
        ]

    def _check(self) -> None:
        """Enable the button that opens the selection, or show the reason why it is disabled."""
        has_any = any(_contribution(channel) in (_TRANSFORMS, _POSES) for channel in self._channels)
        is_good = any(_contribution(channel) in (_TRANSFORMS, _POSES) for channel in self._selected_channels())
        self.open_scene.setEnabled(is_good)
        why = "Select a topic with poses of frames." if has_any else "No topic has poses of frames."
        self.reason.setText("" if is_good else why)


def _one_line(text: str, longest: int = _LONGEST) -> str:
    """Return a name in a bag as a row shows it, without characters that could break the row or reverse its text."""
    plain = "".join(mark if mark.isprintable() else "\N{REPLACEMENT CHARACTER}" for mark in text[: longest + 1])
    return plain if len(plain) <= longest else f"{plain[:longest]}…"


_TRANSFORMS, _POSES, _SHAPES = "transforms", "poses", "shapes of a robot"

CONTENTS = {
    "sensor_msgs/Imu": "orientation, rate, force",
    "sensor_msgs/MagneticField": "magnetic field",
    "sensor_msgs/NavSatFix": "place on the Earth",
    "sensor_msgs/JointState": "angles of joints",
    "geometry_msgs/Twist": "velocity, rate",
    "geometry_msgs/TwistStamped": "velocity, rate",
    "geometry_msgs/TwistWithCovarianceStamped": "velocity, rate",
    "sensor_msgs/CameraInfo": "lens of a camera",
}
"""Words for the contents of topics that give no poses but tell of motion, by type of message."""


def _contribution(channel: Channel) -> str:
    if not is_read(channel):
        return ""
    if describes_robot(channel):
        return _SHAPES
    return _TRANSFORMS if carries_transforms(channel) else _POSES if carries_poses(channel) else ""


def _by_topic(channels: Sequence[Channel]) -> tuple[Channel, ...]:
    """Return the channels merged by topic and type, regardless of their senders."""
    merged: dict[tuple[str, str], Channel] = {}
    for channel in channels:
        key = channel.topic, channel.type
        known = merged.get(key)
        if known is None:
            merged[key] = channel
        else:
            senders = ", ".join(dict.fromkeys([*known.publisher.split(", "), channel.publisher]))
            merged[key] = replace(known, publisher=senders, count=known.count + channel.count)
    return tuple(merged.values())


def _in_order(channels: Sequence[Channel]) -> list[Channel]:
    """Return the channels sorted so that selectable ones are first."""
    rank = {_TRANSFORMS: 0, _POSES: 1, _SHAPES: 2, "": 3}
    return sorted(channels, key=lambda channel: (rank[_contribution(channel)], channel.topic, channel.publisher))
