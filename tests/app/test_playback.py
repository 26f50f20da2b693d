"""The clock where its range grows: it follows the end until somebody goes elsewhere, and again on command."""

from __future__ import annotations

from framescope.app.session.playback import Playback

LIVE = Playback(0.0, 2.0, 0.5).grow(0.0, 2.0)


def test_that_the_clock_follows_the_end_as_it_grows_until_it_is_sent_elsewhere() -> None:
    following = LIVE.at_end()
    assert (following.t, following.is_following, following.is_playing) == (2.0, True, False)
    assert following.grow(0.0, 3.5).t == 3.5
    for elsewhere in (following.at(1.0), following.pause(), following.toggle(), following.step(-1)):
        assert not elsewhere.is_following
        assert elsewhere.grow(0.0, 9.0).t == elsewhere.t
    assert following.at(1.0).grow(1.5, 9.0).t == 1.5  # what was there has gone


def test_that_play_comes_to_follow_the_end_and_does_so_from_there() -> None:
    playing = LIVE.toggle()
    assert playing.is_playing
    assert not playing.is_following
    at_end = playing.advance(5.0)
    assert (at_end.t, at_end.is_following, at_end.is_playing) == (2.0, True, False)
    assert at_end.toggle().toggle().is_following
    in_part = LIVE.with_part(0.5, 1.5).toggle().advance(1.2)
    assert (in_part.is_playing, in_part.is_following) == (True, False)  # a part is played in a loop, as ever


def test_that_a_range_that_does_not_grow_is_not_followed() -> None:
    clock = Playback(0.0, 2.0, 0.5).at_end()
    assert (clock.t, clock.is_following) == (2.0, False)
    assert LIVE.at_end().with_range(0.0, 4.0).t == 4.0
    assert clock.with_range(0.0, 4.0).t == 2.0
