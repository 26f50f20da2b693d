"""Features: removable parts of the program, a folder each. To remove a feature, delete its folder and its line here."""

from framescope.features.bags.feature import FEATURE as BAGS
from framescope.features.calibrations.feature import FEATURE as CALIBRATIONS
from framescope.features.cameras.feature import FEATURE as CAMERAS
from framescope.features.causes.feature import FEATURE as CAUSES
from framescope.features.cluster.feature import FEATURE as CLUSTER
from framescope.features.compare.feature import FEATURE as COMPARE
from framescope.features.compiled.feature import FEATURE as COMPILED
from framescope.features.detective.feature import FEATURE as DETECTIVE
from framescope.features.evidence.feature import FEATURE as EVIDENCE
from framescope.features.films.feature import FEATURE as FILMS
from framescope.features.laboratory.feature import FEATURE as LABORATORY
from framescope.features.lessons.feature import FEATURE as LESSONS
from framescope.features.modelica.feature import FEATURE as MODELICA
from framescope.features.quaternions.feature import FEATURE as QUATERNIONS
from framescope.features.robots.feature import FEATURE as ROBOTS
from framescope.features.shift.feature import FEATURE as SHIFT
from framescope.features.table_import.feature import FEATURE as TABLE_IMPORT
from framescope.features.things.feature import FEATURE as THINGS
from framescope.features.trajectories.feature import FEATURE as TRAJECTORIES
from framescope.features.web_page.feature import FEATURE as WEB_PAGE

FEATURES = (
    TABLE_IMPORT,
    BAGS,
    EVIDENCE,
    ROBOTS,
    MODELICA,
    DETECTIVE,
    COMPARE,
    CAUSES,
    CALIBRATIONS,
    CAMERAS,
    SHIFT,
    LABORATORY,
    QUATERNIONS,
    LESSONS,
    FILMS,
    WEB_PAGE,
    CLUSTER,
    COMPILED,
    THINGS,
    TRAJECTORIES,
)
