"""Dialog of what of a bag becomes a scene."""
