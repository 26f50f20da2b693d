"""Controllers of lessons: the player, and the author."""
