"""Libraries for which poses are written as code. The module is light: it is imported when the program starts."""

from __future__ import annotations

CODE = {"cpp": ("eigen", "tf2"), "python": ("numpy", "scipy", "tf2")}
"""Libraries by language; the first is the default."""

TITLES = {"eigen": "Eigen", "tf2": "tf2", "numpy": "NumPy", "scipy": "SciPy"}
"""Names of the libraries for users."""
