"""Edits of a scene: functions that return a changed scene, with a label for undo.

`pose` and `orientation` edit a frame and keep its authored form. `items`, `new_items` and `copies` are the edits of the
outline. `fields` edits any field by its path. If an angle is a parameter, its edits change the parameter
(`driven_parameters`). `schema.references` has the only table of fields that refer to items.
"""
