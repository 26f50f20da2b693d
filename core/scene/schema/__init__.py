"""Schema of scene files: the pydantic models of a scene and all its parts."""
