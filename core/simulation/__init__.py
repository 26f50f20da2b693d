"""Simulation of rigid bodies on connection points, independent of scenes.

``simulate.simulate(system)`` runs a `system.System` and returns a `result.Simulation` that can be evaluated at any
times. ``mechanism`` does the index work once. ``body_kinematics`` has the kinematics, ``dynamics`` the equations of
motion, ``constraints`` the velocity sources, ``dense_output`` the states between steps, ``termination`` the reasons for
an early end, and ``balances`` energy and momentum.
"""
