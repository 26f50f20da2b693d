"""Texts with their right readings: prints, code, messages and files of many tools, and imperfect variants of them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.spatial.transform import Rotation

ROTATION = Rotation.from_euler("ZYX", [0.5, -0.3, 0.8])
"""Frame into parent."""
M = ROTATION.as_matrix()
P = np.array([0.12, -0.34, 0.56])
X = np.block([[M, P[:, None]], [np.zeros((1, 3)), np.ones((1, 1))]])
W_FIRST = np.roll(ROTATION.as_quat(), 1)
Q = ROTATION.as_quat()
V = ROTATION.as_rotvec()
RPY = ROTATION.as_euler("xyz")
YPR = ROTATION.as_euler("ZYX")
FLIP = np.diag([1.0, -1.0, 1.0])


@dataclass(frozen=True, eq=False)
class Case:
    """A text with the rotation (frame into parent) and the position that it means; `is_open` if the text asks."""

    name: str
    text: str
    R_PF: np.ndarray | None = None
    p_PF: np.ndarray | None = None
    is_open: bool = False
    tolerance: float = 1e-4


def words(numbers, digits: int = 6, sep: str = " ", end: str = "") -> str:
    return sep.join(f"{float(number):.{digits}f}{end}" for number in np.ravel(numbers))


def rows(A, open_: str = "[", close: str = "]", between: str = ", ", sep: str = ", ", digits: int = 6) -> str:
    return between.join(open_ + words(row, digits, sep) + close for row in np.atleast_2d(A))


def message(position="position", orientation="orientation", digits: int = 6, p=P, q=Q) -> str:
    part = [f"  {position}:", *(f"    {k}: {x:.{digits}f}" for k, x in zip("xyz", p, strict=True))]
    part += [f"  {orientation}:", *(f"    {k}: {x:.{digits}f}" for k, x in zip("xyzw", q, strict=True))]
    return "\n".join(part)


def stamped(child: str = "camera", **parts) -> str:
    head = f"header:\n  stamp:\n    sec: 12\n    nanosec: 500\n  frame_id: base_link\nchild_frame_id: {child}\ntransform:\n"
    return head + message("translation", "rotation", **parts)


def echo(digits: int = 3, angle_digits: int = 3) -> str:
    return (
        f"At time 12.5\n- Translation: [{words(P, 3, ', ')}]\n- Rotation: in Quaternion [{words(Q, digits, ', ')}]\n"
        f"            in RPY (radian) [{words(RPY, angle_digits, ', ')}]\n"
        f"            in RPY (degree) [{words(np.degrees(RPY), angle_digits, ', ')}]\n"
    )


ROS2_ECHO = (
    f"At time 0.0\n- Translation: [{words(P, 3, ', ')}]\n- Rotation: in Quaternion (xyzw) [{words(Q, 3, ', ')}]\n"
    f"- Rotation: in RPY (radian) [{words(RPY, 3, ', ')}]\n- Rotation: in RPY (degree) [{words(np.degrees(RPY), 3, ', ')}]\n"
    f"- Matrix:\n{rows(X, '  ', '', chr(10), ' ', 3)}\n"
)
TWO_DIGITS = 2e-2
HALF_MM = P
CALL = "ros2 run tf2_ros static_transform_publisher"

PRINTS = [
    Case("numpy 3x3", str(M), M, None, True),
    Case("numpy array", f"np.array([{rows(M)}])", M, None, True),
    Case("numpy repr", f"array([{rows(M, between=',' + chr(10) + '       ')}], dtype=float32)", M, None, True),
    Case("numpy 4x4", repr(X), M, P, True),
    Case("numpy long", np.array2string(X, precision=12, max_line_width=40), M, P, True),
    Case("numpy exponents", np.array2string(X, formatter={"float": lambda x: f"{x:.6e}"}), M, P, True),
    Case("torch", f"tensor([{rows(M)}], device='cuda:0')", M, None, True),
    Case("MATLAB 3x3", f"T =\n\n{rows(M, '    ', '', chr(10), '    ', 4)}\n", M, None, True, 2e-4),
    Case("MATLAB literal", f"T = [{rows(M, '', '', '; ', ' ')}];", M, None, True),
    Case("MATLAB scale", "X =\n\n   1.0e+03 *\n\n" + rows(np.block([[M * 1e-3, P[:, None]], [0, 0, 0, 1e-3]]), "   ", "", "\n", "   ", 9), M, P, True),
    Case("Octave", f"R =\n\n{rows(M, '   ', '', chr(10), '   ', 5)}\n", M, None, True),
    Case("Julia", f"3×3 Matrix{{Float64}}:\n{rows(M, ' ', '', chr(10), '  ')}", M, None, True),
    Case("Julia static", f"3×3 SMatrix{{3, 3, Float64, 9}} with indices SOneTo(3)×SOneTo(3):\n{rows(M, ' ', '', chr(10), '  ')}", M, None, True),
    Case("Eigen print", rows(X, "", "", "\n", "  "), M, P, True),
    Case("Mathematica", f"{{{rows(M, '{', '}')}}}", M, None, True),
    Case("Modelica", f"T = {{{rows(M.T, '{', '}')}}};", M, None, True),
    Case("Maple", f"Matrix(3, 3, [{rows(M)}])", M, None, True),
    Case("LaTeX", r"\begin{bmatrix}" + rows(M, "", "", r" \\ ", " & ") + r"\end{bmatrix}", M, None, True),
    Case("C", "double R[3][3] = {" + rows(M, "{", "}") + "};", M, None, True),
    Case("Java", "float[] m = {" + words(M, 6, "f, ") + "f};", M, None, True),
    Case("JSON 4x4", "[" + rows(X) + "]", M, P, True),
    Case("columns 4x4", "[" + words(X.T, 6, ", ") + "]", M, P, True),
    Case("3x4", "[" + rows(X[:3]) + "]", M, P, True),
    Case("sympy", f"Matrix([\n{rows(M, between=',' + chr(10))}])", M, None, True),
]  # fmt: skip

QUATERNIONS = [
    Case("bare quaternion", words(Q, sep=", "), M, None, True),
    Case("bare quaternion first", f"({words(W_FIRST, sep=', ')})", M, None, True),
    Case("xyzw named", f"quaternion xyzw {words(Q)}", M),
    Case("wxyz named", f"quaternion wxyz {words(W_FIRST)}", M),
    Case("order in words", f"quat (w, x, y, z): {words(W_FIRST, sep=', ')}", M),
    Case("keys", "x: {} y: {} z: {} w: {}".format(*Q), M),
    Case("JSON keys", '{{"w": {3}, "x": {0}, "y": {1}, "z": {2}}}'.format(*Q), M),
    Case("q0 to q3", "q0={} q1={} q2={} q3={}".format(*W_FIRST), M),
    Case("q1 to q4", "q1={} q2={} q3={} q4={}".format(*W_FIRST), M, None, True),
    Case("qx qy qz qw", "qx: {}, qy: {}, qz: {}, qw: {}".format(*Q), M),
    Case("Hamilton", f"{W_FIRST[0]:.8f} {W_FIRST[1]:+.8f}i {W_FIRST[2]:+.8f}j {W_FIRST[3]:+.8f}k", M),
    Case("Julia print", f"{W_FIRST[0]:.8f} {W_FIRST[1]:+.8f}im {W_FIRST[2]:+.8f}jm {W_FIRST[3]:+.8f}km".replace("+", "+ ").replace("-", "- "), M),
    Case("spatialmath print", f" {W_FIRST[0]:.4f} << {words(W_FIRST[1:], 4, ', ')} >>", M, None, False, 1e-3),
    Case("Eigen quaternion", f"Eigen::Quaterniond q({words(W_FIRST, sep=', ')});", M),
    Case("Eigen template", f"Eigen::Quaternion<double> q{{{words(W_FIRST, sep=', ')}}};", M),
    Case("Eigen float", f"const Eigen::Quaternionf q({words(W_FIRST, sep=', ', end='f')});", M),
    Case("tf2 quaternion", f"tf2::Quaternion q({words(Q, sep=', ')});", M),
    Case("tf quaternion", f"tf::Quaternion({words(Q, sep=', ')})", M),
    Case("scipy", f"Rotation.from_quat([{words(Q, sep=', ')}])", M),
    Case("scipy first", f"R.from_quat([{words(W_FIRST, sep=', ')}], scalar_first=True)", M),
    Case("pyquaternion", f"pyquaternion.Quaternion({words(W_FIRST, sep=', ')})", M),
    Case("pyquaternion array", f"Quaternion(array=np.array([{words(W_FIRST, sep=', ')}]))", M),
    Case("pyquaternion axis", f"Quaternion(axis=[{words(V / np.linalg.norm(V), sep=', ')}], degrees={np.degrees(np.linalg.norm(V)):.6f})", M),
    Case("pyquaternion radians", f"Quaternion(axis=({words(V / np.linalg.norm(V), sep=', ')}), radians={np.linalg.norm(V):.6f})", M),
    Case("unknown library", f"Quaternion({words(W_FIRST, sep=', ')})", M, None, True),
    Case("three.js", f"new THREE.Quaternion({words(Q, sep=', ')})", M),
    Case("Blender", f"Quaternion(({words(W_FIRST, sep=', ')}))", M),
    Case("Qt", f"QQuaternion q({words(W_FIRST, sep=', ')});", M),
    Case("MATLAB quaternion", f"q = quaternion({words(W_FIRST, sep=', ')})", M),
    Case("Julia QuatRotation", f"QuatRotation({words(W_FIRST, sep=', ')})", M),
    Case("geometry_msgs", "geometry_msgs.msg.Quaternion(x={}, y={}, z={}, w={})".format(*Q), M),
    Case("quat2rotm", f"quat2rotm([{words(W_FIRST)}])", M),
]  # fmt: skip

ANGLES = [
    Case("bare three small", words(ROTATION.as_euler("XYZ")), M, None, True),
    Case("axes", f"axes ZYX {words(YPR)} rad", M),
    Case("rpy deg", f"rpy {words(np.degrees(RPY))} deg", M),
    Case("rpy without unit", f"rpy: {words(RPY, sep=', ')}", M, None, True),
    Case("rpy over a turn", f"rpy = [{words(np.degrees(RPY), 2, ', ')}]", M, None, False, 1e-3),
    Case("ypr", f"ypr {words(np.degrees(YPR))} deg", M),
    Case("named roll", "roll: {:.5f} pitch: {:.5f} yaw: {:.5f} deg".format(*np.degrees(RPY)), M),
    Case("named in JSON", '{{"yaw": {:.5f}, "pitch": {:.5f}, "roll": {:.5f}}}'.format(*np.degrees(YPR)), M),
    Case("named with degrees", "Roll = {:.4f}°, Pitch = {:.4f}°, Yaw = {:.4f}°".format(*np.degrees(RPY)), M),
    Case("named small", "roll={:.6f} pitch={:.6f} yaw={:.6f}".format(*RPY), M, None, True),
    Case("euler", f"euler angles: {words(np.degrees(RPY), 3, ', ')}", M, None, True),
    Case("zyx extrinsic", f"zyx extrinsic {words(np.degrees(YPR), 4)} deg", M, None, True),
    Case("zyx intrinsic", f"intrinsic z-y'-x'' {words(np.degrees(YPR), 4)} deg", M),
    Case("sequence alone", f"ZYX {words(np.degrees(YPR), 4)} degrees", M, None, True),
    Case("setRPY", f"q.setRPY({words(RPY, sep=', ')});", M),
    Case("setRPY degrees", "q.setRPY(" + ", ".join(f"{x:.4f} * M_PI / 180" for x in np.degrees(RPY)) + ");", M),
    Case("quaternion_from_euler", f"tf.transformations.quaternion_from_euler({words(RPY, sep=', ')})", M),
    Case("rzyx", f"quaternion_from_euler({words(YPR, sep=', ')}, 'rzyx')", M),
    Case("KDL", f"KDL::Rotation::RPY({words(RPY, sep=', ')})", M),
    Case("scipy euler", f"Rotation.from_euler('ZYX', [{words(np.degrees(YPR), 5, ', ')}], degrees=True)", M),
    Case("scipy euler fixed", f"R.from_euler('xyz', [{words(RPY, sep=', ')}])", M),
    Case("scipy rotvec", f"Rotation.from_rotvec([{words(V, sep=', ')}])", M),
    Case("scipy rotvec deg", f"Rotation.from_rotvec(np.array([{words(np.degrees(V), 5, ', ')}]), degrees=True)", M),
    Case("scipy mrp", f"Rotation.from_mrp([{words(ROTATION.as_mrp(), sep=', ')}])", M),
    Case("scipy matrix", f"Rotation.from_matrix([{rows(M)}])", M),
    Case("deg2rad", f"Rotation.from_euler('xyz', np.deg2rad([{words(np.degrees(RPY), 5, ', ')}]))", M),
    Case("Eigen product", "Eigen::AngleAxisd({:.6f}, Eigen::Vector3d::UnitZ()) * Eigen::AngleAxisd({:.6f}, Eigen::Vector3d::UnitY()) * Eigen::AngleAxisd({:.6f}, Eigen::Vector3d::UnitX())".format(*YPR), M),
    Case("Sophus exp", f"Sophus::SO3d::exp(Eigen::Vector3d({words(V, sep=', ')}))", M),
    Case("Sophus SE3", f"Sophus::SE3d(Eigen::Quaterniond({words(W_FIRST, sep=', ')}), Eigen::Vector3d({words(P, sep=', ')}))", M, P),
    Case("spatialmath RPY", f"SE3.RPY([{words(np.degrees(RPY), 5, ', ')}], unit='deg')", M),
    Case("spatialmath product", "SO3.Rz({:.6f}) * SO3.Ry({:.6f}) * SO3.Rx({:.6f})".format(*YPR), M),
    Case("spatialmath SE3", f"SE3(array([{rows(X)}]))", M, P),
    Case("MATLAB eul2rotm", f"eul2rotm([{words(YPR)}])", M),
    Case("MATLAB angle2dcm", f"angle2dcm({words(YPR, sep=', ')})", M),
    Case("MATLAB axang", f"axang2rotm([{words(V / np.linalg.norm(V))} {np.linalg.norm(V):.6f}])", M),
    Case("Julia RotZYX", f"RotZYX({words(YPR, sep=', ')})", M),
    Case("Julia AngleAxis", f"AngleAxis({np.linalg.norm(V):.6f}, {words(V / np.linalg.norm(V), sep=', ')})", M),
    Case("Mathematica rotation", f"RotationMatrix[{np.degrees(np.linalg.norm(V)):.5f} Degree, {{{words(V / np.linalg.norm(V), sep=', ')}}}]", M),
    Case("three.js Euler", f"new THREE.Euler({words(YPR[::-1], sep=', ')}, 'ZYX')", M),
    Case("Blender Euler", f"Euler(({words(RPY, sep=', ')}), 'XYZ')", M, None, False),
    Case("axis-angle", f"axis-angle {words(V / np.linalg.norm(V))} {np.degrees(np.linalg.norm(V)):.5f} deg", M),
    Case("axis and angle bare", f"[{words(V / np.linalg.norm(V), sep=', ')}, {np.degrees(np.linalg.norm(V)):.5f}] deg", M),
    Case("rotation vector", f"rotation vector: [{words(np.degrees(V), 5, ', ')}] deg", M),
    Case("rotx unit", "rotx(0.5)", Rotation.from_euler("x", 0.5).as_matrix(), None, True),
    Case("sequence in digits", f"3-2-1 Euler angles: {words(np.degrees(YPR), 5, ', ')} deg", M, None, True),
    Case("Modelica axesRotations", f"Frames.axesRotations({{3, 2, 1}}, {{{words(YPR, sep=', ')}}}, zeros(3))", M),
    Case("Modelica from_Q", f"Modelica.Mechanics.MultiBody.Frames.from_Q({{{words(Q, sep=', ')}}}, {{0, 0, 0}})", M),
    Case("Modelica record", f"Frames.Orientation(T={{{rows(M.T, '{', '}')}}}, w={{0, 0, 0}})", M),
]  # fmt: skip

ROS = [
    Case("tf_echo", echo(), M, P, False, 2e-3),
    Case("tf2_echo", ROS2_ECHO, M, P, False, 2e-3),
    Case("tf2_echo repeated", 3 * ROS2_ECHO, M, P, False, 2e-3),
    Case("Pose", "pose:\n" + message() + "\n", M, P),
    Case("PoseStamped", "header:\n  frame_id: map\npose:\n" + message() + "\n---\n", M, P),
    Case("TransformStamped", stamped(), M, P),
    Case("Odometry", "header:\n  frame_id: odom\nchild_frame_id: base\npose:\n  pose:\n" + message() + "\n  covariance: [0.1, 0, 0]\ntwist:\n  twist:\n    linear:\n      x: 1.0\n      y: 0.0\n      z: 0.0\n", M, P),
    Case("Imu", "header:\n  frame_id: imu\norientation:\n  x: {:.6f}\n  y: {:.6f}\n  z: {:.6f}\n  w: {:.6f}\norientation_covariance:\n- 0.01\n- 0.0\nangular_velocity:\n  x: 0.1\n  y: 0.2\n  z: 0.3\n".format(*Q), M),
    Case("Pose in JSON", '{{"position": {{"x": {}, "y": {}, "z": {}}}, "orientation": {{"x": {}, "y": {}, "z": {}, "w": {}}}}}'.format(*P, *Q), M, P),
    Case("Pose in Python", "geometry_msgs.msg.Pose(position=geometry_msgs.msg.Point(x={}, y={}, z={}), orientation=geometry_msgs.msg.Quaternion(x={}, y={}, z={}, w={}))".format(*P, *Q), M, P),
    Case("publisher old", f"rosrun tf static_transform_publisher {words(P)} {words(YPR)} base camera 100", M, P),
    Case("publisher quaternion", f"{CALL} {words(P)} {words(Q, 8)} base camera", M, P),
    Case("publisher new", CALL + " --x {} --y {} --z {} --roll {} --pitch {} --yaw {} --frame-id base --child-frame-id camera".format(*P, *RPY), M, P),
    Case("publisher new quaternion", CALL + " --x {} --y {} --z {} --qx {} --qy {} --qz {} --qw {} --frame-id base --child-frame-id camera".format(*P, *Q), M, P),
    Case("launch XML", f'<node pkg="tf" type="static_transform_publisher" name="link" args="{words(P)} {words(YPR)} base camera 100" />', M, P),
    Case("launch Python", f"Node(package='tf2_ros', executable='static_transform_publisher', arguments=[{chr(39) + words(np.r_[P, YPR], 6, chr(39) + ', ' + chr(39)) + chr(39)}, 'base', 'camera'])", M, P),
    Case("URDF origin", f'<origin xyz="{words(P)}" rpy="{words(RPY)}"/>', M, P),
    Case("URDF origin swapped", f"<origin rpy='{words(RPY)}' xyz='{words(P)}' />", M, P),
    Case("SDF pose", f"<pose>{words(P)} {words(RPY)}</pose>", M, P),
    Case("SDF pose degrees", f'<pose degrees="true">{words(P)} {words(np.degrees(RPY))}</pose>', M, P),
    Case("SDF pose quaternion", f'<pose rotation_format="quat_xyzw">{words(P)} {words(Q)}</pose>', M, P),
    Case("MJCF quat", f'<body name="camera" pos="{words(P)}" quat="{words(W_FIRST)}">', M, P),
    Case("MJCF euler", f'<geom pos="{words(P)}" euler="{words(np.degrees(ROTATION.as_euler("XYZ")))}"/>', M, P),
    Case("MJCF axisangle", f'<geom axisangle="{words(V / np.linalg.norm(V))} {np.degrees(np.linalg.norm(V)):.6f}"/>', M),
    Case("TUM line", f"1305031102.1758 {words(P)} {words(Q)}", M, P, True),
    Case("seven numbers", words(np.r_[P, Q]), M, P, True),
    Case("seven named", "x: {} y: {} z: {} qx: {} qy: {} qz: {} qw: {}".format(*P, *Q), M, P),
    Case("position and parts", "Vector3(x={}, y={}, z={}), Quaternion(x={}, y={}, z={}, w={})".format(*P, *Q), M, P),
]  # fmt: skip

_MM = 1000.0 * P
_LEFT = M @ np.eye(3)
_U = np.array([[0.0, -1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]])
"""Unity's axes from x forward, y left, z up."""
_Q_UNITY = Rotation.from_matrix(-(-_U @ M @ _U.T)).as_quat()
_CAMERA = np.linalg.inv(X)
_Q_CAMERA = np.roll(Rotation.from_matrix(_CAMERA[:3, :3]).as_quat(), 1)

MAKERS = [
    Case("UR script", f"p[{words(P, sep=', ')}, {words(V, sep=', ')}]", M, P),
    Case("UR pendant", f"UR pendant RPY {words(np.degrees(RPY), 4, ', ')} deg", M),
    Case("KUKA", "{{X {:.3f}, Y {:.3f}, Z {:.3f}, A {:.5f}, B {:.5f}, C {:.5f}}}".format(*_MM, *np.degrees(YPR)), M, P),
    Case("KUKA frame", "FRAME: X {:.3f},Y {:.3f},Z {:.3f},A {:.5f},B {:.5f},C {:.5f},S 2,T 35".format(*_MM, *np.degrees(YPR)), M, P),
    Case("ABB", "[[{}],[{}],[0,0,0,0],[9E9,9E9,9E9,9E9,9E9,9E9]]".format(words(_MM, 3, ","), words(W_FIRST, 7, ",")), M, P),
    Case("ABB pose", f"CONST pose p1 := [[{words(_MM, 3, ',')}],[{words(W_FIRST, 7, ',')}]];", M, P),
    Case("Fanuc", "X: {:.3f} mm Y: {:.3f} mm Z: {:.3f} mm W: {:.5f} deg P: {:.5f} deg R: {:.5f} deg".format(*_MM, *np.degrees(RPY)), M, P),
    Case("Kawasaki", "X={:.3f} Y={:.3f} Z={:.3f} O={:.5f} A={:.5f} T={:.5f}".format(*_MM, *ROTATION.as_euler("ZYZ", degrees=True)), M, P),
    Case("Stäubli", f"Stäubli trsf {{{words(_MM, 3, ', ')}, {words(ROTATION.as_euler('XYZ', degrees=True), 5, ', ')}}}", M, P),
    Case("Yaskawa", f"Yaskawa: {words(_MM, 3, ', ')}, {words(np.degrees(RPY), 5, ', ')}", M, P),
    Case("Kinova", "x: {} y: {} z: {} theta_x: {:.5f} theta_y: {:.5f} theta_z: {:.5f}".format(*P, *np.degrees(RPY)), M, P),
    Case("Franka", f"O_T_EE: [{words(X.T, 6, ', ')}]", M, P),
    Case("PX4", f"vehicle_attitude q: [{words(W_FIRST, 6, ', ')}]", M),
    Case("MAVLink", "ATTITUDE {{time_boot_ms : 5123, roll : {:.6f}, pitch : {:.6f}, yaw : {:.6f}, rollspeed : 0.01}}".format(*RPY), M),
    Case("Unreal", "P={:.6f} Y={:.6f} R={:.6f}".format(*(np.degrees(YPR) * [-1, -1, 1])[[1, 0, 2]]), M),
    Case("CARLA", "Transform(Location(x={:.4f}, y={:.4f}, z={:.4f}), Rotation(pitch={:.5f}, yaw={:.5f}, roll={:.5f}))".format(*(FLIP @ P), *(np.degrees(YPR) * [-1, -1, 1])[[1, 0, 2]]), M, P),
    Case("glTF", f'{{"rotation": [{words(Q, 6, ", ")}], "translation": [{words(P, 6, ", ")}]}}', M, P),
    Case("three.js elements", f'{{"elements": [{words(X.T, 6, ", ")}]}}', M, P),
    Case("three.js Euler object", "Euler {{ isEuler: true, _x: {2}, _y: {1}, _z: {0}, _order: 'ZYX' }}".format(*YPR), M),
    Case("OpenCV", "rvec = [[{}], [{}], [{}]]\ntvec = [[{}], [{}], [{}]]".format(*V, *P), M, P),
    Case("COLMAP", f"3 {words(_Q_CAMERA, 9)} {words(_CAMERA[:3, 3], 9)} 1 frame_0003.png", M, P),
    Case("nerfstudio", f'{{"file_path": "a.png", "transform_matrix": [{rows(X)}]}}', M, P),
    Case("EuRoC", f"sensor_type: camera\nT_BS:\n  cols: 4\n  rows: 4\n  data: [{words(X, 6, ', ')}]\nrate_hz: 20", M, P),
    Case("Kalibr", "cam0:\n  T_cam_imu:\n" + "\n".join(f"  - [{words(row, 9, ', ')}]" for row in X) + "\n", M, P),
    Case("ORB-SLAM3", f"%YAML:1.0\n---\nTbc: !!opencv-matrix\n   rows: 4\n   cols: 4\n   dt: f\n   data: [{words(X, 6, ', ')}]\n", M, P),
    Case("JPL", f"JPL quaternion {words(Q, 6)}", M, None, True),
    Case("omega phi kappa", f"omega phi kappa {words(ROTATION.as_euler('XYZ', degrees=True), 5)} deg", M),
    Case("omega by name", "omega = {:.5f}, phi = {:.5f}, kappa = {:.5f} deg".format(*ROTATION.as_euler("XYZ", degrees=True)), M),
    Case("OptiTrack", f"OptiTrack {words(P)} {words(Q)}", M, P),
    Case("Android", f"TYPE_ROTATION_VECTOR: {words(Q, 6, ', ')}", M),
    Case("PyTorch3D", f"pytorch3d R = [{rows(M)}] T = [{words(-M.T @ P, 6, ', ')}]", M, P),
    Case("Blender property", f"rotation_quaternion = ({words(W_FIRST, 6, ', ')})", M),
]  # fmt: skip


def _commas(text: str) -> str:
    return text.replace(", ", "; ").replace(".", ",")


VARIANTS = [
    # the twenty commonest, each in imperfect variants
    Case("quaternion in prose", f"My driver says [{words(Q, sep=', ')}], is that right?", M, None, True),
    Case("quaternion with commas", _commas(words(Q)), M, None, True),
    Case("quaternion of two digits", words(Q, 2), M, None, True, TWO_DIGITS),
    Case("keys with prompt", ">>> print(q)\nx: {:.4f}\ny: {:.4f}\nz: {:.4f}\nw: {:.4f}\n".format(*Q), M, None, False, 1e-3),
    Case("keys of two digits", "x: {:.2f} y: {:.2f} z: {:.2f} w: {:.2f}".format(*Q), M, None, False, TWO_DIGITS),
    Case("keys with commas", _commas("x: {:.4f} y: {:.4f} z: {:.4f} w: {:.4f}".format(*Q)), M, None, False, 1e-3),
    Case("matrix in prose", f"I get this rotation:\n{rows(M, '[', ']', chr(10))}\nbut RViz shows another one.", M, None, True),
    Case("matrix with commas", _commas(rows(M, "", "", "\n", "  ")), M, None, True),
    Case("matrix of two digits", rows(M, "", "", "\n", "  ", 2), M, None, True, TWO_DIGITS),
    Case("pose matrix with prompt", f"In [5]: X\nOut[5]:\narray([{rows(X)}])", M, P, True),
    Case("pose matrix with commas", _commas(rows(X, "", "", "\n", "  ")), M, P, True),
    Case("pose matrix of two digits", rows(X, "", "", "\n", "  ", 2), M, P, True, TWO_DIGITS),
    Case("tf_echo cut off", echo().splitlines()[1] + "\n" + echo().splitlines()[2], M, P, False, 2e-3),
    Case("tf_echo with prompt", "user@pc:~$ rosrun tf tf_echo base camera\n" + echo(), M, P, False, 2e-3),
    Case("tf_echo without quaternion", "\n".join(line for line in echo().splitlines() if "Quaternion" not in line), M, P, False, 2e-3),
    Case("tf2_echo in prose", "This is what I see:\n```\n" + ROS2_ECHO + "```\nThe camera looks up.", M, P, False, 2e-3),
    Case("tf2_echo cut in the matrix", ROS2_ECHO[:-40], M, P, False, 2e-3),
    Case("Pose cut off", message().split("\n", 1)[0] + "\n" + message().split("\n", 1)[1], M, P),
    Case("Pose in prose", "ros2 topic echo /pose --once gives\n\n" + message() + "\n\nand that is wrong", M, P),
    Case("Pose of two digits", message(digits=2), M, P, False, TWO_DIGITS),
    Case("TransformStamped in prose", "Here is the message\n\n" + stamped() + "\n\nthanks", M, P),
    Case("TransformStamped of two digits", stamped(digits=2), M, P, False, TWO_DIGITS),
    Case("TransformStamped cut off", stamped().split("frame_id: base_link\n")[1], M, P),
    Case("publisher with prompt", f"$ {CALL} {words(P)} {words(YPR)} base camera", M, P),
    Case("publisher in prose", f"I run `{CALL} {words(P)} {words(YPR)} base camera` and it is turned.", M, P),
    Case("publisher of two digits", f"{CALL} {words(P, 2)} {words(YPR, 2)} base camera", M, P, False, TWO_DIGITS),
    Case("origin in a joint", f'<joint name="j" type="fixed"><parent link="a"/><origin xyz="{words(P)}" rpy="{words(RPY)}"/></joint>', M, P),
    Case("origin cut off", f'<origin xyz="{words(P)}" rpy="{words(RPY)}"', M, P),
    Case("origin of two digits", f'<origin xyz="{words(P, 2)}" rpy="{words(RPY, 2)}"/>', M, P, False, TWO_DIGITS),
    Case("pose of SDF cut off", f"<pose>{words(P)} {words(RPY)}", M, P),
    Case("pose of SDF in prose", f"The model has <pose>{words(P)} {words(RPY)}</pose> but it lies.", M, P),
    Case("pose of SDF of two digits", f"<pose>{words(P, 2)} {words(RPY, 2)}</pose>", M, P, False, TWO_DIGITS),
    Case("scipy with import", f"from scipy.spatial.transform import Rotation as R\nr = R.from_quat([{words(Q, sep=', ')}])\nprint(r.as_matrix())", M),
    Case("scipy of two digits", f"R.from_quat([{words(Q, 2, ', ')}])", M, None, False, TWO_DIGITS),
    Case("scipy cut off", f"R.from_quat([{words(Q, sep=', ')}])\nr.as_eul", M),
    Case("scipy euler in prose", f"so Rotation.from_euler('ZYX', [{words(np.degrees(YPR), 3, ', ')}], degrees=True) is not what the robot does", M, None, False, 1e-3),
    Case("setRPY in code", f"tf2::Quaternion q;\nq.setRPY({words(RPY, sep=', ')});\nmsg.rotation.x = q.x();", M),
    Case("setRPY of two digits", f"q.setRPY({words(RPY, 2, ', ')})", M, None, False, TWO_DIGITS),
    Case("setRPY with prompt", f">>> q.setRPY({words(RPY, sep=', ')})", M),
    Case("Eigen in code", f"#include <Eigen/Geometry>\nEigen::Quaterniond q({words(W_FIRST, sep=', ')}); // from file\nstd::cout << q.matrix();", M),
    Case("Eigen of two digits", f"Eigen::Quaterniond q({words(W_FIRST, 2, ', ')})", M, None, False, TWO_DIGITS),
    Case("Eigen inline", f"auto R = Eigen::Quaterniond({words(W_FIRST, sep=', ')}).toRotationMatrix();", M),
    Case("Eigen beside a vector", f"Eigen::Quaterniond q({words(W_FIRST, sep=', ')});\nEigen::Vector3d t({words(P, sep=', ')});", M, P),
    Case("pyquaternion in code", "from pyquaternion import Quaternion\nq = Quaternion(axis=[0, 0, 1], degrees=30)", Rotation.from_euler("z", 30, degrees=True).as_matrix()),
    Case("roll in prose", "The IMU reports roll = {:.3f}°, pitch = {:.3f}° and yaw = {:.3f}°.".format(*np.degrees(RPY)), M, None, False, 1e-3),
    Case("roll with commas", _commas("roll: {:.3f}  pitch: {:.3f}  yaw: {:.3f} deg".format(*np.degrees(RPY))), M, None, False, 1e-3),
    Case("roll of two digits", "roll {:.2f} pitch {:.2f} yaw {:.2f}".format(*RPY), M, None, True, TWO_DIGITS),
    Case("KUKA with commas", _commas("X {:.3f} Y {:.3f} Z {:.3f} A {:.3f} B {:.3f} C {:.3f}".format(*_MM, *np.degrees(YPR))), M, P, False, 1e-3),
    Case("KUKA in prose", "The pendant shows X {:.2f} Y {:.2f} Z {:.2f} A {:.2f} B {:.2f} C {:.2f} at home".format(*_MM, *np.degrees(YPR)), M, P, False, TWO_DIGITS),
    Case("KUKA of two digits", "{{X {:.2f}, Y {:.2f}, Z {:.2f}, A {:.2f}, B {:.2f}, C {:.2f}}}".format(*_MM, *np.degrees(YPR)), M, P, False, TWO_DIGITS),
    Case("UR in code", f"movej(p[{words(P, sep=', ')}, {words(V, sep=', ')}], a=1.2, v=0.3)", M, P),
    Case("UR of two digits", f"p[{words(P, 2, ',')},{words(V, 2, ',')}]", M, P, False, TWO_DIGITS),
    Case("UR in prose", f"The target is p[{words(P, sep=', ')}, {words(V, sep=', ')}] in the base.", M, P),
    Case("ABB in code", f"CONST robtarget p10:=[[{words(_MM, 2, ',')}],[{words(W_FIRST, 6, ',')}],[0,-1,0,1],[9E+09,9E+09,9E+09,9E+09,9E+09,9E+09]];", M, P),
    Case("ABB of two digits", f"[[{words(_MM, 2, ',')}],[{words(W_FIRST, 2, ',')}],[0,0,0,0],[9E9,9E9,9E9,9E9,9E9,9E9]]", M, P, False, TWO_DIGITS),
    Case("ABB cut off", f"p10:=[[{words(_MM, 2, ',')}],[{words(W_FIRST, 6, ',')}],[0,-1", M, P),
    Case("OpenCV print", "rvec: [[{}]\n [{}]\n [{}]]\ntvec: [[{}]\n [{}]\n [{}]]".format(*V, *P), M, P),
    Case("OpenCV in prose", "solvePnP returns rvec = [{:.5f}, {:.5f}, {:.5f}] and tvec = [{:.5f}, {:.5f}, {:.5f}], why?".format(*V, *P), M, P),
    Case("OpenCV of two digits", "rvec=[{:.2f}, {:.2f}, {:.2f}], tvec=[{:.2f}, {:.2f}, {:.2f}]".format(*V, *P), M, P, False, TWO_DIGITS),
    Case("EuRoC cut off", f"T_BS:\n  cols: 4\n  rows: 4\n  data: [{words(X, 6, ', ')}]", M, P),
    Case("rpy in prose", f"The mount is turned by rpy = ({words(np.degrees(RPY), 2, ', ')}) deg against the base.", M, None, False, 1e-3),
    Case("rpy with commas", f"rpy {_commas(words(np.degrees(RPY), 3))} deg", M, None, False, 1e-3),
    Case("rpy unit missing", f"rpy {words(RPY, 4)}", M, None, True, 1e-3),
]  # fmt: skip

CASES = [*PRINTS, *QUATERNIONS, *ANGLES, *ROS, *MAKERS, *VARIANTS]

WITHOUT_POSE = {
    "prose": "The robot drives forward and then it stops, 3 of 5 times.",
    "code": "for i in range(10):\n    x[i] = foo(3, 4, 5)\nprint('done')",
    "log": "[INFO] [1592381302.857]: Loaded 12 of 34 plugins in 0.53 s\n[WARN] [1592381303.1]: retrying (2/5)",
    "stack trace": 'Traceback (most recent call last):\n  File "a.py", line 12, in main\nValueError: bad shape (3, 4)',
    "empty": "   ",
    "two numbers": "1 2",
    "intrinsics": "camera_matrix:\n  rows: 3\n  cols: 3\n  data: [385.6, 0, 322.1, 0, 386.2, 241.8, 0, 0, 1]",
    "rectification": "distortion_model: plumb_bob\nrectification_matrix: {rows: 3, cols: 3, data: [1, 0, 0, 0, 1, 0, 0, 0, 1]}",
    "not a quaternion": "1 2 3 4",
    "NaN": "[nan, 0, 0, 1]",
    "variables": "q.setRPY(roll, pitch, yaw);",
    "IP address": "ping 192.168.1.10 -c 4",
    "version": "ROS 2 Humble 0.12.3, Ubuntu 22.04.5",
    "cut matrix": "[[1, 0, 0], [0, 1,",
    "scipy object": "<scipy.spatial.transform._rotation.Rotation object at 0x7f1c2a3b>",
}
