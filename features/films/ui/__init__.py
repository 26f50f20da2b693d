"""Panels of films: the strip of shots with the clock of the film, and the fields of a shot."""
