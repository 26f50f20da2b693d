"""The schema of scene files: the pydantic models of a scene and all that is in it."""
