"""Names of what a step can light: axes of frames, arrows of sensors and of simulated bodies, axles of gimbals."""

from __future__ import annotations

from collections.abc import Iterator

from framescope.core.errors import NoSuchNameError, Problem, near_miss
from framescope.core.evaluation.evaluate import Plan
from framescope.core.scene.schema.model import WORLD, Scene
from framescope.core.scene.schema.references import item_of, owner_of

AXES = ("x", "y", "z")
"""Axes of a frame."""

AXLES = ("outer axle", "middle axle", "inner axle")
"""Axles of the rings of a gimbal."""

ARROWS = {"v": "v", "a": "a", "ω": "w", "z": "z", "f": "s", "F": "f", "M": "t"}
"""Keys of the arrows of sensors by their symbols in the picture."""

FORCE, TORQUE = "F", "M"
"""Symbols of the forces at points and of the torques on bodies."""

_PATH = ("light",)


def lights_of(plan: Plan) -> Iterator[str]:
    """Yield the names of everything in the picture of a plan that a step can light."""
    scene, view_data = plan.scene, plan.view_data
    yield from (f"{letter} of {name}" for name in (WORLD, *scene.frames) for letter in AXES)
    for rings in view_data.rings:
        yield from (f"{axle} of {plan.names[rings.i_frame]}" for axle in AXLES)
    for name, sensor in plan.instruments.sensors.items():
        if ("sensors", name) not in view_data.hidden:
            yield from (f"{symbol} of {name}" for symbol, key in ARROWS.items() if key in sensor.arrows)
    simulated = [name for name in scene.points if ("points", name) not in view_data.hidden]
    if view_data.forces is not None:
        yield from (f"{FORCE} of {name}" for name in simulated)
    if view_data.torques is not None:
        bodies = [
            scene.bodies[scene.points[name].body] for name in scene.points if scene.points[name].body in scene.bodies
        ]
        yield from dict.fromkeys(f"{TORQUE} of {body.frame}" for body in bodies)


def light_problem(light: str, plan: Plan) -> Problem | None:
    """Return the problem of a name that lights nothing in the picture of a plan; None if it lights something."""
    known = list(lights_of(plan))
    if light in known:
        return None
    kind, of, name = light.partition(" of ")
    scene = plan.scene
    example = f"Such as z of {next(iter(scene.frames), WORLD)}."
    if not of or not (kind in AXES or kind in AXLES or kind in ARROWS):
        near = near_miss(light, known) if of else ""
        hint = f"Did you mean {near}?" if near else example
        return Problem(_PATH, f'"{light}" is no axis of a frame, no arrow and no axle of a gimbal.', hint)
    if kind in AXES and name not in scene.sensors:
        return NoSuchNameError(_PATH, "frame", name, (WORLD, *scene.frames)).problem(())
    if kind in AXLES:
        if name not in scene.frames:
            return NoSuchNameError(_PATH, "frame", name, tuple(scene.frames)).problem(())
        return Problem(_PATH, f"{name} has no gimbal in the picture.", "Show its rings in this step.")
    owners = (*scene.sensors, *scene.points, *scene.bodies)
    if name not in (*owners, *scene.frames):
        return NoSuchNameError(_PATH, "sensor", name, owners).problem(())
    others = [entry for entry in known if entry.endswith(f" of {name}")]
    hint = f"It has {', '.join(others)}." if others else "Show its arrows in this step."
    return Problem(_PATH, f"{name} has no arrow {kind} in the picture.", hint)


def frame_of_light(light: str, scene: Scene) -> str:
    """Return the frame at which a lit axis, arrow or axle is; empty if there is none."""
    kind, _, name = light.partition(" of ")
    if name in scene.frames and (kind in (*AXES, *AXLES) or name not in {**scene.sensors, **scene.points}):
        return name
    key = next((key for key in (("sensors", name), ("points", name)) if item_of(scene, key) is not None), None)
    while key is not None and key[0] != "frames":
        item = item_of(scene, key)
        key = None if item is None else owner_of(item)
    return "" if key is None else key[1]
