"""Record of the feature."""

from framescope.core.system.features import Feature

FEATURE = Feature(
    "cluster",
    film_encoders={"cluster": "app.dask_cluster:encode_on_cluster"},
    manual=(("cluster", "python"),),
)
