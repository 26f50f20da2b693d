"""Controller and command of the table import."""
