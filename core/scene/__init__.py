"""The scene as data: the file's schema, the frozen document, reading, writing and editing it.

``model.Scene`` is the document, and at the same time what a file holds: pydantic models, frozen, no
unknown keys. ``loading.load_scene`` reads one, ``saving.scene_text`` writes one, ``edits`` holds the
pure functions from scene to scene.
"""
