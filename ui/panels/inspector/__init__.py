"""The inspector: all fields of the selected item, to view and edit.

`editors.fields` turns pydantic models into fields, `field_labels` names them, and each kind of value has one editor.
A test walks all models, so that every key of a scene file has an editor.
"""
