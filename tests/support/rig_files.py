"""Two camera chains of Kalibr and a model of SDF, which close loops of imu0, cam0 and cam1; without the program."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from scipy.spatial.transform import Rotation

from tests.support.planted_rigs import OPTICAL, matrix_of

TILT = Rotation.from_rotvec([0.02, -0.05, 0.03]).as_matrix()
CAM0 = matrix_of(TILT @ OPTICAL, np.array([0.05, -0.03, 0.1]))
STEP = matrix_of(Rotation.from_rotvec([0.004, -0.017, 0.006]).as_matrix(), np.array([-0.11, 0.002, 0.001]))


def text_of(**cameras: dict[str, np.ndarray]) -> str:
    lines = []
    for name, entries in cameras.items():
        lines.append(f"{name}:")
        for key, M in entries.items():
            lines.append(f"  {key}:  # a note")
            lines += [f"  - [{', '.join(map(repr, row))}]" for row in M.tolist()]
        lines.append("  intrinsics: [400.0, 400.0, 320.0, 240.0]")
        lines.append("  resolution: [640, 480]")
        lines.append(f"  rostopic: /{name}/image")
    return "\n".join([*lines, ""])


def write_files(folder: Path) -> tuple[Path, Path]:
    """Write the files; return both chains. All loops close."""
    (folder / "rover.sdf").write_text(sdf_text(), "utf-8")
    chain, other = folder / "camchain.yaml", folder / "imucam.yaml"
    chain.write_text(text_of(cam0={"T_cam_imu": CAM0}, cam1={"T_cn_cnm1": STEP}), "utf-8")
    other.write_text(text_of(cam1={"T_cam_imu": STEP @ CAM0}), "utf-8")
    return chain, other


def sdf_text() -> str:
    """Return a model of SDF with the IMU and the first camera on its one link; its camera looks along x."""
    R_imu_camera = OPTICAL.T @ TILT.T @ OPTICAL
    place = -CAM0[:3, :3].T @ CAM0[:3, 3]
    pose = [*place.tolist(), *Rotation.from_matrix(R_imu_camera).as_euler("xyz").tolist()]
    return f"""<sdf version="1.9">
  <model name="rover">
    <link name="base_link">
      <sensor name="imu0" type="imu"/>
      <sensor name="cam0_body" type="camera">
        <pose>{" ".join(map(repr, pose))}</pose>
        <camera><optical_frame_id>cam0</optical_frame_id></camera>
      </sensor>
    </link>
  </model>
</sdf>
"""


def make_wrong(files: tuple[Path, Path]) -> list[str]:
    """Invert the pose of cam1 in cam0: the loop is open by 2.1 degrees. Return the names of the files."""
    chain = files[0]
    chain.write_text(text_of(cam0={"T_cam_imu": CAM0}, cam1={"T_cn_cnm1": np.linalg.inv(STEP)}), "utf-8")
    return [str(path) for path in files]
