"""Films of several shots.

`core/compiled_film.py` checks a film and converts its times, `core/moments.py` gives everything that a frame shows at
an instant of the film, without drawing. `app/film_frames.py` draws a moment, `app/film_export.py` writes a film from
parts that are kept by their content.
"""
