"""Films without drawing: checked films, and their moments."""
