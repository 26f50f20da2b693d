"""Forms for the parts of a scene, made from its models: each field has an editor by its kind.

`fields.py` reads the models, `words.py` says what their fields are called and what they refer to, `form.py` puts
editors under each other; the other modules hold the editors. An editor is given a key path, shows the value there and
emits edits of it.
"""
