"""Entries of features that the core asks for: each names an object that can be called or has what the core uses."""

from __future__ import annotations

import pytest

from framescope.core.kernels.code.formula_compilers import FormulaCompiler
from framescope.core.recordings.tables.mixed import TableReader
from framescope.core.scene.schema.kinds.motions import MOTION_KINDS
from framescope.core.system.features import installed_features

FUNCTIONS = [
    (feature, entry)
    for feature in installed_features()
    for entry in (
        *feature.motions.values(),
        *feature.joint_logs,
        *(insertion.make for insertion in feature.insertions),
        *feature.checks,
        *feature.explanations,
        *feature.file_frames,
    )
]


@pytest.mark.parametrize(("feature", "entry"), FUNCTIONS, ids=[f"{one.name}-{entry}" for one, entry in FUNCTIONS])
def test_that_an_entry_names_a_function(feature, entry) -> None:
    assert callable(feature.load(entry))


def test_that_readers_and_compilers_are_of_their_kinds() -> None:
    features = installed_features()
    assert {type(one.load(entry)) for one in features for entry in one.tables} == {TableReader}
    assert {type(one.load(entry)) for one in features for _, entry in one.text_tables} == {TableReader}
    assert {type(one.load(entry)) for one in features for entry in one.formula_compilers} == {FormulaCompiler}


def test_that_motions_are_forms_of_scenes() -> None:
    forms = {kind.form for kind in MOTION_KINDS}
    assert {form for feature in installed_features() for form in feature.motions} <= forms
