"""Controllers of recordings: imported tables and bags, and the panel that shows them over time."""
