"""Random models in MJCF for tests."""

from __future__ import annotations

import random

import numpy as np


def numbers(values) -> str:
    return " ".join(repr(float(value)) for value in values)


def random_mjcf(seed: int) -> str:
    """Return a model with bodies in bodies and frames, several joints on a body, and what defaults give them."""
    return _Made(random.Random(seed)).text()


class _Made:
    def __init__(self, rng: random.Random) -> None:
        self.rng, self.n = rng, 0
        self.is_degree = rng.random() < 0.5
        self.hinges: list[str] = []

    def text(self) -> str:
        rng = self.rng
        angle = "degree" if self.is_degree else "radian"
        sequence = rng.choice(["xyz", "ZYX", "zXz", "XYZ"])
        bodies = "".join(self.body(0) for _ in range(rng.randint(2, 3)))
        free = (
            f'<body name="loose"{self.pose()}><freejoint/><geom size="0.1"/><body name="on loose"{self.pose()}/></body>'
        )
        follower, leader = rng.sample(self.hinges, 2)
        couple = f'<joint joint1="{follower}" joint2="{leader}" polycoef="0.2 -1.5 0 0 0"/>'
        return f"""<mujoco model="made"><compiler angle="{angle}" eulerseq="{sequence}" autolimits="true"/>
  <default><joint damping="1"/><default class="odd"><joint axis="1 2 3" ref="{self.angle()}"/><geom rgba="1 0 0 1"/>
  </default></default>
  <option timestep="0.001"/><visual><map znear="0.01"/></visual>
  <asset><texture name="sky" type="2d" file="nowhere.png"/><material name="blue" texture="sky" rgba="0 0 1 1"/></asset>
  <worldbody><light pos="0 0 3"/><geom name="floor" type="plane" size="0 0 0.1" material="blue"/>
  {bodies}{free}</worldbody>
  <equality>{couple}</equality>
  <actuator><motor joint="{leader}"/></actuator><sensor><jointpos joint="{leader}"/></sensor>
</mujoco>"""

    def angle(self) -> str:
        return repr(self.rng.uniform(-180, 180) if self.is_degree else self.rng.uniform(-3, 3))

    def pose(self) -> str:
        rng, place = self.rng, f' pos="{numbers(self.rng.uniform(-1, 1) for _ in range(3))}"'
        turn = rng.choice(["", "euler", "quat", "axisangle", "xyaxes", "zaxis"])
        values = [rng.gauss(0, 1) for _ in range(6)]
        match turn:
            case "euler":
                return f'{place} euler="{self.angle()} {self.angle()} {self.angle()}"'
            case "quat":
                return f'{place} quat="{numbers(values[:4])}"'
            case "axisangle":
                return f'{place} axisangle="{numbers(values[:3])} {self.angle()}"'
            case "xyaxes":
                return f'{place} xyaxes="{numbers(values)}"'
            case "zaxis":
                return f'{place} zaxis="{numbers(values[:3])}"'
            case _:
                return place

    def body(self, depth: int) -> str:
        rng, name = self.rng, f"b{self.n}"
        self.n += 1
        joints = "".join(self.joint() for _ in range(rng.choice([0, 1, 1, 2, 3])))
        if depth == 0:
            joints += self.hinge()
        inner = "".join(self.body(depth + 1) for _ in range(rng.randint(0, 2))) if depth < 3 else ""
        if inner and rng.random() < 0.4:
            inner = f"<frame{self.pose()}>{inner}</frame>"
        marks = f'<site name="s{name}"{self.pose()}/><camera name="c{name}"{self.pose()}/>'
        shape = rng.choice(
            ['type="box" size="0.1 0.2 0.3"', 'size="0.1"', 'type="capsule" fromto="0 0 0 0.3 0 0" size="0.02"']
        )
        mass = f"<geom {shape}{self.pose() if 'fromto' not in shape else ''}/>"
        return f'<body name="{name}"{self.pose()}>{joints}{mass}{marks}{inner}</body>'

    def joint(self) -> str:
        rng, name = self.rng, f"j{self.n}"
        self.n += 1
        at = numbers(rng.uniform(-0.5, 0.5) for _ in range(3))
        if rng.random() < 0.3:
            axis = numbers(np.array([rng.gauss(0, 1) for _ in range(3)]))
            return f'<joint name="{name}" type="slide" pos="{at}" axis="{axis}" ref="{rng.uniform(-1, 1)!r}"/>'
        return self.hinge()

    def hinge(self) -> str:
        rng, name = self.rng, f"j{self.n}"
        self.n += 1
        at = numbers(rng.uniform(-0.5, 0.5) for _ in range(3))
        self.hinges.append(name)
        if rng.random() < 0.3:
            return f'<joint name="{name}" class="odd" pos="{at}"/>'
        reach = ' range="-40 60"' if self.is_degree and rng.random() < 0.5 else ""
        axis = numbers(rng.gauss(0, 1) for _ in range(3))
        return f'<joint name="{name}" pos="{at}" axis="{axis}" ref="{self.angle()}"{reach}/>'
