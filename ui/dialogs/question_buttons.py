"""Room for the buttons of a question."""

from PySide6.QtWidgets import QDialogButtonBox, QMessageBox


def give_buttons_room(box: QMessageBox) -> None:
    """Widen a question for the words of its own buttons: the theme sets a width that suits the usual ones."""
    box.ensurePolished()
    buttons = box.findChild(QDialogButtonBox)
    if isinstance(buttons, QDialogButtonBox):
        buttons.ensurePolished()
        for button in buttons.buttons():
            button.ensurePolished()
        buttons.setMinimumWidth(max(buttons.minimumWidth(), buttons.sizeHint().width()))
