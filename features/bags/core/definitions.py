"""Definitions of messages that a bag stores: whether the messages of a type begin with a header."""

from __future__ import annotations

import re
from functools import lru_cache

HEADER_TYPES = frozenset(
    [
        *(f"geometry_msgs/{name}Stamped" for name in ("Accel", "AccelWithCovariance", "Inertia", "Point", "Polygon")),
        *(f"geometry_msgs/{name}Stamped" for name in ("Pose", "PoseWithCovariance", "Quaternion", "Transform")),
        *(f"geometry_msgs/{name}Stamped" for name in ("Twist", "TwistWithCovariance", "Vector3", "Wrench")),
        *("geometry_msgs/PoseArray", "nav_msgs/GridCells", "nav_msgs/OccupancyGrid", "nav_msgs/Odometry"),
        *("nav_msgs/Path", "sensor_msgs/CameraInfo", "sensor_msgs/CompressedImage", "sensor_msgs/FluidPressure"),
        *("sensor_msgs/Illuminance", "sensor_msgs/Image", "sensor_msgs/Imu", "sensor_msgs/LaserScan"),
        *("sensor_msgs/MagneticField", "sensor_msgs/MultiEchoLaserScan", "sensor_msgs/NavSatFix"),
        *("sensor_msgs/PointCloud", "sensor_msgs/PointCloud2", "sensor_msgs/Range", "sensor_msgs/RelativeHumidity"),
        *("sensor_msgs/Temperature", "stereo_msgs/DisparityImage", "visualization_msgs/Marker"),
    ]
)
"""Types of ROS that begin with a header, for bags that store no definitions."""

_COMMENT = re.compile(r"#.*")
_HEADER_FIELD = re.compile(r"(?:std_msgs/(?:msg/)?)?Header\s+\w+\s*$")
_IDL_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_IDL_HEADER = re.compile(r"(?:@\w+(?:\s*\([^)]*\))?\s*)*(?:::)?std_msgs::msg::Header\s+\w+\s*;")


@lru_cache(maxsize=1024)
def begins_with_header(type_name: str, definition: str) -> bool:
    r"""Return whether the messages of a type begin with a header, by their definition in .msg or .idl.

    Without a definition, the common types of ROS are known.

    >>> begins_with_header("my_msgs/Echo", "uint8 NEAR=1  # m\n\nstd_msgs/Header header\nfloat32 range")
    True
    >>> begins_with_header("my_msgs/Echo", "float32 range\nHeader header")
    False
    """
    text = definition.strip()
    if not text:
        return type_name in HEADER_TYPES
    if re.search(r"\bstruct\s+\w+", text) and ";" in text:
        return _idl_begins_with_header(type_name.rpartition("/")[2], _IDL_COMMENT.sub(" ", text))
    for line in text.splitlines():
        field = _COMMENT.sub("", line).strip()
        if field.startswith("=="):
            return False  # the definitions of other types follow
        if field and "=" not in field:  # a constant has a value
            return bool(_HEADER_FIELD.match(field))
    return False


def _idl_begins_with_header(name: str, text: str) -> bool:
    struct = re.search(rf"\bstruct\s+{re.escape(name)}\s*\{{\s*", text)
    return bool(struct and _IDL_HEADER.match(text, struct.end()))
