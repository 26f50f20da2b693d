"""Simulation of rigid bodies on connection points, independent of scenes.

``simulate.simulate(system)`` runs a `system.System` and returns a `result.Simulation` that can be evaluated at any
times. ``mechanism`` does the index work once. ``body_kinematics`` has the kinematics, ``dynamics`` the equations of
motion, ``constraints`` the velocity sources, ``dense_output`` the states between steps, ``termination`` the reasons for
an early end, and ``balances`` energy and momentum.

Velocity sources are constraints with Lagrange multipliers; after each step the state is projected onto them. A run
takes the steps of scipy's solvers one by one, so that it can be cancelled, reports progress, and keeps its result when
it ends early. Work, dissipation and impulse are states, so energy and momentum balances are measured.

`equations` runs the equations of motion once on symbols for each structure of up to eight bodies and twelve held rows,
and generates straight-line Python code with masses and positions as arguments, which gives the same bits two to six
times as fast.

A solver ends a step wherever an authored signal bends or jumps (`time_functions.breakpoints`). The forces that a solver
sampled are compared with the authored signals, so that a missed force increases the residuals of the balance.
"""
