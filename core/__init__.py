"""The maths of Framescope, and the scene as data. No Qt, no VTK: usable from a notebook.

Conventions
-----------
- `T` is the transformation matrix of an orientation, ``v2 = T @ v1``: its columns are the axes of frame 1 resolved in
  frame 2. `R_AB` takes vectors the other way, from B into A, ``v_A = R_AB @ v_B``: it is the transpose of the `T` that
  takes A into B. In ``X_AB @ X_BC`` the frames cancel by eye.
- `w` is the angular velocity of frame 2 relative to frame 1, resolved in frame 2: ``skew(w) = T @ der(T).T``.
- Quaternions are Hamilton's, scalar last, ``[x, y, z, w]``.
- Axis sequences, ``"XYZ"`` or ``(1, 2, 3)``, are turns about the axes of the moving frame, one after another.
  Neighbours differ; there are twelve.
- Angles come back in (-pi, pi]. At the lock of a sequence the first angle is the guess as given.
- SI units and radians inside; `_deg`, `_ms` and the like only at the edges.
- W is the world, P the parent, F a frame, B a body. `p_WF` is the position of F's origin from W's, resolved in W;
  `w_PF_F` the angular velocity of F relative to P, resolved in F.
- Functions broadcast over leading axes; a batched call gives, row by row, the bits of single calls.

What lives here
---------------
``frames``, ``quaternions``, ``transformation_matrices``, ``kinematics``, ``conventions``
    Functions on orientations, which check what they are given.
``kernels``
    The unchecked component-wise arithmetic that they and the evaluation share.
``expressions``, ``recordings``
    Signals of time.
``scene``
    The document: schema, reading, writing, edits.
``motions``, ``tree``, ``staging``, ``evaluate``, ``snapshot``, ``curves``
    From a scene to numbers: ``compile_plan(scene)`` once per edit, then ``evaluate(plan, t)``.
"""
