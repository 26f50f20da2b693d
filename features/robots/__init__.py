"""Robots in URDF, SDF, MJCF and xacro: reading, checking, moving joints, writing back.

- Reading: `urdf`, `sdf` and `mjcf` fill the frozen data of `robot`. A faulty file gives a robot and its faults; only
  a file that is no XML is refused. `package_files` finds meshes, within the package alone.
- Scene: `robot_scene` makes a frame for each link, a parameter for each joint and a body for each shape. Joints are a
  motion of frames, so they are edited, plotted and exported like everything else. The scene holds all that is drawn.
- Write-back: `moved_links` compares scene and file, and `urdf_writing` patches the bytes of the file.
- Children: MuJoCo's compiler and xacro run in processes with limits.
"""
