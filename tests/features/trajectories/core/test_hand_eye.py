"""Hand-eye calibration against the five methods of OpenCV, whose errors on the same sets are recorded."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from framescope.features.trajectories.core.align_streams import AlignChoice, align
from framescope.features.trajectories.core.pose_stream import quaternions_of, stream_of
from tests.support.hand_eye_sets import NOISES, errors_of, hand_eye_set

RECORDED = json.loads(Path(__file__).with_name("opencv_hand_eye.json").read_text(encoding="utf-8"))
"""Errors of ``cv2.calibrateHandEye`` of OpenCV 4.14 by noise and method: rad and m, a pair for each seed."""


def answer_of(made, hand="eye in hand"):
    a = stream_of("hand", None, made.p_hand, quaternions_of(made.R_hand))
    b = stream_of("target", None, made.p_target, quaternions_of(made.R_target))
    return align(a, b, AlignChoice(hand=hand, has_scale=False))


@pytest.mark.long
def test_that_some_sets_are_no_worse_than_the_best_method() -> None:
    own = np.array([errors_of(made, X.R_AB, X.p_AB) for made, X in _answers("much", 20)])
    rms = np.sqrt((own**2).mean(axis=0))
    for method, errors in RECORDED["much"].items():
        assert (rms <= 1.02 * np.sqrt((np.array(errors[:20]) ** 2).mean(axis=0))).all(), method


@pytest.mark.soak
@pytest.mark.parametrize("noise", sorted(NOISES))
def test_that_no_method_of_opencv_is_better_on_200_sets(noise) -> None:
    own = np.array([errors_of(made, X.R_AB, X.p_AB) for made, X in _answers(noise, 200)])
    for method, errors in RECORDED[noise].items():
        others = np.array(errors)
        rms, rms_other = (np.sqrt((each**2).mean(axis=0)) for each in (own, others))
        assert (rms <= rms_other).all(), method


def _answers(noise, n):
    for seed in range(n):
        made = hand_eye_set(seed, noise)
        yield made, answer_of(made).body


def test_that_a_set_without_noise_is_exact_and_errors_are_told() -> None:
    made = hand_eye_set(0, "camera")
    noisy = answer_of(made)
    assert (noisy.errors[:6] > 0.0).all()
    angle, distance = errors_of(made, noisy.body.R_AB, noisy.body.p_AB)
    assert angle < 5.0 * noisy.errors[:3].max()
    assert distance < 5.0 * noisy.errors[3:6].max()


def test_that_the_camera_may_stand_and_the_hand_carry_the_target() -> None:
    made = hand_eye_set(4, "camera")
    R_base_camera, p_base_camera = made.R_true, made.p_true + 1.0
    R_hand_target, p_hand_target = np.eye(3), np.array([0.0, 0.05, 0.1])
    R_target = np.swapaxes(R_base_camera[None], 1, 2) @ made.R_hand @ R_hand_target
    p_target = (made.p_hand + made.R_hand @ p_hand_target - p_base_camera) @ R_base_camera
    a = stream_of("hand", None, made.p_hand, quaternions_of(made.R_hand))
    b = stream_of("target", None, p_target, quaternions_of(R_target))
    found = align(a, b, AlignChoice(hand="eye to hand", has_scale=False))
    assert np.abs(found.world.R_AB - R_base_camera).max() < 1e-9
    assert np.abs(found.world.p_AB - p_base_camera).max() < 1e-9
    assert np.abs(found.body.p_AB - p_hand_target).max() < 1e-9
