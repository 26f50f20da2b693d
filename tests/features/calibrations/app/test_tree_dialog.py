"""The export dialog offers trees of frames below a frame that the user chooses."""

from __future__ import annotations

import pytest

from framescope.app.controllers.exports.export_dialog_controller import Seen, options_of
from framescope.app.exporters.formats import formats_by_suffix
from framescope.app.exporters.registry import request_for
from framescope.core.errors import FramescopeError
from framescope.core.evaluation.evaluate import compile_plan
from framescope.features.calibrations.app.tree_export import summary
from framescope.ui.dialogs.export.choice import ExportChoice
from framescope.ui.exports.options import ExportOptions
from tests.features.calibrations.core.test_tree_writing import SCENE


def test_that_the_chosen_root_counts_and_not_the_selected_frame(tmp_path) -> None:
    offer = formats_by_suffix()[".urdf"]
    seen = Seen(None, 1.0, "deg", "arm")
    assert options_of(ExportChoice(key="urdf", moment=1.0), offer, seen).frame is None
    options = options_of(ExportChoice(key="urdf", moment=1.0, root="mast"), offer, seen)
    assert (options.frame, options.moment) == ("mast", 1.0)
    plan = compile_plan(SCENE)
    assert summary(request_for(SCENE, plan, tmp_path / "a.urdf", options)) == "1 frame"
    whole = request_for(SCENE, plan, tmp_path / "a.urdf", ExportOptions(moment=1.0))
    assert summary(whole) == "4 frames; arm moves over time: the poses are those at the time above"
    with pytest.raises(FramescopeError, match="no frames below camera"):
        summary(request_for(SCENE, plan, tmp_path / "a.urdf", ExportOptions(frame="camera")))
