"""The JSON Schema of scene files, for editors; ``framescope schema`` writes the copy in ``assets``."""

from __future__ import annotations

import json
import warnings
from typing import Any

from pydantic.json_schema import PydanticJsonSchemaWarning

from framescope.core.scene.schema.model import Scene


def scene_schema() -> dict[str, Any]:
    """Return the JSON Schema (draft 2020-12) of a scene file.

    >>> scene_schema()["properties"]["framescope"]["const"]
    1
    """
    with warnings.catch_warnings():
        # Default values that are empty mappings cannot be expressed in a schema.
        warnings.simplefilter("ignore", PydanticJsonSchemaWarning)
        schema = Scene.model_json_schema()
    schema["$schema"] = "https://json-schema.org/draft/2020-12/schema"
    schema["title"] = "Framescope scene"
    schema["required"] = ["framescope"]
    return schema


def schema_text() -> str:
    """Return the schema as the text of its file."""
    return json.dumps(scene_schema(), indent=1, ensure_ascii=False) + "\n"
