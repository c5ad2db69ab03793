"""What holds of the events, the history and the records of every game in the catalogue."""

from itertools import pairwise

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from pasyans.record import decide
from pasyans.record.errors import TurnsUpEarly
from pasyans.record.events import Moved, Redone, Undone
from pasyans.record.fold import fold, frames
from pasyans.record.game import Game
from pasyans.record.lines import decode, encode
from pasyans.record.snapshot import decode_snapshot, encode_snapshot
from pasyans.record.text import replay_record, write_record

from tests.support.animation import animate, shown
from tests.support.games import VARIANT_IDS, Session, act, examples, lines, sessions, started

every_variant = pytest.mark.parametrize("variant", VARIANT_IDS)


def _reopened(game: Game) -> Game:
    """The game as its head row gives it back."""
    return decode_snapshot(
        encode_snapshot(game),
        start=game.start,
        version=game.version,
        started_at=game.started_at,
        updated_at=game.updated_at,
        finished_at=game.finished_at,
    )


def _same_position(one: Game, other: Game) -> bool:
    return one.position == other.position and one.piles == other.piles and one.legal_moves == other.legal_moves


@every_variant
@examples(15)
@given(st.data())
def test_undo_of_every_move_restores_the_position_and_redo_repeats_it(variant: str, data: st.DataObject) -> None:
    line = data.draw(lines(variant))
    session = started(variant, line.seed)
    moves = line.moves[:-1] if line.rules.is_won(line.position) else line.moves
    session.play(*moves)
    history = session.history
    for position in line.positions[: len(moves)][::-1]:
        assert decide.undo(history, 1, 0).game.position == position
    assert history.game.undo_available == 0
    for position in line.positions[1 : len(moves) + 1]:
        assert decide.redo(history, 1, 0).game.position == position
    assert history.game.redo_available == 0


@every_variant
@examples(15)
@given(st.data())
def test_several_at_once_come_to_the_same_as_one_by_one(variant: str, data: st.DataObject) -> None:
    line = data.draw(lines(variant))
    assume(line.moves and not line.rules.is_won(line.position))
    count = data.draw(st.integers(1, len(line.moves)))
    again = data.draw(st.integers(1, count))
    session = started(variant, line.seed)
    session.play(*line.moves)
    before = session.game
    session.undo(count)
    assert session.game.position == line.positions[-1 - count]
    assert (session.game.undo_available, session.game.redo_available) == (len(line.moves) - count, count)
    assert session.game.undos == count
    assert animate(before.piles, session.decisions[-1].changes[0]) == shown(session.game.piles)
    undone = session.game
    session.redo(again)
    assert session.game.position == line.positions[len(line.moves) - count + again]
    assert (session.game.moves, session.game.undone) == (len(line.moves) - count + again, count - again)
    assert session.game.undos == count
    assert animate(undone.piles, session.decisions[-1].changes[0]) == shown(session.game.piles)
    assert [event for event, _ in session.log[-2:]] == [Undone(count), Redone(again)]


@every_variant
@examples(15)
@given(st.data())
def test_the_fold_of_the_log_is_the_game_that_was_played(variant: str, data: st.DataObject) -> None:
    session = data.draw(sessions(variant))
    assert fold(session.log).game == session.game
    shots = list(frames(session.log))
    assert [frame.seq for frame in shots] == list(range(1, len(session.log) + 1))
    assert [frame.event for frame in shots] == [event for event, _ in session.log]
    assert shots[-1].game == session.game
    told = [changes for decision in session.decisions for changes in decision.changes]
    assert [frame.changes for frame in shots[1:]] == told
    assert shots[0].changes == []
    for one, next_ in pairwise(shots):
        assert animate(one.game.piles, next_.changes) == shown(next_.game.piles)
        assert next_.game.version == one.game.version + 1
        assert next_.game.elapsed_ms >= one.game.elapsed_ms


@every_variant
@examples(15)
@given(st.data())
def test_the_line_is_what_was_played_without_what_was_undone(variant: str, data: st.DataObject) -> None:
    session = data.draw(sessions(variant))
    line: list[str] = []
    undone: list[str] = []
    for event, _ in session.log:
        match event:
            case Moved(move):
                line.append(move)
                undone.clear()
            case Undone(count):
                undone += [line.pop() for _ in range(count)]
            case Redone(count):
                line += [undone.pop() for _ in range(count)]
    assert session.history.line == line
    assert (session.game.moves, session.game.undone) == (len(line), len(undone))
    assert session.game.undos == sum(event.count for event, _ in session.log if isinstance(event, Undone))
    assert session.game.redeals == line.count("redeal")


@every_variant
@examples(15)
@given(st.data())
def test_a_snapshot_is_the_game_and_plays_on_like_it(variant: str, data: st.DataObject) -> None:
    session = data.draw(sessions(variant))
    assert _reopened(session.game) == session.game
    choices = data.draw(st.binary(min_size=1, max_size=6))
    other = Session(list(session.log), _reopened(session.game))
    for choice in choices:
        act(session, choice)
        act(other, choice)
        other.game = _reopened(other.game)
        assert other.game == session.game
        assert _same_position(other.game, session.game)
    assert other.log == session.log
    assert fold(other.log).game == session.game


@every_variant
@examples(15)
@given(st.data())
def test_events_come_back_as_they_were_written(variant: str, data: st.DataObject) -> None:
    session = data.draw(sessions(variant))
    events = [event for event, _ in session.log]
    assert decode(encode(events)) == events
    assert encode(events).count("\n") == len(events) - 1
    assert [decode(encode([event]), seq) for seq, event in enumerate(events, 1)] == [[event] for event in events]


@every_variant
@examples(15)
@given(st.data())
def test_a_text_record_replays_to_the_game(variant: str, data: st.DataObject) -> None:
    session = data.draw(sessions(variant))
    line = session.history.line
    text = write_record(session.game, line, player="anna", is_open=True)
    assert all(len(row) <= 100 for row in text.splitlines())
    replay = replay_record(text)
    assert _same_position(replay.game, session.game)
    assert replay.game.status == session.game.status
    assert replay.game.moves == session.game.moves
    assert replay.game.started_at == session.game.started_at
    assert replay.game.finished_at == session.game.finished_at
    assert [step.event.move for step in replay.frames if isinstance(step.event, Moved)] == line
    assert replay.tags["Player"] == "anna"
    again = write_record(replay.game, line, player="anna", is_open=True)
    assert again == text


@every_variant
@examples(15)
@given(st.data())
def test_in_a_sealed_game_what_turns_up_cards_ends_its_batch(variant: str, data: st.DataObject) -> None:
    line = data.draw(lines(variant))
    first = next((i for i, move in enumerate(line.moves) if line.rules.may_turn_up(move)), None)
    session = started(variant, line.seed)
    if first is None or first == len(line.moves) - 1:
        decide.play(session.game, line.moves, session.at, is_sealed=True)
        return
    with pytest.raises(TurnsUpEarly) as refusal:
        decide.play(session.game, line.moves, session.at, is_sealed=True)
    assert (refusal.value.index, refusal.value.move) == (first, line.moves[first])
    decided = decide.play(session.game, line.moves[: first + 1], session.at, is_sealed=True)
    assert decided.game.position == line.positions[first + 1]
