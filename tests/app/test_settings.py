"""What is remembered between starts, and that nothing in the file of settings can do harm."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
from PySide6.QtCore import QByteArray, QSettings

from framescope.app.storage.settings import MAX_RECENT, Settings, menu_texts, with_recent
from framescope.app.storage.settings_store import Store, wait_until_written


def test_that_everything_is_remembered(settings_of_its_own, tmp_path):
    (tmp_path / "a.yaml").write_text("")
    first = Settings()
    first.theme, first.font_scale, first.angle_unit = "light", 1.5, "rad"
    first.is_first_start, first.place = False, "Learn"
    first.recent, first.recent_commands = [tmp_path / "a.yaml"], ["Undo", "Open…"]
    first.geometry = QByteArray(b"g")
    first.set_layout_of("Learn", QByteArray(b"t"))

    again = Settings()

    assert again.theme == "light"
    assert (again.font_scale, again.angle_unit) == (1.5, "rad")
    assert (again.is_first_start, again.place) == (False, "Learn")
    assert again.recent == (tmp_path / "a.yaml",)
    assert again.recent_commands == ("Undo", "Open…")
    assert (again.geometry, again.layout_of("Learn")) == (b"g", b"t")
    assert again.layout_of("Check") is None
    again.set_layout_of("Learn", None)
    assert again.layout_of("Learn") is None
    assert any(settings_of_its_own.rglob("framescope.ini"))


def test_that_a_disk_that_takes_its_time_holds_nobody_up(monkeypatch):
    wait_until_written()  # what other tests have set
    may_write, seen = threading.Event(), []
    usual = QSettings.sync

    def slow(kept) -> None:
        assert may_write.wait(10.0)
        seen.append(threading.current_thread() is threading.main_thread())
        usual(kept)

    monkeypatch.setattr(QSettings, "sync", slow)
    store = Store()
    for i in range(5):
        store.set_value("theme", f"{i}")
        store.set_value("gone", "soon")
    store.remove("gone")
    store.remove("never there")
    assert (store.value("theme"), store.value("gone", "none")) == ("4", "none")
    may_write.set()
    wait_until_written()
    assert seen
    assert not any(seen)
    assert len(seen) <= 2
    again = Store()
    assert (again.value("theme"), again.value("gone", "none")) == ("4", "none")


def test_that_settings_that_cannot_be_written_are_told_of_in_the_log(settings_of_its_own, caplog):
    store = Store()
    store.set_value("theme", "light")
    wait_until_written()
    (file,) = settings_of_its_own.rglob("framescope.ini")
    file.unlink()
    file.mkdir()
    store.set_value("theme", "dark")
    wait_until_written()
    assert "cannot be written" in caplog.text
    assert store.value("theme") == "dark"


BROKEN = ["", "nonsense", "nan", "1e999", "-3", "\u0000", ["a", 3], 17, QByteArray(b"\xff\x00")]


@pytest.mark.parametrize("value", BROKEN, ids=repr)
def test_that_broken_values_fall_back_to_the_default(value):
    settings = Settings()
    keys = ("theme", "font-scale", "angle-unit", "first-start/done", "recent-files")
    for key in (*keys, "recent-commands", "window/place"):
        settings.store.set_value(key, value)
    if not isinstance(value, QByteArray):
        for key in ("window/geometry", "layouts/Learn"):
            settings.store.set_value(key, value)

    assert settings.theme == "dark"
    assert settings.angle_unit == "deg"
    assert 0.75 <= settings.font_scale <= 2.5
    assert settings.is_first_start is True
    assert settings.recent == ()
    assert all(isinstance(title, str) for title in settings.recent_commands)
    assert isinstance(settings.place, str)
    if not isinstance(value, QByteArray):
        assert settings.geometry is None
        assert settings.layout_of("Learn") is None


def test_that_a_file_of_settings_that_is_no_such_file_is_like_none(settings_of_its_own):
    Settings().store.set_value("theme", "light")
    wait_until_written()
    (file,) = settings_of_its_own.rglob("framescope.ini")
    file.write_bytes(b"\xff\xfe\x00[[[theme=\x00")

    assert Settings().font_scale == 1.0


def test_that_recent_files_are_ten_at_most_newest_first_and_only_those_that_are_there(tmp_path):
    settings = Settings()
    paths = [tmp_path / f"{i}.yaml" for i in range(MAX_RECENT + 3)]
    for path in paths:
        path.write_text("")
        settings.recent = with_recent(settings.recent, path)
    settings.recent = with_recent(settings.recent, paths[5])

    assert settings.recent[:2] == (paths[5], paths[12])
    assert len(settings.recent) == MAX_RECENT
    paths[12].unlink()
    assert paths[12] not in settings.recent
    assert len(set(settings.recent)) == len(settings.recent)


def test_that_one_recent_file_is_read_back_as_a_list_of_one(tmp_path):
    (tmp_path / "only, one.yaml").write_text("")
    settings = Settings()
    settings.recent = [tmp_path / "only, one.yaml"]

    assert Settings().recent == (tmp_path / "only, one.yaml",)


def test_that_files_of_one_name_are_told_apart_in_the_menu():
    assert menu_texts([Path("/a/x.yaml"), Path("/b/x.yaml")]) == ("x.yaml  (a)", "x.yaml  (b)")


def test_that_what_is_told_in_a_report_names_no_file(tmp_path):
    (tmp_path / "secret.yaml").write_text("")
    settings = Settings()
    settings.recent = [tmp_path / "secret.yaml"]

    assert "secret" not in str(settings.summary())


def test_that_settings_under_their_older_keys_are_found_again_and_moved():
    store = Store()
    older = {"font scale": "1.5", "angle unit": "rad", "quaternion order": "wxyz", "first start/done": "true"}
    for key, value in older.items():
        store.set_value(key, value)
    store.set_value("angle-unit", "deg")
    store.set_value("recent commands", ["Undo", "Open…"])

    settings = Settings()
    assert (settings.font_scale, settings.quaternion_order, settings.is_first_start) == (1.5, "wxyz", False)
    assert settings.angle_unit == "deg", "the newer key wins"
    assert settings.recent_commands == ("Undo", "Open…")
    wait_until_written()
    text = settings.store.file.read_text()
    assert "font-scale=1.5\n" in text
    assert "%" not in text


def test_that_places_remembered_under_their_older_names_are_found_again():
    store = Store()
    layouts = {name: QByteArray(name.encode()) for name in ("Explore", "Teach", "Debug")}
    store.set_value("window/preset", "Debug")
    store.set_value("layouts/Check", QByteArray(b"newer"))
    for name, layout in layouts.items():
        store.set_value(f"layouts/{name}", layout)

    settings = Settings()
    assert settings.place == "Check"
    assert settings.layout_of("Build") == layouts["Explore"]
    assert settings.layout_of("Learn") == layouts["Teach"]
    assert settings.layout_of("Check") == QByteArray(b"newer")
    for key in ("window/preset", *(f"layouts/{name}" for name in layouts)):
        assert settings.store.value(key) is None
    settings.place = "Learn"
    assert Settings().place == "Learn"
