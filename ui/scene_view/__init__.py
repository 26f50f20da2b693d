"""The 3D view: a Qt-free `SceneRenderer` built from small visuals, and the one widget that shows it.

Everything here except `scene_view` and `qt_interactor` works without Qt, so a video and the window draw the same
picture. May import `framescope.core`, `framescope.assets`, `framescope.ui.theme.tokens`, VTK and pyvista's core (never
`pyvista.plotting` or `pyvistaqt` itself: both import matplotlib).

A visual is one small file with one class. It builds its actors from a `ViewContext`, updates them from the arrays of a
tick in `show`, and updates the camera-dependent parts in `place`. `visual_registry.VISUALS` lists the visuals.

Triads of all frames are one mesh, updated by one matrix product; labels are quads cut from one texture. There are two
layers, the scene and an overlay in pixels. The camera is plain data with its own projection. An edit that changes only
numbers keeps all geometry: `Visual.look_key` returns the parts of a plan that determine the actors.

Items in pixels keep clear of each other: all visuals `occupy` areas before any of them is placed. Data beside the
scene, such as the selection, are `SceneOption`s. The level of detail goes by count and renderer; in software, large
meshes have light stand-ins during motion.
"""
