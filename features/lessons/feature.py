"""Record of the feature."""

from framescope.core.system.features import Action, Dock, Example, Feature

FEATURE = Feature(
    "lessons",
    requires=("detective", "web_page"),
    importers=("app.lesson_importer:IMPORTER",),
    commands=(("app.lesson_commands:add_group", ""),),
    docks=(
        Dock(
            "lesson",
            "Lesson",
            "right",
            maker="app.lesson_entry:fill_lesson",
            after="manual",
            behind="readouts",
            width=340,
            place="Learn",
            help_page="lessons.md",
            stays_in=("layouts", "presentation"),
        ),
    ),
    actions=(Action("lessons", "Lessons", "learn", is_menu=True, door="Learn"),),
    examples=(
        Example(
            "lessons/1-angles-and-sequences.lesson.md",
            "Teach",
            "Predict how three angles turn an aircraft, and why their order matters.",
            kind="lesson",
            words="euler angles yaw pitch roll sequence axes order",
        ),
        Example(
            "lessons/2-gimbal-lock.lesson.md",
            "Teach",
            "Predict which turn three rings lose, and where.",
            kind="lesson",
            words="gimbal lock singularity rings euler angles",
        ),
        Example(
            "lessons/3-angular-velocity-and-resolved-in.lesson.md",
            "Teach",
            "Write one arrow in three frames, and keep body, observer and axes apart.",
            kind="lesson",
            words="angular velocity resolved relative components gyroscope",
        ),
        Example(
            "lessons/4-active-and-passive.lesson.md",
            "Teach",
            "Tell a matrix that turns a vector from one that resolves it in other axes.",
            kind="lesson",
            words="active passive rotation matrix alibi alias sign convention",
        ),
        Example(
            "lessons/5-bodies-on-points.lesson.md",
            "Teach",
            "Predict what springs and hinges do to a body, and when small angles suffice.",
            kind="lesson",
            words="physics simulation forces springs pendulum small angles",
        ),
        Example(
            "lessons/6-quaternions-and-the-double-cover.lesson.md",
            "Teach",
            "Turn a book twice, and find out why q and −q are one orientation.",
            kind="lesson",
            words="quaternion double cover half angle axis sign",
        ),
        Example(
            "lessons/7-intrinsic-against-extrinsic.lesson.md",
            "Teach",
            "Turn two books about moving and about fixed axes, and learn to convert one into the other.",
            kind="lesson",
            words="intrinsic extrinsic order euler moving fixed axes",
        ),
        Example(
            "lessons/8-what-a-gyroscope-integrates.lesson.md",
            "Teach",
            "Add up three gyroscopes, and predict how the sum goes wrong.",
            kind="lesson",
            words="gyroscope imu integration drift coning bias",
        ),
        Example(
            "lessons/9-velocities-at-other-points-of-a-body.lesson.md",
            "Teach",
            "Predict the velocity of any point of a wheel from that of one.",
            kind="lesson",
            words="twist rolling wheel spatial velocity rigid body lever arm",
        ),
    ),
    controllers=("app.lesson_entry:LessonEntry",),
    manual=(("lessons", "index"),),
)
