"""Edits of a scene: functions from a scene to the next one, with a label for undo.

`pose` and `orientation` edit a frame inside its authored form, `items`, `new_items` and `copies` serve the outline,
`fields` edits any field by its path. An angle that is one parameter is edited through the parameter
(`driven_parameters`). `schema.references` is the one table of names that refer to items.
"""
