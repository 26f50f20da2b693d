"""Simulation of rigid bodies on connection points; nothing here knows of scenes.

``simulate.simulate(system)`` runs a `system.System` and gives a `result.Simulation` that can be read at any time or
times. Inside, ``mechanism`` does the index work once, ``body_kinematics`` has the kinematics and ``dynamics`` the
equations of motion, ``constraints`` what velocity sources hold, ``dense_output`` what is between the steps,
``termination`` why a run ends early, ``balances`` energy and momentum.
"""
