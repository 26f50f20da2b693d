"""The faults of a scene as rows; each is put into words when it is asked for, as there may be a thousand."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from framescope.core.analysis.diagnostics import Diagnosis

FAULT_ROLE = Qt.ItemDataRole.UserRole

Index = QModelIndex | QPersistentModelIndex


class FaultsModel(QAbstractListModel):
    """Rows of faults."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.faults: tuple[Diagnosis, ...] = ()

    def set_faults(self, faults: Sequence[Diagnosis]) -> None:
        """Show other faults, in this order."""
        self.beginResetModel()
        self.faults = tuple(faults)
        self.endResetModel()

    def rowCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self.faults)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid():
            return None
        fault = self.faults[index.row()]
        match role:
            case Qt.ItemDataRole.UserRole:
                return fault
            case Qt.ItemDataRole.AccessibleTextRole:
                mend = f". Ctrl Return: {fault.mend_text}" if fault.mend is not None else ""
                return f"{fault.title} {fault.problem}{mend}".strip()
            case Qt.ItemDataRole.ToolTipRole:
                return f"<qt>{escape(str(fault.problem))}</qt>"
            case _:
                return None
