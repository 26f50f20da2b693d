"""Export formats and options that exporters, command line and dialog share.

The package is separate from the dialogs, so that a command without a window imports none of them. It is in `ui` and not
in `core`, since an option may hold a camera of the 3D view, and each option describes its field in the dialog.
"""
