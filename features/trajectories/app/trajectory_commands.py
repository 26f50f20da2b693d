"""Commands ``align``, ``ape``, ``rpe`` and ``traj``."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from framescope.app.cli.common import printable, printed_errors


class PoseRelation(StrEnum):
    """Parts of a pose that an error measures, by evo's names."""

    TRANS = "trans_part"
    ROT = "rot_part"
    DEG = "angle_deg"
    RAD = "angle_rad"
    FULL = "full"
    DISTANCE = "point_distance"
    RATIO = "point_distance_error_ratio"


class DeltaUnit(StrEnum):
    """Units of a step, by evo's letters, and s for seconds."""

    FRAMES = "f"
    DEGREES = "d"
    RADIANS = "r"
    METRES = "m"
    SECONDS = "s"


class FileFormat(StrEnum):
    """Formats of trajectory files."""

    AUTO = "auto"
    TUM = "tum"
    KITTI = "kitti"
    EUROC = "euroc"
    TABLE = "table"


class SyncMethod(StrEnum):
    """Ways to pair poses, by evo's names, and their order."""

    NEAREST = "nearest_time"
    INTERPOLATION = "interpolation"
    ORDER = "order"


class Form(StrEnum):
    """What two streams are of each other."""

    MOUNTED = "mounted"
    SAME_FRAME = "same-frame"
    SAME_WORLD = "same-world"
    EYE_IN_HAND = "eye-in-hand"
    EYE_TO_HAND = "eye-to-hand"


Reference = Annotated[str, typer.Argument(metavar="REF", help="The reference: a file, or FILE#NAME of a stream in it.")]
Estimates = Annotated[list[str], typer.Argument(metavar="EST", help="One estimate or several, likewise.")]
FormatOption = Annotated[FileFormat, typer.Option("--format", help="Format of all files; recognized when left out.")]
RateOption = Annotated[float | None, typer.Option("--rate", help="Poses per second of files without times, Hz.")]
AlignOption = Annotated[bool, typer.Option("--align", "-a", help="Align by points, with Umeyama's method.")]
ScaleOption = Annotated[bool, typer.Option("--correct_scale", "-s", help="Also correct the scale; alone: only that.")]
FirstOption = Annotated[int, typer.Option("--n_to_align", help="Pairs, from the first, to align by; -1 is all.")]
OriginOption = Annotated[bool, typer.Option("--align_origin", help="Make the first poses agree.")]
PosesOption = Annotated[bool, typer.Option("--align_poses", help="Align by positions and orientations together.")]
YawOption = Annotated[bool, typer.Option("--align_yaw", help="Align by points, with a rotation about z alone.")]
RelationOption = Annotated[PoseRelation, typer.Option("--pose_relation", "-r", help="Part of the pose to compare.")]
MaxDiffOption = Annotated[float, typer.Option("--t_max_diff", help="Largest difference of the times of a pair, s.")]
OffsetOption = Annotated[float, typer.Option("--t_offset", help="Added to the times of the estimates, s.")]
SyncOption = Annotated[SyncMethod, typer.Option("--sync_method", help="How poses are paired.")]
StartOption = Annotated[float | None, typer.Option("--t_start", help="Leave out earlier poses: time in the file, s.")]
EndOption = Annotated[float | None, typer.Option("--t_end", help="Leave out later poses, s.")]
ResultsOption = Annotated[
    Path | None, typer.Option("--save_results", help="Write the errors of all pairs: .csv, .npz or .parquet.")
]
PathOption = Annotated[
    Path | None, typer.Option("--save_aligned", help="Write the aligned estimate: .tum or .txt (TUM), .kitti.")
]
PlotOption = Annotated[Path | None, typer.Option("--plot", help="Write a figure of the errors: .pdf or .svg.")]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON.")]


def add_align(app: typer.Typer) -> None:
    """Add the command ``align``."""
    app.command("align")(align_streams)


def add_ape(app: typer.Typer) -> None:
    """Add the command ``ape``."""
    app.command("ape")(absolute_errors)


def add_rpe(app: typer.Typer) -> None:
    """Add the command ``rpe``."""
    app.command("rpe")(relative_errors)


def add_traj(app: typer.Typer) -> None:
    """Add the command ``traj``."""
    app.command("traj")(list_trajectories)


def align_streams(
    a: Annotated[str, typer.Argument(metavar="A", help="Poses of the first sensor: a file, or FILE#NAME.")],
    b: Annotated[str, typer.Argument(metavar="B", help="Poses of the second one, likewise.")],
    *,
    form: Annotated[Form, typer.Option(help="What the two are of each other.")] = Form.MOUNTED,
    scale: Annotated[
        bool | None, typer.Option("--scale/--no-scale", help="Whether B has a scale of its own; found when left out.")
    ] = None,
    t_offset: Annotated[
        float | None, typer.Option("--t_offset", help="Added to the times of B, s; found when left out.")
    ] = None,
    as_read: Annotated[bool, typer.Option("--as-read", help="Try no other conventions of the numbers.")] = False,
    file_format: FormatOption = FileFormat.AUTO,
    rate: RateOption = None,
    frame_a: Annotated[str, typer.Option("--frame-a", help="Name of the frame of A in what is written.")] = "",
    frame_b: Annotated[str, typer.Option("--frame-b", help="Name of the frame of B in what is written.")] = "",
    dialect: Annotated[
        str, typer.Option("--as", metavar="DIALECT", help="Print the mounting as a calibration: kalibr, euroc, ...")
    ] = "",
    code: Annotated[str, typer.Option(help="Print the mounting as code: numpy, scipy, eigen, matlab, urdf, ...")] = "",
    into: Annotated[
        Path | None, typer.Option(metavar="SCENE", help="Put the mounting into a scene: B's frame on A's frame.")
    ] = None,
    save: Annotated[
        Path | None, typer.Option(help="Write the poses of A as B predicts them: .tum or .txt (TUM), .kitti.")
    ] = None,
    plot: PlotOption = None,
    as_json: JsonOption = False,
) -> None:
    """Find how two pose streams belong together: mounting, scale, clocks and conventions.

    The streams are poses of two sensors on one body, of one sensor in two worlds, or of hand and eye. The answer has
    the pose of B's frame on A's frame with its lever arm, the pose of B's world in A's, the scale of B, the offset and
    drift of its clock, and the convention under which the numbers fit, with standard errors. What the motion leaves
    open is named. For eye-in-hand, A is the hand in the base and B the target in the camera; files without times are
    paired line by line.

    \b
    Exit status:
      0  aligned
      2  a file cannot be read, or nothing fits
      3  aligned, but the motion leaves something open, or several readings
         fit

    \b
    Examples:
      framescope align imu.txt camera.txt
      framescope align imu.txt camera.txt --as kalibr
      framescope align hand.txt target.txt --form eye-in-hand --code scipy
    """  # noqa: D301 (without the backslash the lines would be joined)
    with printed_errors():
        from framescope.features.trajectories.app.align_report import AlignOutputs, run_align
        from framescope.features.trajectories.core.align_streams import AlignChoice
        from framescope.features.trajectories.core.alignment_study import with_hand
        from framescope.features.trajectories.core.stream_reading import StreamChoice

        choice = AlignChoice(has_scale=scale, offset_s=t_offset, conventions=not as_read)
        text, is_open = run_align(
            (a, b),
            with_hand(choice, form.value.replace("-", " ")),
            StreamChoice(format=file_format.value, rate_hz=rate),
            (frame_a, frame_b),
            AlignOutputs(dialect, code, into, save, plot, as_json=as_json),
        )
        typer.echo(printable(text))
        raise typer.Exit(3 if is_open else 0)


def absolute_errors(
    reference: Reference,
    estimates: Estimates,
    *,
    relation: RelationOption = PoseRelation.TRANS,
    align: AlignOption = False,
    correct_scale: ScaleOption = False,
    n_to_align: FirstOption = -1,
    align_origin: OriginOption = False,
    align_poses: PosesOption = False,
    align_yaw: YawOption = False,
    t_max_diff: MaxDiffOption = 0.01,
    t_offset: OffsetOption = 0.0,
    sync_method: SyncOption = SyncMethod.NEAREST,
    t_start: StartOption = None,
    t_end: EndOption = None,
    file_format: FormatOption = FileFormat.AUTO,
    rate: RateOption = None,
    save_results: ResultsOption = None,
    save_aligned: PathOption = None,
    plot: PlotOption = None,
    as_json: JsonOption = False,
) -> None:
    """Print the absolute pose error (APE) of estimates against a reference.

    Options with underscores are those of evo, and so are the numbers.

    \b
    Exit status:
      0  computed
      2  a file cannot be read, or the poses do not pair up

    \b
    Examples:
      framescope ape truth.txt slam.txt --align
      framescope ape truth.txt slam.txt odometry.txt -a --plot errors.pdf
    """  # noqa: D301 (without the backslash the lines would be joined)
    _print_errors(
        reference, estimates, relation, None, (align, correct_scale, n_to_align, align_origin, align_poses, align_yaw),
        (t_max_diff, t_offset, sync_method, t_start, t_end), (file_format, rate),
        (save_results, save_aligned, plot), as_json=as_json,
    )  # fmt: skip


def relative_errors(
    reference: Reference,
    estimates: Estimates,
    *,
    relation: RelationOption = PoseRelation.TRANS,
    delta: Annotated[float, typer.Option("--delta", "-d", help="Length of a step.")] = 1.0,
    delta_unit: Annotated[
        DeltaUnit, typer.Option("--delta_unit", "-u", help="Its unit: frames, degrees, radians, metres or seconds.")
    ] = DeltaUnit.FRAMES,
    delta_tol: Annotated[
        float, typer.Option("--delta_tol", "-t", help="Deviation from the length with --all_pairs, as a fraction.")
    ] = 0.1,
    all_pairs: Annotated[bool, typer.Option("--all_pairs", help="Begin a step at each pose.")] = False,
    pairs_from_reference: Annotated[
        bool, typer.Option("--pairs_from_reference", help="Let the reference decide the steps.")
    ] = False,
    align: AlignOption = False,
    correct_scale: ScaleOption = False,
    n_to_align: FirstOption = -1,
    align_origin: OriginOption = False,
    align_poses: PosesOption = False,
    align_yaw: YawOption = False,
    t_max_diff: MaxDiffOption = 0.01,
    t_offset: OffsetOption = 0.0,
    sync_method: SyncOption = SyncMethod.NEAREST,
    t_start: StartOption = None,
    t_end: EndOption = None,
    file_format: FormatOption = FileFormat.AUTO,
    rate: RateOption = None,
    save_results: ResultsOption = None,
    save_aligned: PathOption = None,
    plot: PlotOption = None,
    as_json: JsonOption = False,
) -> None:
    """Print the relative pose error (RPE) of estimates against a reference.

    Options with underscores are those of evo, and so are the numbers. Steps in seconds are an addition.

    \b
    Exit status:
      0  computed
      2  a file cannot be read, the poses do not pair up, or no step is so long

    \b
    Examples:
      framescope rpe truth.txt slam.txt --delta 1 --delta_unit m
      framescope rpe truth.txt slam.txt -r angle_deg -d 2 -u s --all_pairs
    """  # noqa: D301 (without the backslash the lines would be joined)
    with printed_errors():
        from framescope.features.trajectories.core.error_tables import Steps

        steps = Steps(delta, delta_unit.value, delta_tol, all_pairs=all_pairs, from_reference=pairs_from_reference)
    _print_errors(
        reference, estimates, relation, steps, (align, correct_scale, n_to_align, align_origin, align_poses, align_yaw),
        (t_max_diff, t_offset, sync_method, t_start, t_end), (file_format, rate),
        (save_results, save_aligned, plot), as_json=as_json,
    )  # fmt: skip


def list_trajectories(
    files: Annotated[list[str], typer.Argument(metavar="FILE", help="Trajectories: files, or FILE#NAME.")],
    *,
    reference: Annotated[str, typer.Option("--ref", help="Reference to which the others are aligned.")] = "",
    align: AlignOption = False,
    correct_scale: ScaleOption = False,
    n_to_align: FirstOption = -1,
    align_origin: OriginOption = False,
    align_poses: PosesOption = False,
    align_yaw: YawOption = False,
    t_max_diff: MaxDiffOption = 0.01,
    t_offset: OffsetOption = 0.0,
    file_format: FormatOption = FileFormat.AUTO,
    rate: RateOption = None,
    save_as: Annotated[
        str, typer.Option("--save_as", help="Also write each trajectory into the working folder: tum or kitti.")
    ] = "",
    as_json: JsonOption = False,
) -> None:
    """List trajectories: poses, times, length of the path, rate, gaps and rows left out; convert and align them.

    \b
    Examples:
      framescope traj truth.txt slam.txt
      framescope traj slam.txt --ref truth.txt --align --save_as kitti
    """  # noqa: D301 (without the backslash the lines would be joined)
    with printed_errors():
        from framescope.features.trajectories.app.error_report import run_traj
        from framescope.features.trajectories.core.error_tables import alignment_of
        from framescope.features.trajectories.core.stream_reading import StreamChoice

        text = run_traj(
            files,
            reference,
            alignment_of(align, correct_scale, n_to_align, origin=align_origin, poses=align_poses, yaw=align_yaw),
            (t_max_diff, t_offset),
            StreamChoice(format=file_format.value, rate_hz=rate),
            save_as,
            as_json=as_json,
        )
        typer.echo(printable(text))


def _print_errors(
    reference: str,
    estimates: list[str],
    relation: PoseRelation,
    steps: object,
    aligned: tuple[bool, bool, int, bool, bool, bool],
    paired: tuple[float, float, SyncMethod, float | None, float | None],
    read: tuple[FileFormat, float | None],
    outputs: tuple[Path | None, Path | None, Path | None],
    *,
    as_json: bool,
) -> None:
    with printed_errors():
        from framescope.features.trajectories.app.error_report import ErrorOutputs, run_errors
        from framescope.features.trajectories.core.error_tables import Pairing, Steps, alignment_of
        from framescope.features.trajectories.core.stream_reading import StreamChoice

        by_points, scale, first, origin, poses, yaw = aligned
        method = {"nearest_time": "nearest", "interpolation": "interpolated", "order": "order"}[paired[2].value]
        text = run_errors(
            reference,
            estimates,
            relation.value,
            steps if isinstance(steps, Steps) else None,
            alignment_of(by_points, scale, first, origin=origin, poses=poses, yaw=yaw),
            Pairing(paired[0], paired[1], method, paired[3], paired[4]),  # type: ignore[arg-type]
            StreamChoice(format=read[0].value, rate_hz=read[1]),
            ErrorOutputs(*outputs, as_json=as_json),
        )
        typer.echo(printable(text))
