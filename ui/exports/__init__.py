"""Exports: the formats and the options that exporters, command line and dialog share.

The room lies below the dialogs, so that a command without a window imports none of them. It lies in `ui` and not in
`core`, as an option may hold a camera of the 3D view, and each option states how the dialog asks for it.
"""
