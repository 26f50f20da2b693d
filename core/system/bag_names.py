"""Names of the files of bags: what scenes name, and what a bag that is a folder holds."""

from __future__ import annotations

METADATA = "metadata.yaml"
"""File that describes a bag in a folder of its own."""

PARTS = (".bag", ".mcap", ".db3", ".zstd")
"""Endings of bags, and of the parts of one that is a folder."""
