"""Report of ``framescope check`` on a bag: its contents, and the faults of its frames."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import typer

from framescope.app.cli.common import EXIT_PROBLEM, printable_line
from framescope.app.cli.json_output import json_text
from framescope.core.errors import Problem, counted
from framescope.core.evaluation.evaluate import Plan
from framescope.core.scene.schema.stamps import NS
from framescope.core.system.features import entries
from framescope.features.bags.app.bag_json import BagDamage, BagFault, fault_of_problem
from framescope.features.bags.core.autopsy.bag_autopsy import BagAutopsy, examine_bag
from framescope.features.bags.core.autopsy.fault import TfFault
from framescope.features.bags.core.autopsy.wording import join_names
from framescope.features.bags.core.bag import Bag
from framescope.features.bags.core.bag_file import is_bag_at, open_bag
from framescope.features.bags.core.bag_problems import transform_problems
from framescope.features.bags.core.tf_log import carries_poses, is_read

MAX_TOPICS = 40
"""Limit of topics listed one by one."""


def print_report(path: Path, as_json: bool) -> int:
    """Print the contents and the faults of a bag for ``framescope check``, and return the exit status."""
    with open_bag(path) as bag:
        autopsy = examine_bag(bag)
        checks = entries(lambda feature: feature.slow_bag_checks)
        problems = tuple(problem for check in checks for problem in check(bag))
    if as_json:
        typer.echo(as_json_text(bag, autopsy, problems))
    else:
        typer.echo(printable_line(str(path)))
        for line in contents(bag, autopsy):
            typer.echo(printable_line(f"  {line}"))
        for line in (*as_lines(path, bag, autopsy), *lines_of(path, problems)):
            typer.echo(printable_line(line))
    severities = {*(fault.severity for _, fault in autopsy.faults), *(problem.severity for problem in problems)}
    is_wrong = bool(autopsy.damages) or bool(severities - {"note"})
    if not is_wrong and not as_json:
        typer.echo(f"  {verdict(bag, autopsy)}")
    return EXIT_PROBLEM if is_wrong else 0


def fault_warning(named: str, plan: Plan) -> str:
    """Return a warning about the number of faults of a scene's frames in their bags; empty without faults."""
    n = sum(problem.severity != "note" for problem in transform_problems(plan))
    deep = "" if is_bag_at(Path(named)) else " --deep"
    faults = "1 fault" if n == 1 else f"{n} faults"
    return f"{named}: {faults} in recorded frames: framescope check{deep} says which." if n else ""


def contents(bag: Bag, autopsy: BagAutopsy) -> Iterator[str]:
    """Yield a line for the time span, for each topic, and for the frames of each namespace."""
    if bag.span_ns is not None:
        begin, end = bag.span_ns
        yield f"received from {_date(begin)}, {(end - begin) / NS:.3f} s"
    channels = sorted(bag.channels, key=lambda channel: (not is_read(channel), channel.topic))
    yield counted(len(channels), "channel")
    for channel in channels[:MAX_TOPICS]:
        by = f" by {channel.publisher}" if channel.publisher else ""
        yield f"  {channel.topic}: {counted(channel.count, 'message')}, {channel.type or 'of no type'}{by}"
    if len(channels) > MAX_TOPICS:
        yield f"  and {len(channels) - MAX_TOPICS} more"
    if not autopsy.logs:
        yield "no transforms between frames"
    poses = list(dict.fromkeys(channel.topic for channel in channels if carries_poses(channel) and channel.count))
    shown = [topic for topic in poses if topic not in autopsy.paths or len(autopsy.paths[topic])]
    if shown and not any(len(log) for log in autopsy.logs.values()):
        yield f"poses of {join_names(shown)}: open the bag to see them"
    for log in autopsy.paths.values():
        yield from log.notes
    for name, log in autopsy.logs.items():
        where = f" in {name}" if name else ""
        frames = {frame.removeprefix("/") for frame in log.names}
        yield f"{counted(len(frames), 'frame')}{where}, {counted(len(log), 'transform')}"


def verdict(bag: Bag, autopsy: BagAutopsy) -> str:
    """Return the verdict on a bag without faults."""
    if any(len(log) for log in autopsy.logs.values()):
        return "no problems"
    if autopsy.faults:
        return "no transforms: there is nothing to judge"
    if not any(channel.count for channel in bag.channels):
        return "it is empty: there is nothing to judge"
    if any(carries_poses(channel) and channel.count for channel in bag.channels):
        return "no transforms: there is nothing to judge"
    return "nothing in it is about frames: there is nothing to judge"


def as_lines(path: Path, bag: Bag, autopsy: BagAutopsy) -> Iterator[str]:
    """Yield for each fault its line, its times, the answer of tf2, and the fix."""
    begin = bag.span_ns[0] if bag.span_ns else 0
    for text in autopsy.damages:
        yield f"{path}: amber: Damaged: {text}"
    for namespace, fault in autopsy.faults:
        where = f" [{namespace}]" if namespace else ""
        yield f"{path}: {fault.severity}: {fault.title}: {fault.frame or 'all frames'}{where}: {fault.cause}"
        yield f"  {_when(fault, begin)}"
        if fault.answer:
            yield f"  tf2 answered: {fault.answer}"
        if fault.fix is not None:
            yield f"  fix: {fault.fix.text}"


def lines_of(path: Path, problems: Iterable[Problem]) -> Iterator[str]:
    """Yield a line for each problem that features have found in a bag, and one for each of its fixes."""
    for problem in problems:
        yield f"{path}: {problem.severity}: {problem.title}: {problem.name}: {problem.message} {problem.hint}".rstrip()
        for fix in problem.fixes:
            yield f"  fix: {fix.text}"


def as_json_text(bag: Bag, autopsy: BagAutopsy, problems: Iterable[Problem] = ()) -> str:
    """Return the faults as a JSON list; times in s since the bag begins, and in ns as recorded."""
    begin = bag.span_ns[0] if bag.span_ns else 0
    damages = [BagDamage(kind="damaged", severity="amber", cause=text) for text in autopsy.damages]
    faults = (_fields(name, fault, begin) for name, fault in autopsy.faults)
    return json_text([*damages, *faults, *(fault_of_problem(problem, begin) for problem in problems)])


def _fields(namespace: str, fault: TfFault, begin: int) -> BagFault:
    return BagFault(
        kind=fault.kind,
        severity=fault.severity,
        title=fault.title,
        namespace=namespace,
        frame=fault.frame,
        parent=fault.parent,
        publishers=tuple(fault.publishers),
        first_time=(fault.first_ns - begin) / NS,
        last_time=(fault.last_ns - begin) / NS,
        first_ns=fault.first_ns,
        last_ns=fault.last_ns,
        count=fault.count,
        cause=fault.cause,
        tf2_answered=fault.answer or None,
        mend=fault.fix.text if fault.fix is not None else None,
    )


def _when(fault: TfFault, begin: int) -> str:
    first, last = ((t - begin) / NS for t in (fault.first_ns, fault.last_ns))
    until = f" to {last:.3f} s" if last > first else " s"
    times = f", {counted(fault.count, 'time')}" if fault.count > 1 else ""
    return f"received at {first:.3f}{until}{times}"


def _date(ns: int) -> str:
    try:
        return datetime.fromtimestamp(ns // NS, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
    except (ValueError, OverflowError, OSError):
        return f"{ns} ns"
