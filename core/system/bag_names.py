"""File names of bags: single files, and files in the folder of a bag."""

from __future__ import annotations

METADATA = "metadata.yaml"
"""File that describes a bag in a folder."""

PARTS = (".bag", ".mcap", ".db3", ".zstd")
"""Extensions of bags, and of the files in the folder of a bag."""
