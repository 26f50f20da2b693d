"""MJCF, the format of MuJoCo (https://mujoco.readthedocs.io/en/stable/XMLreference.html), read by its own compiler."""
