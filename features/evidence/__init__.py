"""Evidence: what the sensors of a recording prove about each other, and how each is mounted.

`core/readings` holds the numbers of each sensor as a recording states them, `core/account` the answer: which sensors
confirm or contradict which, by which fault, how well, and what the motion cannot tell. `core/examine` makes the one
from the other.
"""
