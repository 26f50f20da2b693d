"""Causes of misses: items and hypotheses that explain deviations, judged by all measurements of a scene."""
