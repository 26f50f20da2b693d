"""Features: removable parts of the program, and the record in which each lists its additions.

The base knows no feature. It asks `installed_features` for additions such as docks, commands and checks.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Literal

PACKAGE = "framescope.features"
"""Package whose `FEATURES` lists the features of this installation."""


Side = Literal["left", "right", "bottom"]
"""Side of the window at which a dock is."""


@dataclass(frozen=True)
class Dock:
    """Dock of the window.

    Attributes
    ----------
    name
        Name in layouts, settings and tests.
    title
        Title in its header and in the menu *Window*.
    side
        Side of the window.
    maker
        Function that takes the wiring of the window and fills the dock when the user first sees it. Empty for docks
        that the base fills.
    after
        Dock that precedes this dock in the menu *Window* and among tabs.
    behind
        Dock whose place this dock shares as a tab; empty for a place of its own.
    tab
        Shorter title for its tab; empty to use `title`.
    width, height
        Least size, logical pixels.
    share
        Relative initial width among the docks of the lowest row.
    has_header
        Whether the user can move the dock by a header.
    help_page
        Page of the manual that F1 opens, with an anchor.
    needs
        Predicate of a scene: the dock is hidden while the scene has no such data. Empty: never hidden.
    layouts
        Layouts that show the dock at first, such as ``"Check"``.
    stays_in
        Changes of the window in which the dock stays open: another layout, or the full screen of a presentation.
    words
        Words by which the palette finds the dock, besides its title.
    answers
        Predicate of a plan and a question, a `PlottedSignal`: the card of such a question can open the dock, whose
        maker takes the question from the `questions` of the wiring. Empty: no card opens it.
    door
        Text of a door over the first scene that opens the dock; empty for none.
    place
        Place of the window, such as ``"Learn"``, by which the menu *Window* orders it.
    """

    name: str
    title: str
    side: Side
    maker: str = ""
    after: str = ""
    behind: str = ""
    tab: str = ""
    width: int = 0
    height: int = 0
    share: int = 0
    has_header: bool = True
    help_page: str = ""
    needs: str = ""
    layouts: tuple[str, ...] = ()
    stays_in: tuple[Literal["layouts", "presentation"], ...] = ()
    words: str = ""
    answers: str = ""
    door: str = ""
    place: str = "Build"


@dataclass(frozen=True)
class Action:
    """Action of a feature in a menu of the window.

    Attributes
    ----------
    name
        Name by which the feature finds the action in order to connect it.
    text
        Text in the menu and in the palette.
    place
        Group of actions that the action joins: *save* in *File*, *frame* in *Edit*, *import* in *Insert*, *learn* in
        *Help*.
    shortcut
        Keys, such as ``"Ctrl+I"``.
    words
        Words by which the palette finds the action, besides its text.
    is_menu
        Whether the action opens a menu, which the feature fills.
    is_checkable
        Whether the action has a check mark, which the feature sets.
    is_common
        Whether the palette offers the action while the user has typed nothing.
    door
        Text of a door over the first scene that triggers the action or opens its menu; empty for none.
    """

    name: str
    text: str
    place: Literal["save", "frame", "import", "learn"]
    shortcut: str = ""
    words: str = ""
    is_menu: bool = False
    is_checkable: bool = False
    is_common: bool = False
    door: str = ""


@dataclass(frozen=True)
class Insertion:
    """Items that the user inserts together, such as the two frames of a camera with its field of view.

    Attributes
    ----------
    name
        Name that no other insertion and no template of the base has.
    text
        Text in the menu.
    group
        Group in the menu that lists it, and its title in the palette.
    make
        Function that takes a scene, the selected items, and the motions of the frames or None
        (`framescope.core.scene.edits.new_items.FrameMotions`), and returns the edit that adds the items.
    icon
        Name of its icon.
    words
        Words by which the palette finds it, besides its text.
    """

    name: str
    text: str
    group: str
    make: str
    icon: str
    words: str = ""

    @property
    def title(self) -> str:
        """Title in the palette, such as ``"Equipment: Camera"``."""
        return f"{self.group}: {self.text}"


@dataclass(frozen=True)
class Shortcut:
    """Keys or mouse gesture, and its effect. `group` is its heading in the sheet of shortcuts."""

    group: str
    does: str
    keys: str


Use = Literal["Learn", "Check", "Build", "Film"]
"""Group of the gallery that holds an example: the use that somebody makes of it."""

ExampleKind = Literal["scene", "lesson", "faulty", "bag", "robot", "table"]
"""Kind of file of an example; a faulty scene has a planted fault."""


@dataclass(frozen=True)
class Example:
    """Example that ships with the program: a scene, or a file of another kind.

    Attributes
    ----------
    file
        Its path below the assets, such as ``"scenes/demo.yaml"``.
    use
        Group of the gallery. It decides the place of the window in which the example opens.
    teaches
        One sentence on what one learns or does with it.
    selected
        Kind and name of the item that is selected when the example is opened, such as ``("frames", "camera")``. None
        for a file whose reader selects one, such as a lesson.
    kind
        Kind of file. The gallery tags every kind but a scene.
    title
        Title of a file that holds none, such as a bag.
    words
        Words by which a search finds the example, besides its title and its sentence.
    dock
        Dock of its feature that opens with it; empty for none.
    """

    file: str
    use: Use
    teaches: str
    selected: tuple[str, str] | None = None
    kind: ExampleKind = "scene"
    title: str = ""
    words: str = ""
    dock: str = ""

    @property
    def name(self) -> str:
        """Name in commands and in links of the manual.

        >>> Example("scenes/demo.yaml", "Build", "").name, Example("lessons/2-gimbal-lock.lesson.md", "Learn", "").name
        ('demo', '2-gimbal-lock')
        """
        _, _, name = self.file.partition("/")
        return name.removesuffix(".yaml").removesuffix(".lesson.md")


@dataclass(frozen=True)
class Feature:
    """Record of a feature: the objects that it adds to the base.

    Each entry names an object as ``"app.bag_reader:IMPORTER"``, relative to the package of the feature. The base
    imports it when it first needs it, so that a record costs no import.

    Attributes
    ----------
    name
        Name of its folder.
    requires
        Names of features that this feature imports. Without any of them this feature is not installed either.
    docks
        Docks of the window.
    actions
        Actions in menus of the window.
    shortcuts
        Keys and gestures that no action of a menu has, for the sheet of shortcuts.
    insertions
        Items that the menu *Insert* adds to the selected frame.
    examples
        Examples that the gallery shows besides those of the base.
    controllers
        Functions that take the wiring of a window and connect the controllers of the feature.
    importers
        Kinds of files that the program opens (`framescope.app.importers.importer.Importer`).
    bag_scenes
        Functions that take an open bag and the choices of the user, and return a function that adds items to the scene
        of the bag (`AddItems` of the feature bags).
    bag_checks
        Functions that take the robot descriptions in a bag, by topic, and its logs of transforms, and yield faults
        (`TfFault` of the feature bags).
    formats
        Formats that the program exports (`framescope.ui.exports.format.Format`).
    film_encoders
        Encoders of films, by the option of an export that chooses each.
    frame_sources
        Sources of frames that are not simply those of the scene (`framescope.app.exporters.request.FrameSource`), by
        the option of an export that chooses each.
    film_panels
        Panels that films show as insets, by their names in scene files: functions that take a plan and the name of a
        frame, and return a `FilmPanel` (`framescope.app.exporters.rendering.panel_pictures`).
    commands
        Functions that take the command line and add a command or a group to it, each with the command after which the
        help lists it. Empty: at the end.
    motions
        Compilers of motions, by the form of the motion in a scene file. Each takes the motion and its context
        (`framescope.core.evaluation.local_motion.MotionContext`) and returns the compiled motion.
    joint_logs
        Functions that take the path of a log and return its series of joint values, by topic and by joint.
    tables
        Readers of binary files of numbers (`framescope.core.recordings.tables.mixed.TableReader`).
    text_tables
        Readers of texts that are no plain tables, each with a regular expression that such a text begins with.
    signals
        Kinds of signals that can be plotted (`framescope.core.scene.schema.signal_kinds.Signal`).
    checks
        Functions that take a plan and yield problems, for a deep check.
    quick_checks
        Functions that take a plan and yield problems, fast enough to run in every command that reads a scene.
    slow_checks
        Functions that take a plan and yield problems, for a deep check by a command. They take too long for the checks
        that a window makes after each edit: there the feature looks for the problems beside them.
    slow_bag_checks
        Functions that take an open bag (`Bag` of the feature bags) and yield problems for the check of a bag. Their
        places are ``("bag", name)``, their times are in s since the bag begins, and their fixes are texts.
    evaluation_warnings
        Functions that take the name of a scene and its plan, and return a warning for users who evaluate or export the
        scene. An empty text is no warning.
    explanations
        Functions that take problems of a plan and its comparisons with measurements
        (`framescope.core.analysis.diagnostics.comparisons.Comparisons`), and return the problems with causes.
    formula_compilers
        Compilers of formulas (`framescope.core.kernels.code.formula_compilers.FormulaCompiler`).
    file_frames
        Functions that take a plan and return the names of frames that a file defines, such as links of a robot. Fixes
        never merge such frames.
    visuals
        Visuals of the scene, each with the name of the visual after which it is drawn.
    comparison
        Function that takes two texts of one pose, the names of the sides and whether it writes JSON, and returns the
        answer why they differ and the exit status of a command.
    manual
        Pages of the manual by the names of their files, each with the page after which it comes.
    preload
        Modules that the window imports while it is idle, so that the first use of a panel is as fast as later uses.
    """

    name: str
    requires: tuple[str, ...] = ()
    docks: tuple[Dock, ...] = ()
    actions: tuple[Action, ...] = ()
    shortcuts: tuple[Shortcut, ...] = ()
    insertions: tuple[Insertion, ...] = ()
    examples: tuple[Example, ...] = ()
    controllers: tuple[str, ...] = ()
    importers: tuple[str, ...] = ()
    bag_scenes: tuple[str, ...] = ()
    bag_checks: tuple[str, ...] = ()
    formats: tuple[str, ...] = ()
    film_encoders: dict[str, str] = field(default_factory=dict[str, str])
    frame_sources: dict[str, str] = field(default_factory=dict[str, str])
    film_panels: dict[str, str] = field(default_factory=dict[str, str])
    commands: tuple[tuple[str, str], ...] = ()
    motions: dict[str, str] = field(default_factory=dict[str, str])
    joint_logs: tuple[str, ...] = ()
    tables: tuple[str, ...] = ()
    text_tables: tuple[tuple[str, str], ...] = ()
    signals: tuple[str, ...] = ()
    checks: tuple[str, ...] = ()
    quick_checks: tuple[str, ...] = ()
    slow_checks: tuple[str, ...] = ()
    slow_bag_checks: tuple[str, ...] = ()
    evaluation_warnings: tuple[str, ...] = ()
    explanations: tuple[str, ...] = ()
    formula_compilers: tuple[str, ...] = ()
    file_frames: tuple[str, ...] = ()
    visuals: tuple[tuple[str, str], ...] = ()
    comparison: str = ""
    manual: tuple[tuple[str, str], ...] = ()
    preload: tuple[str, ...] = ()

    def load(self, entry: str) -> Any:
        """Return the object that an entry names, such as ``"core.bag_problems:bag_problems"``."""
        return load_entry(self.full(entry))

    def full(self, entry: str) -> str:
        """Return an entry or a module name with the feature's package in front.

        >>> Feature("bags").full("core.bag_problems:bag_problems")
        'framescope.features.bags.core.bag_problems:bag_problems'
        """
        return f"{PACKAGE}.{self.name}.{entry}"


def load_entry(entry: str) -> Any:
    """Import the module of ``"package.module:object"`` and return the object.

    Examples
    --------
    >>> load_entry("math:hypot")(3.0, 4.0)
    5.0
    """
    module, _, name = entry.partition(":")
    return getattr(importlib.import_module(module), name)


def with_requirements(features: tuple[Feature, ...]) -> tuple[Feature, ...]:
    """Return the features whose required features are all among the given features.

    >>> base, middle, top = Feature("a"), Feature("b", requires=("a",)), Feature("c", requires=("b",))
    >>> [feature.name for feature in with_requirements((top, middle, base))], with_requirements((top, middle))
    (['c', 'b', 'a'], ())
    """
    names = {feature.name for feature in features}
    complete = tuple(feature for feature in features if names.issuperset(feature.requires))
    return complete if len(complete) == len(features) else with_requirements(complete)


@cache
def installed_features() -> tuple[Feature, ...]:
    """Return the features of this installation; none if the package of features is missing."""
    try:
        return with_requirements(importlib.import_module(PACKAGE).FEATURES)
    except ModuleNotFoundError as error:
        if error.name != PACKAGE:
            raise
        return ()


def entries(of: Callable[[Feature], tuple[str, ...]]) -> Iterator[Any]:
    """Import and yield the objects that the features list under a field, such as ``lambda feature: feature.checks``."""
    for feature in installed_features():
        for entry in of(feature):
            yield feature.load(entry)


def film_panels() -> dict[str, str]:
    """Return the entries of the panels that films can show, by their names in scene files.

    >>> film_panels()["readouts"]
    'framescope.app.exporters.rendering.panel_pictures:readouts'
    """
    entries_of_features = {
        name: feature.full(entry) for feature in installed_features() for name, entry in feature.film_panels.items()
    }
    return {"readouts": "framescope.app.exporters.rendering.panel_pictures:readouts", **entries_of_features}


FILM_PANELS: Mapping[str, str] = {
    **dict.fromkeys(("gimbal", "drift"), "laboratory"),
    **dict.fromkeys(("quaternion", "quaternion ball", "quaternion product"), "quaternions"),
    "shift": "shift",
}
"""Features of the whole program that have panels for films, by the names of the panels. Only messages use it."""

READERS: Mapping[str, str] = {
    **dict.fromkeys((".bag", ".mcap", ".db3"), "bags"),
    **dict.fromkeys((".urdf", ".sdf", ".xacro"), "robots"),
    ".mat": "modelica",
    ".lesson.md": "lessons",
}
"""Features of the whole program that read files, by file extension. Only messages use it."""

PROVIDERS: Mapping[str, str] = {
    "compare": "compare",
    "detect": "detective",
    "import": "table_import",
    "lesson": "lessons",
    "rig": "calibrations",
    "robot": "robots",
    **dict.fromkeys(("align", "ape", "rpe", "traj"), "trajectories"),
    ".html": "web_page",
    **dict.fromkeys((".urdf", ".sdf", ".launch.py", ".launch.xml", ".launch.yaml", ".launch"), "calibrations"),
    **dict.fromkeys((".py", ".cpp", ".hpp", ".h", ".m", ".tree.csv"), "calibrations"),
    "cluster": "cluster",
    "film": "films",
}
"""Features of the whole program, by their commands, export formats and options. Only messages use it."""


def missing_reader(file: str) -> str:
    """Return the missing feature that would read a file, as text; empty if none is missing.

    >>> missing_reader("arm.yaml")
    ''
    """
    return _absence(next((READERS[ending] for ending in READERS if file.lower().endswith(ending)), ""))


def missing_provider(name: str) -> str:
    """Return the missing feature of a command, an export format or an option, as text; empty if none is missing."""
    return _absence(PROVIDERS.get(name, ""))


def missing_film_panel(name: str) -> str:
    """Return the sentence on a panel of films whose feature is missing; empty if none is missing."""
    feature = _absence(FILM_PANELS.get(name, ""))
    return f"The panel {name} belongs to {feature}." if feature and name not in film_panels() else ""


def _absence(name: str) -> str:
    is_missing = bool(name) and all(feature.name != name for feature in installed_features())
    return f"the feature {name}, which is not installed" if is_missing else ""


def find_entry(name: str, of: Callable[[Feature], Mapping[str, str]]) -> Any:
    """Import and return the object that a feature lists by name under a field; None if no feature does.

    >>> find_entry("no such form", lambda feature: feature.motions)
    """
    return next((feature.load(of(feature)[name]) for feature in installed_features() if name in of(feature)), None)


def missing_feature_message(what: str, feature: str) -> str:
    """Return the message about data whose feature is missing.

    >>> missing_feature_message("bags are", "bags")
    'bags are read by the feature bags, which is not installed.'
    """
    return f"{what} read by the feature {feature}, which is not installed."


def find_insertion(name: str) -> Any:
    """Import and return the function that makes the items of an insertion; None if no feature has the insertion.

    >>> find_insertion("no such thing")
    """
    for feature in installed_features():
        for insertion in feature.insertions:
            if insertion.name == name:
                return feature.load(insertion.make)
    return None


def put_after(base: Iterable[str], additions: Iterable[tuple[str, str]]) -> Iterator[str]:
    """Yield names of the base in their order, and each addition after the name paired with it.

    Additions after the same name keep their order. An addition whose name is missing comes at the end.

    >>> list(put_after(("a", "b"), (("c", "a"), ("d", "e"), ("e", "a"), ("f", "missing"))))
    ['a', 'c', 'e', 'd', 'b', 'f']
    """
    followers: dict[str, list[str]] = {}
    for name, before in additions:
        followers.setdefault(before, []).append(name)

    def walk(name: str) -> Iterator[str]:
        yield name
        for follower in followers.pop(name, ()):
            yield from walk(follower)

    for name in base:
        yield from walk(name)
    while followers:
        for name in followers.pop(next(iter(followers))):
            yield from walk(name)
