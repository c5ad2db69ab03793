"""Tags and the conditions on them."""

import re

import pytest
from pasyans.api.etag import TAG_LIST_PATTERN, game_tag, moved_on, unchanged


def test_a_tag_is_the_version_whether_a_seed_has_opened_and_how_often_the_name_changed() -> None:
    assert game_tag(17) == '"17"'
    assert game_tag(17, 1) == '"17.1"'
    assert game_tag(17, has_opened=True) == '"17r"'
    assert game_tag(17, 12, has_opened=True) == '"17r.12"'


@pytest.mark.parametrize("header", ['"17"', 'W/"17"', "*", " * ", '"1", "17"', 'W/"1",W/"17"', '"17" , "x"'])
def test_a_copy_is_still_good(header: str) -> None:
    assert unchanged('"17"', header)


@pytest.mark.parametrize("header", [None, '"1"', '"1", "7"', '"17.1"', '"17r"', '""', '"*"'])
def test_a_copy_is_no_longer_good(header: str | None) -> None:
    assert not unchanged('"17"', header)


@pytest.mark.parametrize("header", [None, '"17"', 'W/"17"', "*", '"16", "17"', '"17r"', '"17.1"', '"17r.2"'])
def test_a_game_has_not_moved_on(header: str | None) -> None:
    assert not moved_on(17, header)


@pytest.mark.parametrize("header", ['"16"', 'W/"18"', '"x"', '"17x"', '"017"', '"1", "7"', '""', '"*"', '"-17"'])
def test_a_game_has_moved_on(header: str) -> None:
    assert moved_on(17, header)


@pytest.mark.parametrize("header", ['"17"', 'W/"17"', "*", " * ", '"1" ,\t"2"', '""', '"17-gzip"'])
def test_the_pattern_fits_tags(header: str) -> None:
    assert re.search(TAG_LIST_PATTERN, header)


@pytest.mark.parametrize("header", ["17", '"17', '"17" "18"', '*, "17"', 'w/"17"', "", '"17",', "'17'"])
def test_the_pattern_fits_nothing_else(header: str) -> None:
    assert not re.search(TAG_LIST_PATTERN, header)
