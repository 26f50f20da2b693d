"""Mathematics of rotations and frames, and scenes as data. Without Qt and VTK, so that notebooks can use it.

>>> import numpy as np
>>> from framescope.core import conventions, frames
>>> R = frames.axes_rotations("ZYX", np.radians([30.0, 20.0, 10.0]), [0.0, 0.0, 1.0])
>>> frames.resolve2(R, [1.0, 0.0, 0.0]).round(3), R.w
(array([ 0.814, -0.441,  0.379]), array([1., 0., 0.]))
>>> print(conventions.as_code(frames.axis_rotation(3, np.pi), "numpy")[:30])
T = np.array([[-1.0, 1.2246467

Conventions
-----------
- `T` is the transformation matrix of an orientation, ``v2 = T @ v1``: its columns are the axes of frame 1 resolved in
  frame 2, its rows the axes of frame 2 resolved in frame 1. It is passive: the vector stays, the frame turns.
  ``R_12 = Tᵀ`` takes vectors the other way, ``v1 = R_12 @ v2``; read actively it turns frame 1 into frame 2.
- `R_AB` takes vectors from B into A, ``v_A = R_AB @ v_B``: the transpose of the `T` that takes A into B. In
  ``X_AB @ X_BC`` the frames cancel by eye.
- The elementary matrix about x is ``[1 0 0; 0 c s; 0 -s c]``. A quarter turn about z takes the x axis to y:
  ``resolve1(axis_rotation(3, pi/2), [1, 0, 0])`` is ``[0, 1, 0]``.
- `w` is the angular velocity of frame 2 relative to frame 1, resolved in frame 2: ``skew(w) = T @ der(T).T`` and
  ``der(T) = -skew(w) @ T``. In spatial vectors, `V_AB`, it is expressed in A, as in Simbody.
- Quaternions are Hamilton's, scalar last, ``[x, y, z, w]``, with ``v2 = conj(Q) ⊗ v1 ⊗ Q`` and
  ``der(Q) = ½ Q ⊗ [w, 0]``; `Q` and `-Q` are the same orientation. Rotations from 0 into 1 and from 1 into 2 compose to
  ``Q1 ⊗ Q_rel`` and ``T_rel @ T1``.
- Axis sequences, ``"XYZ"`` or ``(1, 2, 3)``, are rotations about the axes of the moving frame, one after another
  (intrinsic). Neighbours differ; there are twelve. Fixed axes (extrinsic, lower case) exist in ``conventions`` only.
- Angles are returned in (-pi, pi]. At gimbal lock of a sequence the first angle is the guess. Over the time of a scene
  angles are continuous, and quaternions keep their sign, see ``frame_traces``.
- Spatial vectors are ``[rotational, translational]``, Simbody's order; a port of a 20-sim connector has the opposite
  order, ``[force, torque]``: in ``points`` and in the modules that use it.
- SI units and radians inside; `_deg`, `_ms` and the like only at the edges.
- W is the world, P the parent, F a frame, B a body. `p_WF` is the position of F's origin from W's, resolved in W;
  `w_PF_F` the angular velocity of F relative to P, resolved in F.
- Functions broadcast over leading axes; a batched call gives, row by row, the bits of single calls. They take
  integers and floats, as arrays or lists, and return float64. Arguments that are not finite or have a wrong shape
  raise `ValueError`.

The same orientation elsewhere
------------------------------
=================================  =====================================================================================
Modelica ``MultiBody.Frames``      the same `T`, `w` and quaternion (except `from_T_inv`, see there)
ReferenceFrameRotations.jl         its DCM is `T`; quaternion scalar first; at gimbal lock all in angle 1
Simbody                            ``R_AB`` of frames A = 1, B = 2 is ``Tᵀ``; angular velocity in A
scipy ``Rotation``, ROS ``tf2``    ``from_quat(Q)``; ``as_matrix()`` is ``Tᵀ``: it takes v2 to v1; upper case intrinsic
Eigen                              ``Quaterniond(w, x, y, z)``; its matrix is ``Tᵀ``
=================================  =====================================================================================

Modules
-------
``frames``, ``quaternions``, ``transformation_matrices``
    The three packages of Modelica, function by function, on orientations, plain quaternions and plain matrices.
``angle_branches``, ``kinematics``
    Both branches of angles and branches that stay continuous; derivatives, Euler rates, integration in time.
``transform``, ``spatial``, ``sensors``
    Poses; Simbody's spatial velocities, accelerations and forces; Modelica's sensors.
``points``, ``bodies``, ``simulation``
    20-sim's 3D-point connectors and rigid bodies on them; simulation of such bodies, constraints of points, and a
    description of the remaining degrees of freedom.
``projection``
    Pixels of points in the image of a camera with its distortion, as in OpenCV, and rays of pixels.
``conventions``
    Conversions between common forms of an orientation; an orientation as code for other libraries, and as text.
``kernels``
    Unchecked arithmetic shared by the functions above and the evaluation: formulas on components.
``growing_series``
    Rows of numbers over time to which one thread appends while others read: live data.
``orientation``, ``errors``
    The orientation object; error classes. ``kernels.validation`` checks the arguments of callers.
``time_functions``
    Expressions of time: parsed, rewritten, evaluated in groups, with their derivatives; keyframes of poses, numbers and
    orientations.
``recordings``, ``mesh_files``, ``system``
    Recorded poses and their smoothing spline, from tables and common formats; meshes; files.
``scene``
    The document: schema, reading, writing, edits. ``from framescope.core.scene import Scene, Frame, load_scene``
``evaluation``
    From a scene to numbers: ``evaluate.compile_plan(scene)`` once per edit, then ``evaluate.evaluate(plan, t)``;
    ``relative_motion.relation`` of any frame to any other, resolved in any third; signals over time, as tables.
``analysis``
    Analysis of a scene: shifts, staged rotations, diagnostics.
"""

from framescope.core.kernels.code import formula_compilers
from framescope.core.system.features import entries

# Kernels cannot import the records of features, so that they get the list here.
formula_compilers.list_compilers = lambda: entries(lambda feature: feature.formula_compilers)
