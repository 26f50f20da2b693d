"""Record of the feature."""

from framescope.core.system.features import Action, Dock, Feature

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
    controllers=("app.lesson_entry:LessonEntry",),
    manual=(("lessons", "index"),),
)
