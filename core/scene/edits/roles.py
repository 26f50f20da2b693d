"""Edits that show or hide the shapes of robots by role: visual, collision, and distribution of mass."""

from __future__ import annotations

from collections.abc import Mapping
from typing import get_args

from framescope.core.scene.edits.base import Edit
from framescope.core.scene.edits.items import set_hidden
from framescope.core.scene.schema.bodies import Role
from framescope.core.scene.schema.model import Scene

ROLES: tuple[Role, ...] = get_args(Role)

ROLE_TITLES: Mapping[Role, str] = {"visual": "Visual", "collision": "Collision", "inertia": "Inertia"}
"""Words for the roles on buttons."""


def visible_roles(scene: Scene) -> dict[Role, bool]:
    """Return the roles of a scene's bodies, and whether any body of each role is visible.

    >>> visible_roles(Scene())
    {}
    """
    hidden = set(scene.view.hidden.bodies)
    visibility = dict[Role, bool]()
    for name, body in scene.bodies.items():
        if body.role is not None:
            visibility[body.role] = visibility.get(body.role, False) or name not in hidden
    return {role: visibility[role] for role in ROLES if role in visibility}


def show_role(role: Role, is_shown: bool) -> Edit:
    """Return the edit that shows or hides all bodies of a role.

    Examples
    --------
    >>> from framescope.core.scene.schema.base import FrozenDict
    >>> from framescope.core.scene.schema.bodies import Body, Box
    >>> box = Body(frame="world", shape=Box(size=(1.0, 1.0, 1.0), unit="m"), role="collision")
    >>> show_role("collision", False).apply(Scene(bodies=FrozenDict(box=box))).view.hidden.bodies
    ('box',)
    """

    def apply(scene: Scene) -> Scene:
        keys = [("bodies", name) for name, body in scene.bodies.items() if body.role == role]
        return set_hidden(scene, keys, not is_shown).apply(scene) if keys else scene

    return Edit(f"{'Showed' if is_shown else 'Hid'} {ROLE_TITLES[role].lower()} shapes", apply)
