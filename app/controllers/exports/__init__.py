"""Controllers of exports and pictures: their dialogs, and what is under way."""
