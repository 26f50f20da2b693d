"""Controller of the evidence: compares the sensors of an opened recording in another process."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from framescope.app.background.latest_task import LatestTask
from framescope.app.session.session import Session
from framescope.core.evaluation.evaluate import Plan
from framescope.core.scene.edits.base import Edit
from framescope.core.snapshot import Snapshot
from framescope.features.evidence.core.recorded_sensors import has_sensor_recordings
from framescope.ui.scene_view.base.ghost_pose import CANDIDATES, Candidate
from framescope.ui.window.main_window import MainWindow

if TYPE_CHECKING:
    from framescope.app.controllers.wiring import Wiring
    from framescope.features.evidence.core.account import Agreement, Finding
    from framescope.features.evidence.core.evidence_problems import BagEvidence
    from framescope.features.evidence.core.scene_readings import SceneBag
    from framescope.features.evidence.ui.evidence_panel import EvidencePanel, ShownFinding

REST_MS = 400
"""Time after the last change of the scene before the sensors are compared, ms."""

FEATURE = "evidence"


class EvidenceController(QObject):
    """Keeps the accounts of the bags and tables of the open scene, and shows them in a panel.

    Signals
    -------
    changed()
        Other accounts are known, or none.
    """

    changed = Signal()

    def __init__(self, session: Session, window: MainWindow) -> None:
        super().__init__(window)
        self._session, self._window = session, window
        self._bags: tuple[SceneBag, ...] = ()
        self._panel: EvidencePanel | None = None
        self._i_file = 0
        self._share: float | None = None
        self._is_comparing = False
        self._why = ""
        self._is_opening = True
        """Whether no account of the opened document was shown yet."""
        self._is_offered = False
        """Whether the tab of the panel is there only because a recording was opened."""
        self._has_ghosts = False
        self._shown: Finding | Agreement | None = None
        """Finding or comparison whose stretch is lit."""
        self.accounts: tuple[BagEvidence, ...] = ()
        """Accounts of the bags of the scene, and of its tables."""
        self.task = LatestTask(self)
        self.task.found.connect(self._on_found)
        self.task.failed.connect(self._on_failed)
        self._rest = QTimer(self, interval=REST_MS, singleShot=True)
        self._rest.timeout.connect(self._begin)
        session.document_opened.connect(self._forget)
        session.plan_changed.connect(self._on_plan)
        session.numbers_due.connect(self._on_numbers)
        session.document_changed.connect(self._hide_ghosts)

    def close(self) -> None:
        """Cancel the comparison when the window closes."""
        self._rest.stop()
        self.task.close()

    @property
    def is_busy(self) -> bool:
        """Whether the sensors are being compared, or will be in a moment."""
        return self._rest.isActive() or self._is_comparing

    # --- The session

    def _forget(self) -> None:
        """Clear the accounts of the previous document."""
        self._cancel()
        self._bags, self.accounts = (), ()
        self._share, self._why, self._i_file, self._is_opening = None, "", 0, True
        self._is_offered = False
        self._light(None)
        self._show()
        self.changed.emit()

    def _on_plan(self, plan: Plan, is_preview: bool) -> None:
        """Compare the sensors again if the scene states other mounts; else only update the mends."""
        if is_preview:
            return
        if not self._bags and not has_sensor_recordings(plan.scene):
            return
        from framescope.features.evidence.core.evidence_problems import recordings_of

        bags = recordings_of(plan)
        if bags != self._bags:
            self._bags, self._why = bags, ""
            self._cancel()
            if bags:
                self._rest.start()
                self._report(is_behind=True)
            else:
                self.accounts = ()
                self._report()
            self._show()
        elif self.accounts:
            self._report()
            self._show_mends()

    def begin_again(self) -> None:
        """Compare the sensors again that were not, since it was stopped or has failed."""
        self._why = ""
        self._begin()

    def _begin(self) -> None:
        if not self._bags:
            return
        from framescope.features.evidence.app.evidence_task import examine_in_worker

        self._share, self._is_comparing = None, True
        self.task.want(examine_in_worker, self._bags)
        self._offer_panel()
        self._report(is_behind=bool(self.accounts))
        self._show()

    def stop(self) -> None:
        """Stop the comparison."""
        self._cancel()
        self._why = "The comparison of the sensors was stopped."
        self._report(is_behind=bool(self.accounts))
        self._show()

    def _cancel(self) -> None:
        self._rest.stop()
        self.task.cancel()
        self._is_comparing = False

    def _on_found(self, result: float | tuple[BagEvidence, ...]) -> None:
        if isinstance(result, float | int):
            self._share = result
            if self._panel is not None:
                self._panel.show_busy(self._busy_words(), self._share)
            return
        self.accounts, self._share, self._is_comparing = result, None, False
        self._i_file = min(self._i_file, max(len(result) - 1, 0))
        self._light(None)
        self._report()
        self._open_panel()
        self._is_opening = False
        self._show()
        self.changed.emit()

    def _on_failed(self, why: str) -> None:
        self.accounts, self._why, self._share, self._is_comparing = (), why, None, False
        self._report()
        self._show()
        self.changed.emit()

    def _offer_panel(self) -> None:
        """Show the tab of the panel, with its progress, for a recording that was just opened."""
        if self._is_opening and not self._window.has_dock(FEATURE):
            self._is_offered = True
            self._window.bring_back_dock(FEATURE)

    def _open_panel(self) -> None:
        """Open the panel if the sensors of a recording that was just opened contradict each other.

        The tab disappears again if there is nothing to compare.
        """
        findings = [finding for each in self.accounts for finding in each.account.findings]
        is_serious = any(finding.severity != "note" for finding in findings)
        has_any = bool(findings) or any(each.account.agreements for each in self.accounts)
        if self._is_opening and is_serious and not self._session.document.is_dirty:
            self._window.show_dock(FEATURE)
        elif self._is_offered and not has_any and not self._window.is_instrument_seen(FEATURE):
            self._window.hide_dock(FEATURE)
        self._is_offered = False

    def _report(self, *, is_behind: bool = False) -> None:
        """List the problems; without their fixes while the accounts are those of an earlier scene."""
        from framescope.features.evidence.core.evidence_problems import problems_of

        problems = tuple(problems_of(self._session.plan, self.accounts))
        if is_behind:
            problems = tuple(replace(problem, fix=None, others=()) for problem in problems)
        self._session.set_found_problems(FEATURE, problems, is_complete=not self.is_busy)

    # --- The panel

    def fill(self, panel: EvidencePanel) -> None:
        """Show the accounts in a panel, and follow it."""
        self._panel = panel
        panel.file_chosen.connect(self._choose_file)
        panel.finding_shown.connect(self.show_finding)
        panel.finding_mended.connect(self.mend)
        panel.agreement_shown.connect(self.show_agreement)
        panel.scrubbed.connect(self._scrub)
        panel.scrub_finished.connect(self._session.end_scrub)
        panel.stop_requested.connect(self.stop)
        panel.begin_requested.connect(self.begin_again)
        panel.copied.connect(partial(self._session.status.emit, "good"))
        panel.destroyed.connect(self._let_go)
        self._show()
        panel.set_time(float(self._session.snapshot.t))

    def _let_go(self) -> None:
        self._panel = None

    def _busy_words(self) -> str:
        names = ", ".join(bag.file.name for bag in self._bags[:2]) + (" and more" if len(self._bags) > 2 else "")
        return f"Comparing the sensors of {names}"

    def _show(self) -> None:
        """Show accounts, progress, or why there is nothing."""
        panel = self._panel
        if panel is None:
            return
        plan = self._session.plan
        if self.accounts:
            evidence = self.accounts[self._i_file]
            files = [each.bag.file.name for each in self.accounts]
            panel.show_account(evidence.account, self._findings(evidence), (plan.start, plan.end), files, self._i_file)
            first = next(iter(evidence.account.findings), None)
            agreement = None if first is None else self._agreement_of(first)
            if panel.agreement is None and agreement is not None:
                panel.show_agreement(agreement)
        if self._why:
            panel.show_stopped(self._why)
        elif self.is_busy:
            panel.show_busy(self._busy_words(), self._share)
        elif not self.accounts:
            panel.show_nothing(has_recording=bool(self._bags))

    def _show_mends(self) -> None:
        if self._panel is not None and self.accounts:
            self._panel.show_mends(self._findings(self.accounts[self._i_file]))

    def _findings(self, evidence: BagEvidence) -> tuple[ShownFinding, ...]:
        from framescope.features.evidence.core.evidence_problems import mends_outside
        from framescope.features.evidence.core.mends import mount_fix
        from framescope.features.evidence.ui.evidence_panel import ShownFinding

        plan, found = self._session.plan, list[ShownFinding]()
        for finding in evidence.account.findings:
            is_note = finding.severity == "note"
            fix = None if is_note or self.is_busy else mount_fix(plan, evidence.bag, finding)
            snippets = () if is_note else mends_outside(evidence.bag, finding)
            found.append(ShownFinding(finding, "" if fix is None else fix.text, snippets))
        return tuple(found)

    def _choose_file(self, i_file: int) -> None:
        self._i_file = i_file
        self._light(None)
        self._show()

    def _on_numbers(self, snapshot: Snapshot) -> None:
        if self._panel is not None:
            self._panel.set_time(float(snapshot.t))

    def _scrub(self, t: float) -> None:
        self._session.scrub(t, is_drag=True)

    # --- Choices of the user

    def show_agreement(self, agreement: Agreement) -> None:
        """Light the stretch of a comparison on the timeline."""
        self._light(agreement)

    def show_finding(self, finding: Finding) -> None:
        """Light the stretch of a finding, go there, and show its comparison and the pose that it states."""
        self._light(finding)
        self._session.pause()
        if math.isfinite(finding.stretch[0]):
            self._session.scrub(min(max(finding.stretch[0], self._session.plan.start), self._session.plan.end))
        agreement = self._agreement_of(finding)
        if agreement is not None and self._panel is not None:
            self._panel.show_agreement(agreement)
        self._show_ghosts(finding)

    def mend(self, finding: Finding) -> None:
        """Mend the scene, as one undo step."""
        from framescope.features.evidence.core.mends import mount_fix

        fix = mount_fix(self._session.plan, self.accounts[self._i_file].bag, finding)
        edit: Edit | None = None if fix is None else fix.change
        if edit is not None:
            self._session.commit(edit)

    def _agreement_of(self, finding: Finding) -> Agreement | None:
        """Return the comparison that shows a finding best: the one in which its faults make the largest difference."""
        account = self.accounts[self._i_file].account
        names = set(finding.readings)
        about = [each for each in account.agreements if {each.first, each.second} & names]

        def fitness(agreement: Agreement) -> tuple[bool, float, float]:
            is_clash = agreement.verdict in ("explained", "contradict")
            better = agreement.before / agreement.after if agreement.before > agreement.after > 0.0 else 1.0
            return is_clash == bool(finding.faults), better, agreement.apart

        return max(about, key=fitness, default=None)

    def _light(self, shown: Finding | Agreement | None) -> None:
        """Light the stretch of a finding or a comparison on the timeline; None lights none."""
        self._shown = shown
        stretch = None if shown is None or not shown.stretch[1] > shown.stretch[0] else shown.stretch
        self._window.timeline.set_stretch(stretch)

    def _show_ghosts(self, finding: Finding) -> None:
        """Show the orientation of a mounted frame as stated and as proven, if the scene has the frame."""
        import numpy as np

        from framescope.features.evidence.core.mends import is_pose, orientation_of

        mounting, bag, plan = finding.mounting, self.accounts[self._i_file].bag, self._session.plan
        is_known = mounting is not None and is_pose(mounting) and mounting.is_known
        if mounting is None or not is_known or bag.scene_name(mounting.parent) not in plan.index:
            self._hide_ghosts()
            return
        parent, name = bag.scene_name(mounting.parent), bag.scene_name(mounting.frame)
        stated = bag.stated_pose(mounting.parent, mounting.frame) if name in plan.index else None
        R = orientation_of(mounting).T.T
        if stated is None:
            ghosts = (Candidate("as proven", parent, parent, R[np.newaxis]),)
        else:
            ghosts = (
                Candidate("as stated", name, parent, stated.R_AB[np.newaxis], turn_to="as proven"),
                Candidate("as proven", name, parent, R[np.newaxis]),
            )
        self._window.scene_view.set_option(CANDIDATES, ghosts)
        self._window.scene_view.camera.bring_into_view(ghosts[0].frame)
        self._has_ghosts = True

    def _hide_ghosts(self) -> None:
        if self._has_ghosts:
            self._has_ghosts = False
            self._window.scene_view.set_option(CANDIDATES, ())


def connect_evidence(wiring: Wiring) -> None:
    """Connect the controller of the evidence."""
    controller = EvidenceController(wiring.session, wiring.window)
    wiring.instruments.close_with_window(controller)
