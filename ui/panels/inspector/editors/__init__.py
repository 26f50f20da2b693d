"""Forms for the parts of a scene, generated from its models. Each field has an editor of its kind.

`fields.py` reads the models, `field_labels.py` has the labels of fields and the kinds of items that they refer to, and
`form.py` arranges editors. The other modules contain the editors. An editor gets a key path, shows the value there and
emits edits of it.
"""
