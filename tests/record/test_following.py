"""What follows a known game is told as the whole log tells it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pasyans.games.catalogue import VARIANTS
from pasyans.record.errors import CorruptLog
from pasyans.record.events import Event, Finished, Moved, Redone, Restored, Undone, Voided
from pasyans.record.fold import frames
from pasyans.record.following import changes_after

from tests.support.games import examples, sessions, started


@pytest.mark.parametrize("variant", VARIANTS)
@examples(5)
@given(data=st.data())
def test_it_is_told_as_the_log_tells_it_or_not_at_all(variant: str, data: st.DataObject) -> None:
    session = data.draw(sessions(variant))
    log = list(frames(session.log))
    at = data.draw(st.integers(0, len(log) - 1))
    following = log[at + 1 :]
    told = changes_after(log[at].game, [frame.event for frame in following])
    if any(isinstance(frame.event, Undone | Redone) for frame in following):
        assert told is None
    else:
        assert told == [frame.changes for frame in following]


def test_what_moves_nothing_changes_nothing() -> None:
    session = started("congress", "hello")
    session.play("draw")
    events: list[Event] = [Moved("draw"), Finished("lost"), Voided("error"), Restored("error")]
    told = changes_after(session.game, events)
    assert told is not None
    assert [len(changes) for changes in told] == [1, 0, 0, 0]
    assert changes_after(session.game, []) == []


def test_a_move_that_can_not_follow_is_a_corrupt_log() -> None:
    session = started("congress", "hello")
    with pytest.raises(CorruptLog, match="3"):
        changes_after(session.game, [Moved("draw"), Moved("redeal")])
