"""Deliberate mistakes in what is no formula, each shown to be caught by a test that is named.

The mistakes of ``test_mutations.py`` stand in formulas. These stand in scene files and edits, evaluation, diagnostics,
the detective, exporters and the session, each in one expression of one function.
"""

from __future__ import annotations

import pytest

from framescope import assets
from framescope.core.scene.files.loading import load_scene
from framescope.features.detective.core.interpretations import Interpretation
from tests.app.test_recovery import below, document
from tests.core.test_diagnose_measurements import place_for_files
from tests.support.planting import Mistake, check_of, plant

pytestmark = pytest.mark.process  # films are among what is checked
__all__ = ["below", "document", "place_for_files"]
"""Fixtures of the tests that are named."""

DEMO = load_scene(assets.path("scenes/demo.yaml")).scene, assets.path("scenes")

SCENE_FILES = {
    "a migration stops one version early": Mistake(
        "framescope.core.scene.files.migrations:migrate",
        "range(version, current)",
        "range(version, current - 1)",
        "core/test_migrations:test_that_steps_follow_one_another_and_leave_what_was_read_alone",
    ),
    "a migration changes what was read": Mistake(
        "framescope.core.scene.files.migrations:migrate",
        "deepcopy(data)",
        "data",
        "core/test_migrations:test_that_steps_follow_one_another_and_leave_what_was_read_alone",
    ),
    "a mark before the text is taken for text": Mistake(
        "framescope.core.scene.files.loading:_decode",
        '"utf-8-sig"',
        '"utf-8"',
        "core/test_loading:test_that_a_file_of_windows_reads_as_any_other",
        {"change": lambda text: "\ufeff" + text},
    ),
    "single carriage returns stay": Mistake(
        "framescope.core.scene.files.loading:_decode",
        '.replace("\\r", "\\n")',
        "",
        "core/test_loading:test_that_a_file_of_windows_reads_as_any_other",
        {"change": lambda text: text.replace("\n", "\r")},
    ),
    "a renamed file of times keeps its old name": Mistake(
        "framescope.core.scene.files.referenced_files:_names_in",
        "kind.files if kind",
        "kind.files[:1] if kind",
        "core/test_named_files:test_that_a_file_of_times_is_renamed_too",
    ),
    "a bundle writes above its folder": Mistake(
        "framescope.core.scene.files.scene_archive:_check_entry",
        '("", ".", "..")',
        '("", ".")',
        "app/test_bundles:test_that_a_name_that_leads_elsewhere_is_refused",
        {"kind": "parent"},
    ),
    "a folder of other files is taken for the bundle's": Mistake(
        "framescope.core.scene.files.scene_archive:_has_all",
        "or _crc(file) != entry.CRC",
        "",
        "app/test_bundles:test_that_a_folder_with_the_same_files_is_taken_and_another_is_left_alone",
    ),
    "a saved file loses the order of its items": Mistake(
        "framescope.core.scene.files.saving:_merge",
        "list(document) != list(data)",
        "False",
        "core/test_round_trip:test_that_items_are_saved_in_their_order",
    ),
    "a renamed item loses its comments": Mistake(
        "framescope.core.scene.files.saving:_rename",
        "len(document) != len(data)",
        "True",
        "core/test_round_trip:test_that_a_renamed_item_keeps_its_place_and_its_comments",
    ),
    "items that were moved stay where they are": Mistake(
        "framescope.core.scene.files.incremental_text:_consecutive_runs",
        "before_old[name] == before_new.get(name) == names[-1]",
        "before_old[name] == names[-1]",
        "core/test_round_trip:test_that_items_are_saved_in_their_order",
    ),
}

SCHEMA = {
    "an SI value is divided by its unit": Mistake(
        "framescope.core.scene.schema.quantities:Quantity.si",
        "self.value * unit_factor",
        "self.value / unit_factor",
        "app/test_doctests:test_that_examples_run",
        {"name": "framescope.core.scene.schema.quantities"},
    ),
    "a unit a thousand times as large is proposed": Mistake(
        "framescope.core.scene.schema.quantities:_differs_by_prefix",
        "words.casefold() not in folded or without in known",
        "False",
        "core/test_diagnose:test_that_a_unit_of_another_size_is_never_proposed",
        {"written": "nm", "dimension": "length", "meant": None},
    ),
    "what names an item twice removed stays": Mistake(
        "framescope.core.scene.schema.references:_collect_users",
        "waiting.append(user)",
        "pass",
        "app/test_item_edits:test_that_what_hangs_on_a_deleted_item_goes_and_the_label_counts_it",
    ),
    "marks of a view outlive their frame": Mistake(
        "framescope.core.scene.schema.references:without_references",
        "return None",
        "continue",
        "app/test_item_edits:test_that_what_hangs_on_a_deleted_item_goes_and_the_label_counts_it",
    ),
    "names in nested parts are not followed": Mistake(
        "framescope.core.scene.schema.references:with_names",
        "lambda part: with_names(part, new_name)",
        "lambda part: part",
        "app/test_item_edits:test_that_a_renamed_item_is_followed_everywhere",
        {"example": DEMO},
    ),
}

EDITS = {
    "a drag is in the unit's inverse": Mistake(
        "framescope.core.scene.edits.pose:_shift_position",
        "dtype=float) / factor",
        "dtype=float) * factor",
        "core/test_pose_edits:test_that_positions_move_in_their_unit",
        {"unit": "mm", "factor": 0.001},
    ),
    "a new key is put behind the next one": Mistake(
        "framescope.core.scene.edits.pose:_ensure_key",
        "sum(time < moment.t for time in times)",
        "len(times)",
        "core/test_pose_edits:test_that_the_key_of_the_moment_is_changed_or_one_is_added",
        {"t": 1.0, "count": 4},
    ),
    "a simulated frame is moved at any time": Mistake(
        "framescope.core.scene.schema.kinds.motions:_why_simulated_stays",
        "abs(moment.t - moment.start) > START_S",
        "False",
        "core/test_pose_edits:test_that_a_simulated_frame_is_moved_where_it_starts",
    ),
    "a rate starts from another angle": Mistake(
        "framescope.core.scene.edits.authored_angles:set_rate",
        "- new * t",
        "+ new * t",
        "core/test_orientation_edits:test_that_a_rate_keeps_the_present_value_and_zero_stops_it",
    ),
    "a key passes its neighbour": Mistake(
        "framescope.core.scene.edits.keyframes:with_key_moved",
        "times[i_key + 1] - APART",
        "times[i_key + 1] + APART",
        "app/test_doctests:test_that_examples_run",
        {"name": "framescope.core.scene.edits.keyframes"},
    ),
    "the last key is deleted": Mistake(
        "framescope.core.scene.edits.keyframes:delete_key",
        "len(motion.keys) == 1",
        "len(motion.keys) == 0",
        "app/test_doctests:test_that_examples_run",
        {"name": "framescope.core.scene.edits.keyframes"},
    ),
    "a new constant of an angle has the wrong sign": Mistake(
        "framescope.core.scene.schema.kinds.orientations:set_signal",
        "value - signal_value",
        "value + signal_value",
        "app/test_document:test_that_turning_an_expression_keeps_its_course_and_resetting_takes_the_constant_off",
    ),
    "copies share their frames with what was copied": Mistake(
        "framescope.core.scene.edits.copies:_use_free_names",
        "names.get((kind, name), (kind, name))[1]",
        "name",
        "app/test_item_edits:test_that_duplicates_refer_to_each_other",
        {"example": DEMO},
    ),
    "parameters of pasted items are left behind": Mistake(
        "framescope.core.scene.edits.copies:_join_edit",
        "scene.parameters | missing",
        "scene.parameters",
        "app/test_item_edits:test_that_pasted_items_land_on_a_frame_with_their_parameters",
    ),
    "a colour goes to all bodies": Mistake(
        "framescope.core.scene.edits.items:set_color",
        "body.frame in frames",
        "frames",
        "app/test_item_edits:test_that_colours_go_to_bodies_and_others_are_refused",
    ),
    "a name in use is given again": Mistake(
        "framescope.core.scene.edits.items:rename_item",
        "new in taken_names(scene, kind)",
        "False",
        "app/test_item_edits:test_that_bad_names_are_refused",
        {"kind": "frames", "old": "ring", "new": "world", "why": "already"},
    ),
}

EVALUATION = {
    "half the Coriolis acceleration down the tree": Mistake(
        "framescope.core.evaluation.forward_kinematics:TreeWalk.accelerations",
        "coriolis = 2.0 *",
        "coriolis = 1.0 *",
        "core/test_evaluate:test_that_accelerations_add_up_along_moving_frames",
    ),
    "the angular velocity of the parent is not carried along": Mistake(
        "framescope.core.evaluation.forward_kinematics:TreeWalk.accelerations",
        "b_PF - _cross",
        "b_PF + _cross",
        "core/test_evaluate:test_that_accelerations_add_up_along_moving_frames",
    ),
    "the lever swings the other way": Mistake(
        "framescope.core.evaluation.forward_kinematics:TreeWalk.velocities",
        "_cross(self._w_WP, self._lever)",
        "_cross(self._lever, self._w_WP)",
        "core/test_evaluate:test_that_poses_follow_the_tree",
    ),
    "matrices down the tree are not transposed": Mistake(
        "framescope.core.evaluation.forward_kinematics:_times_transpose",
        "B[np.newaxis, :, k]",
        "B[np.newaxis, k]",
        "core/test_evaluate:test_that_poses_follow_the_tree",
    ),
    "a part of the tree lacks the frames above": Mistake(
        "framescope.core.evaluation.frame_tree:rows_of",
        "rest += _parents_of(tree, i)",
        "rest += [0]",
        "core/test_evaluate:test_that_a_subtree_has_the_same_numbers",
    ),
    "a circle of parents is not seen": Mistake(
        "framescope.core.evaluation.frame_tree:rings_of",
        "i > 0 and state[i] == 1",
        "False",
        "core/test_loading:test_that_a_fault_of_an_item_is_a_problem_and_the_rest_lives_on",
        {"fault": "cycle"},
    ),
    "resolved in world instead of the frame named": Mistake(
        "framescope.core.evaluation.relative_motion:_resolve",
        "linear_algebra.apply_transposed(R_WC, vector[..., half])",
        "vector[..., half]",
        "core/test_relations:test_that_velocity_and_acceleration_are_derivatives_of_the_relative_pose",
        {"of": "arm", "relative_to": "hand"},
    ),
    "a relative velocity without that of the observer": Mistake(
        "framescope.core.evaluation.relative_motion:relative_velocity",
        "for name in (relative_to, of))",
        "for name in (of, of))",
        "core/test_relations:test_that_velocity_and_acceleration_are_derivatives_of_the_relative_pose",
        {"of": "world", "relative_to": "arm"},
    ),
    "a frame hung elsewhere is placed from the wrong side": Mistake(
        "framescope.core.evaluation.reparenting:_change",
        "R_WN.T @ snapshot.offset_W(old, new)",
        "R_WN @ snapshot.offset_W(old, new)",
        "app/test_item_edits:test_that_a_still_frame_stays_where_it_is_in_its_own_form",
        {"target": "n", "form": "none"},
    ),
    "a frame that turns is taken for one that stands still": Mistake(
        "framescope.core.evaluation.reparenting:_is_still",
        ", *authored_angles(form))",
        ",)",
        "app/test_item_edits:test_that_a_driven_frame_keeps_its_motion_as_authored_and_its_place_at_all_times",
        {"target": "n", "x": 0.1},
    ),
    "a derivative lacks the factor of its unit": Mistake(
        "framescope.core.evaluation.local_motion:MotionSignals.fill",
        "out *= self.factor",
        "out[0] *= self.factor",
        "core/test_evaluate:test_that_poses_follow_the_tree",
    ),
    "a curve is not in its unit": Mistake(
        "framescope.core.evaluation.signal_curves:plot_curves",
        "values / plot.factor",
        "values * plot.factor",
        "core/test_evaluate:test_that_every_relative_signal_is_plotted_in_its_unit",
        {"signal": "position"},
    ),
    "a rate at the lock is a number": Mistake(
        "framescope.core.evaluation.signal_curves:angle_rates",
        "np.flatnonzero(is_known)[condition >= kinematics.UNSURE]",
        "[]",
        "app/test_signals:test_that_rates_of_angles_by_any_sequence_are_their_derivatives_and_end_at_the_lock",
    ),
}

DIAGNOSTICS = {
    "a measurement is moved the wrong way in time": Mistake(
        "framescope.features.causes.core.vectors.words:_late",
        "start.value - delay",
        "start.value + delay",
        "core/test_diagnose_measurements:test_that_a_delay_is_found",
        {"seed": 1, "form": "velocity", "delay": 0.4},
    ),
    "units of rates are compared upside down": Mistake(
        "framescope.features.causes.core.vectors.hypotheses:units",
        "factor / other",
        "other / factor",
        "core/test_diagnose_measurements:test_that_the_unit_is_found",
        {"seed": 1, "form": "velocity"},
    ),
    "a swapped letter is no slip": Mistake(
        "framescope.core.analysis.diagnostics.similar_names:is_letter_away",
        "a == b[::-1]",
        "a == b",
        "app/test_doctests:test_that_examples_run",
        {"name": "framescope.core.analysis.diagnostics.similar_names"},
    ),
    "recorded degrees are told by the first angle": Mistake(
        "framescope.core.analysis.diagnostics.angle_units:recorded_degrees",
        "angles[:, 1]",
        "angles[:, 0]",
        "core/test_diagnose_recordings:test_that_turns_over_many_radians_are_let_be",
        {"sequence": "zxz"},
    ),
    "multiples of pi are taken for degrees": Mistake(
        "framescope.core.analysis.diagnostics.angle_units:_look_like_degrees",
        "angle and _is_multiple(angle, PART_OF_PI)",
        "False",
        "core/test_diagnose:test_that_degrees_said_to_be_radians_are_told",
        {"orientation": {"form": "axis", "axis": "z", "angle": 62.83185307}, "is_told": False},
    ),
    "a mirrored matrix is sheared": Mistake(
        "framescope.core.conventions.matrix_problems:matrix_problem",
        'if det < 0.0 else "sheared-matrix"',
        'if det > 0.0 else "sheared-matrix"',
        "core/test_diagnose:test_that_all_that_is_safe_is_mended_at_once_and_nothing_else",
    ),
    "the mend that turns a frame most is proposed": Mistake(
        "framescope.core.conventions.matrix_problems:matrix_problem",
        "min(fixes,",
        "max(fixes,",
        "core/test_diagnose:test_that_swapped_lines_of_a_frame_that_is_turned_little_are_the_ones_proposed",
        {"a": 0.1, "b": 0.2, "c": -0.1, "lines": ("rows", 0, 1)},
    ),
    "a loop is open by what rounding leaves": Mistake(
        "framescope.core.analysis.misses.pose_misses:relative_pose",
        "linear_algebra.multiply_matrices(linear_algebra.transpose(R_CA), R_CB)",
        "linear_algebra.multiply_matrices(linear_algebra.transpose(R_CB), R_CA)",
        "features/causes/core/test_mends_tried:test_that_a_healthy_rig_raises_no_alarm",
    ),
    "the inverse of a quaternion is its negative": Mistake(
        "framescope.features.causes.core.hypotheses_of_poses:_of_constant",
        'f"Invert the {word}", 1.2, R.T, None',
        'f"Invert the {word}", 1.2, R, None',
        "core/test_diagnose_measurements:test_that_what_would_close_a_loop_is_found",
        {"fault": "inverse quaternion", "seed": 1},
    ),
    "one spring for two directions": Mistake(
        "framescope.core.analysis.diagnostics.underconstrained_bodies:_with_springs",
        "(aside, across)[:n]",
        "(aside, aside)[:n]",
        "core/test_diagnose_bodies:test_that_springs_are_added_where_there_are_too_few_and_start_at_rest",
    ),
    "times running back are not seen": Mistake(
        "framescope.core.analysis.diagnostics.recorded_problems:series_problems",
        "np.flatnonzero(step < 0.0)",
        "np.flatnonzero(step < -1e9)",
        "core/test_diagnose_measurements:test_that_rows_in_the_wrong_order_or_of_one_time_are_found_and_mended",
        {"seed": 1, "row": 100, "n": 3},
    ),
}

DETECTIVE = {
    "the parent's axes are changed twice instead of back": Mistake(
        "framescope.features.detective.core.hypotheses:Hypothesis.predicted_b",
        "self.left.T @",
        "self.left @",
        "features/detective/core/test_detective:test_that_a_planted_convention_is_found",
        {"form": "quaternion", "change": "renamed"},
    ),
    "an inverse is read as it stands": Mistake(
        "framescope.features.detective.core.hypotheses:Hypothesis.matrices_a",
        "np.swapaxes(A, 1, 2) if self.is_inverse",
        "A if self.is_inverse",
        "features/detective/core/test_detective:test_that_a_planted_convention_is_found",
        {"form": "quaternion", "change": "mirrored"},
    ),
    "written code turns about fixed axes instead of moving ones": Mistake(
        "framescope.features.detective.core.conversion:_read",
        '["A1", "A2", "A3"] if moving',
        '["A1", "A2", "A3"] if not moving',
        "features/detective/core/test_detective_code:test_that_the_code_does_what_the_hypothesis_says",
        {"target": "numpy"},
    ),
    "written code has a quaternion of the transposed matrix": Mistake(
        "framescope.features.detective.core.conversion:_of_quaternion",
        '"2.0 * (x * y - z * w)"',
        '"2.0 * (x * y + z * w)"',
        "features/detective/core/test_detective_code:test_that_the_code_does_what_the_hypothesis_says",
        {"target": "numpy"},
    ),
    "clocks are shifted the wrong way": Mistake(
        "framescope.features.detective.core.pairing:pair",
        "t_b = t_b + offset",
        "t_b = t_b - offset",
        "features/detective/core/test_detective_samples:test_that_rows_are_matched_by_time_whatever_the_sampling_and_the_clocks",
        {"interpretation": Interpretation("quaternion", "wxyz"), "shift": 3.217},
    ),
    "times in milliseconds are read as seconds": Mistake(
        "framescope.features.detective.core.samples:_read_columns",
        "table.numbers[time] * unit",
        "table.numbers[time]",
        "features/detective/core/test_detective_samples:test_that_columns_are_found_by_their_names_and_give_the_expected_reading",
    ),
    "a recording is read without its inverse": Mistake(
        "framescope.features.detective.core.apply_to_recording:_orientation",
        '"parent to frame" if maps_to_frame else "frame to parent"',
        '"frame to parent"',
        "features/detective/core/test_detective_samples:test_that_a_recording_is_used_as_it_was_found_out",
        {"kind": "inverse"},
    ),
}

EXPORTERS = {
    "the hundredths of a GIF add up to another length": Mistake(
        "framescope.app.exporters.encoding.concat:join_gif",
        "round(100 * (i + 1) / fps) - round(100 * i / fps)",
        "round(100 / fps)",
        "export/test_export_films:test_that_a_gif_of_thirty_frames_a_second_keeps_its_length_in_hundredths",
    ),
    "the last chunk is cut off": Mistake(
        "framescope.app.exporters.encoding.chunks:spans",
        "range(0, count, CHUNK)",
        "range(0, max(count - CHUNK + 1, 1), CHUNK)",
        "app/test_doctests:test_that_examples_run",
        {"name": "framescope.app.exporters.encoding.chunks"},
    ),
    "a film forth and back shows its end twice": Mistake(
        "framescope.app.exporters.request:ExportRequest.times",
        "turned[:0:-1]",
        "turned[::-1]",
        "export/test_export_camera:test_that_shortest_films_go_forth_and_back",
        {"stop": 1.4, "count": 2},
    ),
    "a table lacks its last row": Mistake(
        "framescope.app.exporters.request:ExportRequest.n_rows",
        "(1.0 + 1e-12)) + 1",
        "(1.0 + 1e-12))",
        "export/test_export_table:test_that_a_wide_table_has_the_poses_velocities_and_sensors_of_all_frames",
        {"suffix": ".csv"},
    ),
    "a table names a sensor's unit as its signal's": Mistake(
        "framescope.app.exporters.table:_curves",
        "unit_match[1] if unit_match else",
        "signal.unit if unit_match else",
        "export/test_export_table:test_that_a_long_table_has_the_numbers_of_the_wide_one_with_their_units",
        {"suffix": ".csv"},
    ),
    "files of a bundle differ in case alone": Mistake(
        "framescope.app.exporters.scene_zip:_free_name",
        "new.casefold() in taken",
        "new in taken",
        "export/test_export_table:test_that_names_in_a_bundle_never_lead_out_of_it_and_differ_in_more_than_case",
    ),
    "a turntable does not come round": Mistake(
        "framescope.app.exporters.camera_modes:FilmCamera.at",
        "/ self._period * self._mode.turns",
        "/ self._period / self._mode.turns",
        "export/test_export_camera:test_that_the_frame_after_the_last_of_a_turntable_is_the_first",
        {"stop": 3.0, "turns": -2},
    ),
    "a camera that follows does not turn": Mistake(
        "framescope.app.exporters.camera_modes:FilmCamera.__init__",
        '"frame" if mode.is_turning else "origin"',
        '"origin"',
        "export/test_export_camera:test_that_a_camera_that_turns_with_a_frame_sees_it_stand_still",
    ),
    "an array begins between two words": Mistake(
        "framescope.features.web_page.app.html:Packed.array",
        "bytes(-len(self._blob) % 4)",
        "bytes(len(self._blob) % 4)",
        "app/test_doctests:test_that_examples_run",
        {"name": "framescope.features.web_page.app.html"},
    ),
}

SESSION = {
    "what was undone comes back after another edit": Mistake(
        "framescope.app.session.document:History.commit",
        "self._future.clear()",
        "pass",
        "app/test_document:test_that_undo_gives_the_former_scene_itself_and_redo_the_later_one",
    ),
    "an edit that changes nothing is a step": Mistake(
        "framescope.app.session.document:History.commit",
        "scene == self.scene",
        "False",
        "app/test_document:test_that_an_edit_that_changes_nothing_is_no_step",
    ),
    "a loop jumps to the start": Mistake(
        "framescope.app.session.playback:Playback.advance",
        "(t - self.first) % (self.last - self.first)",
        "0.0",
        "app/test_document:test_that_the_clock_plays_loops_and_stops",
    ),
    "a step leaves the range": Mistake(
        "framescope.app.session.playback:Playback.at",
        "min(max(t, self.start), self.end)",
        "max(t, self.start)",
        "app/test_document:test_that_the_clock_plays_loops_and_stops",
    ),
    "play at the end stays there": Mistake(
        "framescope.app.session.playback:Playback.toggle",
        "self.first <= self.t < self.last",
        "self.first <= self.t <= self.last",
        "app/test_document:test_that_the_clock_plays_loops_and_stops",
    ),
    "a saved document is still to be saved": Mistake(
        "framescope.app.session.document:Document.take_written",
        "written.text, written.scene, written.lines",
        "written.text, self._saved, written.lines",
        "app/test_document:test_that_saving_keeps_comments_and_order",
    ),
    "consent goes along to another folder": Mistake(
        "framescope.app.session.document:Document.take_written",
        "if Path(name).is_absolute()",
        "if name",
        "app/test_document:test_that_consent_to_a_relative_name_ends_in_another_folder",
    ),
    "a line is told of what is not in the file": Mistake(
        "framescope.app.session.document:Document.locate",
        "problem.item not in self._lines",
        "False",
        "app/test_document:test_that_a_line_is_named_only_of_what_is_in_the_file",
    ),
    "unsaved work gets the name of another file": Mistake(
        "framescope.app.session.recovery:_about_text",
        'about.get("digest") == digest',
        "True",
        "app/test_recovery:test_that_a_scene_never_gets_the_name_of_another_file",
    ),
    "the oldest work is offered first": Mistake(
        "framescope.app.session.recovery:find_recoveries",
        "reverse=True",
        "reverse=False",
        "app/test_recovery:test_that_the_newest_work_is_offered_first",
    ),
    "links are cleared away with what they lead to": Mistake(
        "framescope.app.session.recovery:_is_ours",
        "path.lstat(), path / LOCK",
        "path.stat(), path / LOCK",
        "app/test_recovery:test_that_folders_without_work_are_cleared_and_files_and_links_left_alone",
    ),
}

MISTAKES = SCENE_FILES | SCHEMA | EDITS | EVALUATION | DIAGNOSTICS | DETECTIVE | EXPORTERS | SESSION


def run_check(mistake: Mistake, request: pytest.FixtureRequest) -> None:
    """Run the test that is named; one of Hypothesis' with the example that is given."""
    check, fixtures = check_of(mistake)
    check(**mistake.given, **{each: request.getfixturevalue(each) for each in fixtures})


def test_that_enough_is_planted_in_every_room() -> None:
    assert len(MISTAKES) >= 60
    rooms = (SCENE_FILES, SCHEMA, EDITS, EVALUATION, DIAGNOSTICS, DETECTIVE, EXPORTERS, SESSION)
    assert min(map(len, rooms)) >= 5


@pytest.mark.parametrize("name", MISTAKES)
def test_that_the_check_holds_without_the_mistake(name, request) -> None:
    run_check(MISTAKES[name], request)


@pytest.mark.parametrize("name", MISTAKES)
def test_that_a_mistake_is_caught(name, request, monkeypatch) -> None:
    plant(MISTAKES[name], monkeypatch)
    with pytest.raises((Exception, pytest.fail.Exception)):
        run_check(MISTAKES[name], request)
