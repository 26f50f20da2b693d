"""Questions: the bar in which a person asks for a signal, and the cards over the scene that answer it.

A question is a signal: what, of, relative to, in axes of, unit. Its answer is a number, a curve, an arrow or a
sentence.
"""
