"""Parts of a link in SDFormat: its inertia, and its shapes with their colours."""

from __future__ import annotations

from collections.abc import Iterator

from framescope.core.system.xml_elements import Element
from framescope.features.robots.core.link_colors import gazebo_color, hex_color
from framescope.features.robots.core.robot import (
    BoxShape,
    CapsuleShape,
    CylinderShape,
    EllipsoidShape,
    Geometry,
    Inertial,
    MeshShape,
    Placement,
    RobotShape,
    SphereShape,
)
from framescope.features.robots.core.robot_placement import placement_of
from framescope.features.robots.core.sdf.values import SdfValues


class SdfParts(SdfValues):
    """Reader of the parts of links, with the faults found so far."""

    def inertial(self, element: Element, where: str) -> Inertial:
        """Return mass and moments of inertia of a link; missing values are 1."""
        inertia = element.first("inertia")
        (mass,) = self.numbers_in(element.first("mass"), 1, where, (1.0,))
        usual = (1.0, 1.0, 1.0, 0.0, 0.0, 0.0)
        names = ("ixx", "iyy", "izz", "ixy", "ixz", "iyz")
        values = (
            default if inertia is None else self.numbers_in(inertia.first(name), 1, where, (default,))[0]
            for name, default in zip(names, usual, strict=True)
        )
        return Inertial(mass, *values, placement=self.own_placement(element, where), line=self.line(element))

    def own_placement(self, element: Element, where: str) -> Placement:
        """Return the placement of a part in its link."""
        raw, relative_to = self.pose(element, where)
        if relative_to:
            message = f'the pose of <{element.tag}> is relative to "{relative_to[:60]}".'
            self.fault(element, "relative part", where, message, "It is read as relative to its link.")
        return placement_of(raw, self.line(element))

    def geometries(self, elements: Iterator[Element], where: str) -> Iterator[Geometry]:
        """Yield the drawable shapes of a link."""
        for element in elements:
            holder = element.first("geometry")
            shape = None if holder is None else self.shape(holder, where)
            if shape is None:
                kinds = ", ".join(f"<{child.tag}>" for child in holder.children) if holder is not None else "nothing"
                message = f"<{element.tag}> is {kinds[:80] or 'nothing'}, which is not drawn."
                self.fault(element, "no shape", where, message, severity="note")
                continue
            color, opacity = self.color(element, where)
            place = self.own_placement(element, where)
            yield Geometry(shape, place, color, opacity, element.get("name") or "", self.line(element))

    def shape(self, holder: Element, where: str) -> RobotShape | None:
        """Return the shape in a <geometry>; None if it is not drawn."""

        def sizes(element: Element, name: str, count: int = 1, usual: float = 1.0) -> tuple[float, ...]:
            numbers = self.numbers_in(element.first(name), count, where, (usual,) * count)
            if min(numbers) <= 0.0:
                message = f"{name} of <{element.tag}> is not above zero."
                self.fault(element, "no size", where, message, "It is taken as 1 mm there.")
            return tuple(max(number, 0.001) for number in numbers)

        if (box := holder.first("box")) is not None:
            x, y, z = sizes(box, "size", 3)
            return BoxShape((x, y, z))
        if (sphere := holder.first("sphere")) is not None:
            return SphereShape(*sizes(sphere, "radius"))
        if (ellipsoid := holder.first("ellipsoid")) is not None:
            x, y, z = sizes(ellipsoid, "radii", 3)
            return EllipsoidShape((x, y, z))
        for tag, shape in (("cylinder", CylinderShape), ("capsule", CapsuleShape)):
            if (round_ := holder.first(tag)) is not None:
                return shape(*sizes(round_, "radius"), *sizes(round_, "length"))
        mesh = holder.first("mesh")
        uri = None if mesh is None else self.text_of(mesh, "uri") or self.text_of(mesh, "filename")
        if mesh is None or not uri:
            return None
        if mesh.first("submesh") is not None:
            self.fault(
                mesh,
                "submesh",
                where,
                f"only a part of {uri[:80]} should be drawn.",
                "All of it is drawn.",
                severity="note",
            )
        x, y, z = self.numbers_in(mesh.first("scale"), 3, where, (1.0, 1.0, 1.0))
        return MeshShape(uri, (x, y, z))

    def color(self, element: Element, where: str) -> tuple[str | None, float]:
        """Return the colour of a shape, None without one, and its opacity."""
        diffuse = element.first("material", "diffuse")
        (transparency,) = self.numbers_in(element.first("transparency"), 1, where, (0.0,))
        opacity = min(max(1.0 - transparency, 0.0), 1.0)
        if diffuse is None:
            script = element.first("material", "script", "name")
            known = None if script is None else gazebo_color(script.text.strip())
            return (None, opacity) if known is None else (hex_color(known), opacity * known[3])
        words = diffuse.text.split()
        r, g, b, *alpha_part = self.numbers_in(
            diffuse, 4 if len(words) > 3 else 3, where, (0.75, 0.75, 0.75, 1.0)[: max(len(words), 3)]
        )
        alpha = alpha_part[0] if alpha_part else 1.0
        return hex_color((r, g, b)), opacity * min(max(alpha, 0.0), 1.0)
