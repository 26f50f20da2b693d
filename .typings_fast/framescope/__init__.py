"""Framescope from Python: load, check, evaluate, export and show scenes of reference frames.

`load` reads a scene, a robot, a bag or a result. The other functions take its return value, a `Scene` made in code, or
the path of a file. `framescope.core` has the mathematics alone and imports neither Qt nor VTK.

Examples
--------
>>> import framescope
>>> from framescope.core.scene import Axes, Frame
>>> turn = Axes(sequence="ZYX", angles=("90*t", 20, 0), unit="deg")
>>> scene = framescope.Scene(frames={"arm": Frame(parent="world", orientation=turn)})
>>> framescope.check(scene)
()
>>> framescope.evaluate(scene, [0.0, 1.0], "angles of arm relative to world by ZYX in deg").round(6) + 0
array([[ 0., 20.,  0.],
       [90., 20.,  0.]])
"""

import sys

if sys.argv[:1] == ["-m"] and not sys.flags.safe_path:
    # `python -m framescope.app` would import modules from the current folder, such as files beside a scene.
    # This precedes all imports, as the folder can hold even a `typing.py`.
    del sys.path[0]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from framescope.app import check, evaluate, export, load, show
    from framescope.core.scene import Scene

    __version__: str

__all__ = ["Scene", "__version__", "check", "evaluate", "export", "load", "show"]

_HOMES = dict.fromkeys(("check", "evaluate", "export", "load", "show"), "framescope.app") | {
    "Scene": "framescope.core.scene"
}
"""Modules of the public names, imported on first use, so that `framescope.core` does not load them."""


def __getattr__(name: str) -> "Any":
    if name == "__version__":
        from importlib.metadata import version

        return version("framescope")
    if name in _HOMES:
        from importlib import import_module

        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
