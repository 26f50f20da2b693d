"""The 3D view: a Qt-free `SceneRenderer` of small visuals, and the one widget that shows it.

Everything here but `scene_view` and `qt_interactor` works without Qt, so that a video and the window
are the same drawing. May import `framescope.core`, `framescope.assets`, `framescope.ui.theme.tokens`, VTK and
pyvista's core (never `pyvista.plotting` or `pyvistaqt` itself: both import matplotlib).

A visual is one small file with one class: it builds its actors from a `ViewContext`, takes the arrays
of a tick in `show`, and what depends on the camera in `place`. `visual_registry.VISUALS` lists them.
"""
