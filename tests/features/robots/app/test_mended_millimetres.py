"""An origin in millimetres is a problem of its link, which one fix and one write put right in scene and file."""

from __future__ import annotations

from framescope.app.session.document import Document
from framescope.core.analysis.diagnostics import diagnose
from framescope.core.evaluation.evaluate import compile_plan, evaluate
from framescope.features.robots.app.robot_write_back import write_backs

ROBOT = """\
<robot name="press">
  <link name="base"><visual><geometry><box size="0.4 0.3 0.2"/></geometry></visual></link>
  <link name="ram"><visual><geometry><cylinder radius="0.06" length="0.2"/></geometry></visual></link>
  <joint name="guide" type="revolute"><parent link="base"/><child link="ram"/>
    <origin xyz="150 0 320"/><axis xyz="0 0 1"/><limit lower="-1" upper="1" effort="1" velocity="1"/></joint>
</robot>
"""


def test_that_an_origin_in_millimetres_is_mended_in_the_scene_and_then_in_the_file(tmp_path) -> None:
    path = tmp_path / "press.urdf"
    path.write_text(ROBOT, "utf-8")
    document = Document.open(path)
    (problem,) = diagnose(compile_plan(document.scene, access=document.access))
    assert (problem.name, problem.title, problem.fix_text) == ("ram", "millimetres", "Take as millimetres")
    assert "joint guide" in problem.message

    document.commit(problem.fix.change)
    plan = compile_plan(document.scene, access=document.access)
    assert evaluate(plan, 0.0).p_WF[plan.index["ram"]].tolist() == [0.15, 0.0, 0.32]
    (moved,) = diagnose(plan)
    assert (moved.kind, moved.action, moved.fix_text) == ("moved-link", "write_robot", "Take it from the file")
    (change,) = write_backs(document.scene, document.access)
    change.write()
    assert 'xyz="0.15 0 0.32"' in path.read_text("utf-8")
    assert diagnose(compile_plan(document.scene, access=document.access)) == ()
