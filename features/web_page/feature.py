"""Record of the feature."""

from framescope.core.system.features import Feature

FEATURE = Feature(
    "web_page",
    formats=("app.page_format:FORMAT",),
    controllers=("app.share_controller:ShareController",),
)
