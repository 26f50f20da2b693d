"""Dialog that lists the topics of a bag, and asks what of it becomes a scene."""

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
"""Of a column, logical pixels."""
_LONGEST, _LONGEST_TITLE = 200, 60
"""Of a name in a row, and in the heading, letters."""
_TOPIC, _GIVES, _MESSAGES, _TYPE = range(4)


class BagImportDialog(QDialog):
    """Lists what a bag holds; transforms are chosen to begin with, and poses where there are none.

    Parameters
    ----------
    name
        Of the bag.
    channels, span_ns, damages
        Of its index: see `framescope.features.bags.core.bag.Bag`.
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
        self._has_transforms = any(_gives(channel) == _TRANSFORMS and channel.count for channel in channels)
        n = len({channel.topic for channel in channels})
        length = "" if span_ns is None else f", {(span_ns[1] - span_ns[0]) / NS:.4g} s"
        self.heading = layouts.plain_label(
            f"{_one_line(name, _LONGEST_TITLE)}: {n} topic{'s' * (n != 1)}{length}", "title"
        )
        text = "What is ticked becomes frames of a new scene, which names the bag and holds none of its motion."
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
        """What is ticked."""
        chosen = [channel for channel in self._ticked() if _gives(channel)]
        spaces = dict.fromkeys(namespace_of(each.topic) for each in chosen if carries_transforms(each))
        topics = dict.fromkeys(each.topic for each in chosen if carries_poses(each))
        robots = dict.fromkeys(each.topic for each in chosen if describes_robot(each))
        return BagChoices(namespaces=tuple(spaces), topics=tuple(topics), robots=tuple(robots))

    def _item(self, channel: Channel) -> QTreeWidgetItem:
        gives = _gives(channel)
        topic, kind = _one_line(channel.topic), _one_line(channel.type)
        item = QTreeWidgetItem([topic, gives or "nothing of frames", f"{channel.count:,}", kind])
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

    def _ticked(self) -> list[Channel]:
        items = (self.topics.topLevelItem(i) for i in range(self.topics.topLevelItemCount()))
        return [
            item.data(_TOPIC, Qt.ItemDataRole.UserRole)
            for item in items
            if item is not None and item.checkState(_TOPIC) == Qt.CheckState.Checked
        ]

    def _check(self) -> None:
        """Let a choice be opened, or say why it cannot."""
        has_any = any(_gives(channel) in (_TRANSFORMS, _POSES) for channel in self._channels)
        is_good = any(_gives(channel) in (_TRANSFORMS, _POSES) for channel in self._ticked())
        self.open_scene.setEnabled(is_good)
        why = "Tick a topic that says where frames are." if has_any else "No topic says where frames are."
        self.reason.setText("" if is_good else why)


def _one_line(text: str, longest: int = _LONGEST) -> str:
    """Return a name in a bag as a row shows it: marks that do not print could break it, or turn it round."""
    plain = "".join(mark if mark.isprintable() else "\N{REPLACEMENT CHARACTER}" for mark in text[: longest + 1])
    return plain if len(plain) <= longest else f"{plain[:longest]}…"


_TRANSFORMS, _POSES, _SHAPES = "transforms", "poses", "shapes of a robot"


def _gives(channel: Channel) -> str:
    if not is_read(channel):
        return ""
    if describes_robot(channel):
        return _SHAPES
    return _TRANSFORMS if carries_transforms(channel) else _POSES if carries_poses(channel) else ""


def _by_topic(channels: Sequence[Channel]) -> tuple[Channel, ...]:
    """Return the channels, those of one topic and type as one, whoever sent them."""
    found: dict[tuple[str, str], Channel] = {}
    for channel in channels:
        key = channel.topic, channel.type
        known = found.get(key)
        if known is None:
            found[key] = channel
        else:
            senders = ", ".join(dict.fromkeys([*known.publisher.split(", "), channel.publisher]))
            found[key] = replace(known, publisher=senders, count=known.count + channel.count)
    return tuple(found.values())


def _in_order(channels: Sequence[Channel]) -> list[Channel]:
    """Return channels, those first that can be taken."""
    rank = {_TRANSFORMS: 0, _POSES: 1, _SHAPES: 2, "": 3}
    return sorted(channels, key=lambda channel: (rank[_gives(channel)], channel.topic, channel.publisher))
