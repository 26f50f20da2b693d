"""Causes: the item and the hypothesis that explain what is missed, judged by all that a scene knows."""
