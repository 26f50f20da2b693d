"""
The Qt stylesheet, generated from the tokens of a theme. Pure text: imports no Qt.

Widgets ask for a look with dynamic properties: `role` on labels and frames, `kind` on buttons, `invalid` on fields.
"""

from dataclasses import asdict
from string import Template

from framescope.ui.theme.tokens import METRICS, NUMBER_FAMILY, Theme

IMAGE_SCHEME = "framescope-images"

# Images of sub-controls: name of the icon and role of its colour, by their own names.
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
    """Return file name -> (icon, role) of every image the stylesheet names."""
    return {f"{name}-{theme.name}.svg": found for name, found in _IMAGES.items()}


def stylesheet(theme: Theme) -> str:
    """Return the stylesheet of the whole application."""
    tokens = asdict(theme) | asdict(METRICS) | {"mono": NUMBER_FAMILY, "field_color": theme.field}
    for name in _IMAGES:
        tokens["image_" + name.replace("-", "_")] = f'url("{IMAGE_SCHEME}:{name}-{theme.name}.svg")'
    return Template(_SHEET).substitute(tokens)


# Heights are of the content: 2 px less than the control for its border.
_SHEET = """
QMainWindow, QDialog { background: $window; }
QMessageBox { background: $panel; }
QDialogButtonBox { dialogbuttonbox-buttons-have-icons: 0; }
QWidget[role="panel"], QDockWidget, QDialog[role="panel"] { background: $panel; color: $text; }
QWidget[role="scene"] { background: $scene_top; }
QWidget[role="header"] { background: $panel; }
QWidget[role="dock-header"] { background: $panel; border-bottom: 1px solid $separator; }
QMainWindow::separator { background: $separator; width: 1px; height: 1px; }
QMainWindow::separator:hover { background: $accent; }
QSplitter::handle { background: $separator; }
QSplitter::handle:horizontal { width: 1px; }
QSplitter::handle:vertical { height: 1px; }

QMenuBar { background: $panel; color: $text; border: none; padding: 0 8px; }
QMenuBar::item { background: transparent; padding: 6px 8px; margin: 4px 0; border-radius: ${field_radius}px; }
QMenuBar::item:selected, QMenuBar::item:pressed { background: $hover; }
QMenu { background: $raised; color: $text; border: 1px solid $field_border; padding: 4px; }
QMenu::item { padding: 5px 24px 5px 10px; border-radius: ${field_radius}px; }
QMenu::item:selected { background: $selected_row; }
QMenu::item:disabled { color: $disabled; }
QMenu::separator { height: 1px; background: $separator; margin: 4px 6px; }
QMenu::icon { padding-left: 8px; }

QStatusBar { background: $panel; color: $quiet; border-top: 1px solid $separator; font-size: ${secondary}px; }
QStatusBar::item { border: none; }
QStatusBar QLabel { color: $quiet; font-size: ${secondary}px; }
QStatusBar QPushButton[kind="link"] { font-size: ${secondary}px; min-height: 20px; max-height: 20px; }
QStatusBar QPushButton[kind="link"]:focus { min-height: 16px; max-height: 16px; }
QToolTip {
    background: $raised; color: $text; border: 1px solid $field_border; padding: 5px 7px; font-size: ${secondary}px;
}

QLabel { background: transparent; color: $text; }
QLabel[role="title"] { font-weight: 600; }
QLabel[role="section"] { font-weight: 550; }
QLabel[role="quiet"] { color: $quiet; font-size: ${secondary}px; }
QLabel[role="caption"] { color: $quiet; font-size: ${caption}px; }
QLabel[role="number"] { font-family: "$mono"; font-size: ${number}px; }
QLabel[role="code"] { font-family: "$mono"; font-size: ${number}px; color: $quiet; }
QLabel[role="hint"] { color: $accent_text; font-size: ${secondary}px; }
QLabel[role="error"] { color: $red; font-size: ${secondary}px; }
QLabel[role="warning"] { color: $amber; font-size: ${secondary}px; }
QLabel[role="key"] {
    color: $quiet; font-size: ${caption}px; padding: 0 5px;
    border: 1px solid $field_border; border-radius: ${field_radius}px;
}
QLabel[axis="x"] { color: $axis_x_text; font-size: ${secondary}px; }
QLabel[axis="y"] { color: $axis_y_text; font-size: ${secondary}px; }
QLabel[axis="z"] { color: $axis_z_text; font-size: ${secondary}px; }
QLabel:disabled { color: $disabled; }
QFrame[role="separator"] { background: $separator; border: none; }
QFrame[role="card"] { background: $panel; border: 1px solid $separator; border-radius: ${card_radius}px; }
QFrame[role="popup"] { background: $raised; border: 1px solid $field_border; border-radius: ${card_radius}px; }
QFrame[role="verdict"] { background: $hover; border: none; border-radius: ${button_radius}px; }
QFrame[role="amber"] { background: $amber_ground; border: none; border-radius: ${button_radius}px; }
QFrame[role="red"] { background: $red_ground; border: none; border-radius: ${button_radius}px; }

QPushButton, QToolButton, QCheckBox, QRadioButton, QTabBar { outline: none; }

QLineEdit, QPlainTextEdit, QTextEdit {
    background: $field_color; color: $text; border: 1px solid $field_border; border-radius: ${field_radius}px;
    padding: 1px; selection-background-color: $accent; selection-color: $on_accent;
}
QLineEdit { padding: 1px 5px; }
QTextBrowser, QTextBrowser:hover, QTextBrowser:focus {
    background: $panel; border: none; padding: 16px 4px 16px 24px;
}
QLineEdit { min-height: 20px; }
QLineEdit:hover, QPlainTextEdit:hover, QTextEdit:hover { border-color: $quiet; }
QLineEdit:focus, QPlainTextEdit:focus, QTextEdit:focus { border: 2px solid $accent; padding: 0; }
QLineEdit:focus { padding: 0 4px; }
QLineEdit:disabled, QPlainTextEdit:disabled { color: $disabled; border-color: $separator; background: $panel; }
QLineEdit:read-only { background: $panel; border-color: $separator; }
QLineEdit:read-only:focus { border: 2px solid $accent; }
QLineEdit[invalid="true"] { border: 1px solid $red; background: $red_ground; }
QLineEdit[invalid="true"]:focus { border: 2px solid $red; }
QLineEdit[kind="number"] { font-family: "$mono"; font-size: ${number}px; padding: 1px; }
QLineEdit[kind="number"]:focus { padding: 0; }
QLineEdit[kind="expression"] { font-family: "$mono"; font-size: ${number}px; padding: 0 9px; min-height: 16px; }
QLineEdit[kind="expression"]:focus, QLineEdit[kind="expression"][invalid="true"]:focus { padding: 0 8px; }
QLineEdit[axis="x"] { color: $axis_x_text; }
QLineEdit[axis="y"] { color: $axis_y_text; }
QLineEdit[axis="z"] { color: $axis_z_text; }
QAbstractSpinBox QLineEdit, QComboBox QLineEdit { border: none; background: transparent; padding: 0; min-height: 0; }
QAbstractSpinBox QLineEdit:focus, QComboBox QLineEdit:focus { border: none; padding: 0; }
QLineEdit[kind="search"] { border-radius: ${button_radius}px; min-height: 24px; padding: 1px 7px; }
QLineEdit[kind="search"]:focus { padding: 0 6px; }

QPushButton, QToolButton[kind="push"] {
    background: $raised; color: $text; border: 1px solid $field_border; border-radius: ${button_radius}px;
    padding: 0 10px; min-height: 26px; font-size: ${base}px; font-weight: 500;
}
QPushButton:hover { background: $hover; }
QPushButton:pressed { background: $field_color; }
QPushButton:checked { background: $selected_row; border-color: $accent; }
QPushButton:disabled { color: $disabled; background: $panel; border-color: $separator; }
QPushButton:focus { border: 2px solid $accent; padding: 0 9px; min-height: 24px; }
QPushButton[kind="main"] { background: $accent; color: $on_accent; border-color: $accent; font-weight: 600; }
QPushButton[kind="main"]:hover { background: $accent_text; border-color: $accent_text; }
QPushButton[kind="main"]:focus { border-color: $text; }
QPushButton[kind="main"]:disabled { background: $slider_track; color: $disabled; border-color: $slider_track; }
QPushButton[kind="small"] { min-height: 22px; padding: 0 8px; font-size: ${secondary}px; }
QPushButton[kind="small"]:focus { min-height: 20px; padding: 0 7px; }
QPushButton[kind="chip"] { background: transparent; border: 2px solid transparent; padding: 0 7px; min-height: 24px; }
QPushButton[kind="chip"]:hover { background: $hover; }
QPushButton[kind="chip"][lit="true"] { background: $selected_row; }
QPushButton[kind="chip"]:focus { border-color: $accent; }
QPushButton[kind="code"] { font-family: "$mono"; font-size: ${number}px; font-weight: 400; padding: 0 2px; }
QPushButton[kind="code"]:focus { padding: 0 1px; }
QPushButton[kind="link"] { background: transparent; border: none; color: $accent_text; padding: 0 2px; }
QPushButton[kind="link"]:hover { text-decoration: underline; }
QPushButton[kind="link"]:focus { border: 2px solid $accent; padding: 0; }

QToolButton { background: transparent; border: none; border-radius: ${button_radius}px; color: $quiet; padding: 0; }
QToolButton:hover { background: $hover; }
QToolButton:pressed { background: $field_color; }
QToolButton:checked { background: $selected_row; }
QToolButton:focus { border: 2px solid $accent; }
QToolButton[kind="main"] { background: $accent; }
QToolButton[kind="main"]:hover { background: $accent_text; }
QToolButton[kind="main"]:focus { border: 2px solid $text; }
QToolButton::menu-indicator { image: none; }

QFrame[role="segmented"] {
    background: $field_color; border: 1px solid $field_border; border-radius: ${button_radius}px;
}
QFrame[role="segmented"] QPushButton {
    background: transparent; border: none; border-radius: ${field_radius}px; color: $quiet; font-weight: 400;
    padding: 0 10px; min-height: 22px;
}
QFrame[role="segmented"] QPushButton:hover { color: $text; }
QFrame[role="segmented"] QPushButton:checked { background: $selected_row; color: $text; font-weight: 600; }
QFrame[role="segmented"] QPushButton:disabled { color: $disabled; }
QFrame[role="segmented"] QPushButton:focus { border: 2px solid $accent; padding: 0 8px; min-height: 18px; }

QComboBox {
    background: $field_color; color: $text; border: 1px solid $field_border; border-radius: ${button_radius}px;
    padding: 0 4px 0 9px; min-height: 26px; combobox-popup: 0;
}
QComboBox:hover { border-color: $quiet; }
QComboBox:focus { border: 2px solid $accent; padding: 0 3px 0 8px; min-height: 24px; }
QComboBox:disabled { color: $disabled; border-color: $separator; background: $panel; }
QComboBox[invalid="true"] { border-color: $red; background: $red_ground; }
QComboBox[kind="number"] { font-family: "$mono"; font-size: ${number}px; min-height: 22px; }
QComboBox[kind="number"]:focus { min-height: 20px; }
QComboBox[kind="field"], QComboBox[kind="unit"] {
    min-height: 22px; padding: 0 2px 0 7px; border-radius: ${field_radius}px;
}
QComboBox[kind="field"]:focus, QComboBox[kind="unit"]:focus { min-height: 20px; padding: 0 1px 0 6px; }
QComboBox[kind="unit"] { font-size: ${secondary}px; }
QComboBox[kind="frame"] { padding: 0 4px 0 1px; }
QComboBox[kind="frame"]:focus { padding: 0 3px 0 0; }
QComboBox::drop-down { border: none; width: 22px; }
QComboBox[kind="field"]::drop-down, QComboBox[kind="unit"]::drop-down { width: 18px; }
QToolButton[kind="fold"] { color: $text; font-weight: 550; }
QComboBox::down-arrow { image: $image_chevron_down; width: 14px; height: 14px; }
QComboBox QAbstractItemView {
    background: $raised; color: $text; border: 1px solid $field_border; padding: 4px; outline: none;
    selection-background-color: $selected_row; selection-color: $text;
}
QListView[role="completions"] {
    background: $raised; color: $text; border: 1px solid $field_border; padding: 0; outline: none;
}
QListView[role="completions"]::item { min-height: 24px; padding: 0 6px; border-radius: ${field_radius}px; }
QComboBox QAbstractItemView::item { min-height: 24px; padding: 0 6px; border-radius: ${field_radius}px; }

QSpinBox, QDoubleSpinBox {
    background: $field_color; color: $text; border: 1px solid $field_border; border-radius: ${field_radius}px;
    padding: 0 4px; min-height: 22px; font-family: "$mono"; font-size: ${number}px;
}
QSpinBox:focus, QDoubleSpinBox:focus { border: 2px solid $accent; padding: 0 3px; min-height: 20px; }
QSpinBox::up-button, QDoubleSpinBox::up-button { border: none; width: 16px; subcontrol-position: top right; }
QSpinBox::down-button, QDoubleSpinBox::down-button { border: none; width: 16px; subcontrol-position: bottom right; }
QSpinBox::up-arrow, QDoubleSpinBox::up-arrow { image: $image_chevron_up; width: 10px; height: 10px; }
QSpinBox::down-arrow, QDoubleSpinBox::down-arrow { image: $image_chevron_down; width: 10px; height: 10px; }

QCheckBox, QRadioButton { color: $text; spacing: 8px; background: transparent; }
QCheckBox:disabled, QRadioButton:disabled { color: $disabled; }
QCheckBox::indicator, QAbstractItemView::indicator, QRadioButton::indicator {
    width: 14px; height: 14px; border: 1px solid $field_border; background: $field_color; border-radius: 3px;
}
QRadioButton::indicator { border-radius: 8px; }
QCheckBox::indicator:hover, QAbstractItemView::indicator:hover, QRadioButton::indicator:hover { border-color: $quiet; }
QCheckBox::indicator:focus { border: 2px solid $accent; width: 12px; height: 12px; }
QRadioButton::indicator:focus { border: 2px solid $accent; width: 12px; height: 12px; }
QCheckBox::indicator:checked, QAbstractItemView::indicator:checked {
    background: $accent; border-color: $accent; image: $image_check;
}
QCheckBox::indicator:checked:focus, QCheckBox::indicator:indeterminate:focus { border-color: $text; }
QCheckBox::indicator:indeterminate, QAbstractItemView::indicator:indeterminate {
    background: $accent; border-color: $accent; image: $image_minus;
}
QCheckBox::indicator:disabled, QAbstractItemView::indicator:disabled, QRadioButton::indicator:disabled {
    background: $panel; border-color: $separator;
}
QCheckBox::indicator:checked:disabled, QAbstractItemView::indicator:checked:disabled {
    background: $slider_track; border-color: $slider_track; image: $image_check_disabled;
}
QCheckBox::indicator:indeterminate:disabled, QAbstractItemView::indicator:indeterminate:disabled {
    background: $slider_track; border-color: $slider_track; image: $image_minus_disabled;
}
QRadioButton::indicator:checked { border: 5px solid $accent; width: 6px; height: 6px; background: $on_accent; }
QRadioButton::indicator:checked:focus { border-color: $text; }
QRadioButton::indicator:checked:disabled { border-color: $slider_track; background: $disabled; }

QAbstractItemView {
    background: $panel; color: $text; border: none; outline: none;
    selection-background-color: $selected_row; selection-color: $text;
}
QTreeView::item, QListView::item, QTableView::item { min-height: ${outline_row}px; border: none; }
QTreeView::item:hover, QListView::item:hover { background: $hover; }
QTreeView::item:selected, QListView::item:selected { background: $selected_row; color: $text; }
QTreeView::branch { background: transparent; }
QTreeView::branch:selected { background: $selected_row; }
QTreeView::branch:closed:has-children { image: $image_chevron_right; }
QTreeView::branch:open:has-children { image: $image_chevron_down; }
QHeaderView { background: $panel; }
QHeaderView::section {
    background: $panel; color: $quiet; border: none; border-bottom: 1px solid $separator; padding: 4px 8px;
    font-size: ${secondary}px;
}

QTableCornerButton::section { background: $panel; border: none; border-bottom: 1px solid $separator; }

QScrollArea { background: $panel; border: none; }
QScrollArea > QWidget > QWidget { background: $panel; }
QAbstractScrollArea::corner { background: $panel; border: none; }
QScrollBar { background: transparent; border: none; margin: 0; }
QScrollBar:vertical { width: 8px; }
QScrollBar:horizontal { height: 8px; }
QScrollBar::handle { background: $field_border; border-radius: 2px; margin: 2px; }
QScrollBar::handle:hover { background: $disabled; }
QScrollBar::handle:vertical { min-height: 24px; }
QScrollBar::handle:horizontal { min-width: 24px; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; border: none; }
QScrollBar::add-page, QScrollBar::sub-page { background: none; }

QTabWidget::pane { border: none; border-top: 1px solid $separator; }
QTabBar { background: transparent; }
QTabBar::tab { background: transparent; color: $quiet; padding: 6px 10px; border-bottom: 2px solid transparent; }
QTabBar::tab:hover { color: $text; }
QTabBar::tab:selected { color: $text; border-bottom-color: $accent; }
QTabBar::tab:selected:focus { border: 2px solid $accent; border-radius: ${field_radius}px; padding: 4px 8px 6px 8px; }

QProgressBar {
    background: $slider_track; color: transparent; border: none; border-radius: 3px; min-height: 6px; max-height: 6px;
}
QProgressBar::chunk { background: $accent; border-radius: 3px; }
QGroupBox { border: 1px solid $separator; border-radius: ${card_radius}px; margin-top: 8px; padding: 8px; }
QGroupBox::title { subcontrol-origin: margin; left: 8px; padding: 0 4px; color: $quiet; }
"""
