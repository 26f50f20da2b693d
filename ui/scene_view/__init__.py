"""The 3D view: a Qt-free `SceneRenderer` built from small visuals, and the one widget that shows it.

Everything here except `scene_view` and `qt_interactor` works without Qt, so a video and the window draw the same
picture. May import `framescope.core`, `framescope.assets`, `framescope.ui.theme.tokens`, VTK and pyvista's core (never
`pyvista.plotting` or `pyvistaqt` itself: both import matplotlib).

A visual is one small file with one class. It builds its actors from a `ViewContext`, updates them from the arrays of a
tick in `show`, and updates the camera-dependent parts in `place`. `visual_registry.VISUALS` lists the visuals.
"""
