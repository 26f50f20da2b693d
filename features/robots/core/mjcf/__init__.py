"""MJCF, the format of MuJoCo (https://mujoco.readthedocs.io/en/stable/XMLreference.html): by its own compiler."""
