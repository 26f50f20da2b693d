"""Large bags: how soon topics are listed, transforms among pictures are read and are a scene, and in what memory.

Each bag holds a drive with 20,000 transforms, and so many pictures of 400 kB that cannot be packed that it is as large
as it says. Reading is in a process of its own, whose peak memory is its own.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import numpy as np

from tests.bench.bench_run import Row, row
from tests.support.bags import START_NS, Other, Sent, drive, write_ros1, write_ros2

SMALL_MB, LARGE_MB = 50, 1000
PICTURE_BYTES = 400_000

READ = """
import json, resource, sys, time
from pathlib import Path
from framescope.features.bags.core.autopsy.autopsy import examine
from framescope.core.evaluation.evaluate import compile_plan, evaluate
from framescope.features.bags.core.bag_file import named_file, open_bag
from framescope.features.bags.core.bag_scene import Source, scene_of
from framescope.features.bags.core.kept_transforms import transforms_of
base = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
start = time.perf_counter()
bag = open_bag(Path(sys.argv[1]))
listed = time.perf_counter()
path = named_file(Path(sys.argv[1]))
tracks = transforms_of(path).tracks("")
log = tracks.log
read = time.perf_counter()
scene, _ = scene_of([Source(tracks)], path.name)
plan = compile_plan(scene, path.parent)
assert not plan.problems and evaluate(plan, plan.end / 2).is_posed.all()
made = time.perf_counter()
examine(log)
done = time.perf_counter()
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - base
spans = [listed - start, read - listed, made - read, done - made]
print(json.dumps([len(bag.channels), len(log), *spans, max(peak / 1e3, 0.1)]))
"""


def pictures(megabytes: int) -> list[Other]:
    """Return pictures that take so much room, spread over the drive."""
    n = megabytes * 1_000_000 // PICTURE_BYTES
    pixels = np.random.default_rng(1).integers(0, 256, PICTURE_BYTES, np.uint8)
    step = 309_000_000_000 // n
    fields = {"header": ("header", "camera"), "format": "jpeg", "data": pixels}
    return [Other(START_NS + i * step, "/image", "sensor_msgs/msg/CompressedImage", fields) for i in range(n)]


WRITERS: dict[str, Callable[[Path, list[Sent | Other]], Path]] = {
    "ROS 1": lambda path, sent: write_ros1(path.with_suffix(".bag"), sent),
    "SQLite": write_ros2,
    "MCAP": lambda path, sent: write_ros2(path, sent, storage="MCAP"),
}


def run() -> list[Row]:
    """Return a row for each container, figure and size; the figure of the small bag is the peer of the large one's."""
    rows: list[Row] = []
    transforms = drive(seconds=309.0)
    for name, write in WRITERS.items():
        found: dict[int, list[float]] = {}
        for megabytes in (SMALL_MB, LARGE_MB):
            with tempfile.TemporaryDirectory() as folder:
                path = write(Path(folder) / "drive", [*transforms, *pictures(megabytes)])
                done = subprocess.run([sys.executable, "-c", READ, path], capture_output=True, text=True, check=True)
                found[megabytes] = json.loads(done.stdout)
        small, large = found[SMALL_MB], found[LARGE_MB]
        for i, what, unit in (
            (2, "topics listed", "s"),
            (3, "transforms read", "s"),
            (4, "made a scene", "s"),
            (5, "autopsy", "s"),
            (6, "memory", "MB"),
        ):
            case = f"{name}, {LARGE_MB} MB: {what} ({int(large[1]):,} transforms)"
            rows.append(row(case, large[i], unit, f"the same of {SMALL_MB} MB", small[i]))
    return rows
