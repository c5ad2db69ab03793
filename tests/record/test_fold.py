"""Folding: histories, and logs that can't be."""

from collections.abc import Sequence

import pytest
from pasyans.record.errors import CorruptLog
from pasyans.record.events import Deal, Event, Finished, Moved, Redone, Restored, Started, Undone, Voided
from pasyans.record.fold import fold, frames

from tests.support import vectors
from tests.support.games import PLAYER, replay

START = Started("forty-thieves", 1, Deal("shared", "1"), PLAYER, 1)
WIN = next(win for win in vectors.wins() if win.variant == "vokzal-36")
WIN_START = Started("vokzal-36", 1, Deal("shared", WIN.seed), PLAYER, 1)
WON: list[Event] = [WIN_START, *map(Moved, WIN.moves)]
DRAW = Moved("draw")


def _timed(events: Sequence[Event]) -> list[tuple[Event, int]]:
    return [(event, 1000 + 10 * number) for number, event in enumerate(events)]


@pytest.mark.parametrize(
    ("events", "seq", "says"),
    [
        ([], 1, "there is no event"),
        ([DRAW], 1, "a game begins with its start"),
        ([Finished("lost")], 1, "a game begins with its start"),
        ([Started("klondike", 1, Deal("shared", "1"), PLAYER, 1)], 1, "no variant 'klondike'"),
        ([Started("congress", 2, Deal("shared", "1"), PLAYER, 1)], 1, "no rules number 2"),
        ([Started("congress", 1, Deal("shared", ""), PLAYER, 1)], 1, "'' is no seed"),
        ([Started("congress", 1, Deal("shared", "зерно"), PLAYER, 1)], 1, "is no seed"),
        ([START, START], 2, "Started can't follow here"),
        ([START, DRAW, Moved("redeal")], 3, "The stock still has cards"),
        ([START, DRAW, Moved("t11-t1")], 3, "This game has no pile t11"),
        ([START, Moved("finished")], 2, "'finished' is not a move"),
        ([START, Moved("w-f")], 2, "This game has no pile f"),  # a short form is rewritten before it is kept
        ([START, Undone(1)], 2, "1 moves of 0"),
        ([START, DRAW, Undone(2)], 3, "2 moves of 1"),
        ([START, DRAW, Undone(0)], 3, "0 moves of 1"),
        ([START, DRAW, Undone(-1)], 3, "-1 moves of 1"),
        ([START, DRAW, Redone(1)], 3, "1 moves of 0"),
        ([START, DRAW, Undone(1), Redone(2)], 4, "2 moves of 1"),
        ([START, DRAW, Undone(1), DRAW, Redone(1)], 5, "1 moves of 0"),
        ([START, DRAW, Undone(1), Redone(1), Redone(1)], 5, "1 moves of 0"),
        ([START, Finished("won")], 2, "does not agree with 'won'"),
        ([START, Finished("lost"), DRAW], 3, "Moved can't follow here"),
        ([START, DRAW, Finished("lost"), Undone(1)], 4, "Undone can't follow here"),
        ([START, DRAW, Undone(1), Finished("lost"), Redone(1)], 5, "Redone can't follow here"),
        ([START, Finished("lost"), Finished("lost")], 3, "Finished can't follow here"),
        ([START, Voided("error")], 2, "Voided can't follow here"),
        ([START, Restored("error")], 2, "Restored can't follow here"),
        ([START, Finished("abandoned"), Voided("error")], 3, "Voided can't follow here"),
        ([START, Finished("lost"), Restored("error")], 3, "Restored can't follow here"),
        ([START, Finished("lost"), Voided("error"), Voided("error")], 4, "Voided can't follow here"),
        ([START, Finished("lost"), Voided("error"), DRAW], 4, "Moved can't follow here"),
        ([START, Finished("lost"), Voided("error"), Restored("error"), Restored("error")], 5, "Restored can't follow"),
        ([*WON, Finished("lost")], len(WON) + 1, "does not agree with 'lost'"),
        ([*WON, DRAW], len(WON) + 1, "comes after the win"),
        ([*WON, Undone(1)], len(WON) + 1, "comes after the win"),
        ([*WON, Finished("won"), Undone(1)], len(WON) + 2, "Undone can't follow here"),
    ],
)
def test_a_log_that_cannot_be_is_refused_at_its_first_wrong_event(events: list[Event], seq: int, says: str) -> None:
    with pytest.raises(CorruptLog) as error:
        fold(_timed(events))
    assert error.value.seq == seq
    assert str(error.value).startswith(f"Event {seq} is wrong: ")
    assert says in str(error.value)
    with pytest.raises(CorruptLog) as again:
        list(frames(_timed(events)) if events else frames(_timed([DRAW])))
    assert again.value.seq == seq


def test_the_fields_of_a_game_as_it_goes_on() -> None:
    events: list[Event] = [START, DRAW, DRAW, DRAW, Undone(2), Redone(1), Finished("lost"), Voided("test")]
    events.append(Restored("error"))
    seen = [
        (game.version, game.moves, game.undos, game.undo_available, game.redo_available, game.status, game.is_over)
        for game in (frame.game for frame in frames(_timed(events)))
    ]
    assert seen == [
        (1, 0, 0, 0, 0, "playing", False),
        (2, 1, 0, 1, 0, "playing", False),
        (3, 2, 0, 2, 0, "playing", False),
        (4, 3, 0, 3, 0, "playing", False),
        (5, 1, 2, 1, 2, "playing", False),
        (6, 2, 2, 2, 1, "playing", False),
        (7, 2, 2, 0, 0, "lost", True),
        (8, 2, 2, 0, 0, "void", True),
        (9, 2, 2, 0, 0, "lost", True),
    ]


def test_times_go_by_the_events_of_play() -> None:
    events: list[Event] = [START, DRAW, Finished("lost"), Voided("test"), Restored("test")]
    games = [frame.game for frame in frames(_timed(events))]
    assert [game.elapsed_ms for game in games] == [0, 10, 20, 20, 20]
    assert [game.updated_at for game in games] == [1000, 1010, 1020, 1030, 1040]
    assert [game.finished_at for game in games] == [None, None, 1020, 1020, 1020]
    assert {game.started_at for game in games} == {1000}


def test_a_clock_that_was_put_back_does_not_make_a_game_shorter() -> None:
    events: list[tuple[Event, int]] = [(START, 1000), (DRAW, 5000), (DRAW, 3000), (Finished("lost"), 2000)]
    games = [frame.game for frame in frames(events)]
    assert [game.elapsed_ms for game in games] == [0, 4000, 4000, 4000]
    assert games[-1].finished_at == 5000


def test_a_game_that_is_over_lists_nothing_to_do() -> None:
    game = fold(_timed([START, DRAW, Undone(1), Finished("lost")])).game
    assert (game.legal_moves, game.finish, game.undo_available, game.redo_available) == ([], None, 0, 0)
    assert game.piles == fold(_timed([START])).game.piles


def test_a_game_is_untouched_until_its_second_event() -> None:
    shots = list(frames(_timed([START, DRAW, Undone(1)])))
    assert [frame.game.is_untouched for frame in shots] == [True, False, False]


class TestRedoneRedeals:
    """After undoing a redeal that shuffles, redoing it gives the same cards."""

    VECTOR = next(vector for vector in vectors.redeals() if vector.moves.count("redeal") == 2)
    START = Started(VECTOR.variant, 1, Deal("shared", VECTOR.seed), PLAYER, 1)

    def _rows(self, *events: Event) -> list[list[str]]:
        moves = [Moved(move) for move in self.VECTOR.moves]
        return [pile.cards for pile in fold(_timed([self.START, *moves, *events])).game.piles]

    def test_the_last_one(self) -> None:
        assert self._rows(Undone(1), Redone(1)) == self.VECTOR.rows

    def test_all_moves(self) -> None:
        count = len(self.VECTOR.moves)
        assert self._rows(Undone(count), Redone(count)) == self.VECTOR.rows

    def test_one_by_one(self) -> None:
        count = len(self.VECTOR.moves)
        back: list[Event] = [Undone(1)] * count
        forth: list[Event] = [Redone(1)] * count
        assert self._rows(*back, *forth) == self.VECTOR.rows

    def test_made_again_by_hand(self) -> None:
        assert self._rows(Undone(1), Moved("redeal")) == self.VECTOR.rows

    def test_the_round_is_that_of_the_line_as_it_stands(self) -> None:
        """A first redeal after an undone first redeal shuffles with round 1 again, other cards or not."""
        first = self.VECTOR.moves.index("redeal")
        moves = [Moved(move) for move in self.VECTOR.moves[:first]]
        events: list[Event] = [self.START, *moves, Moved("redeal"), Undone(2), Moved("redeal")]
        game = fold(_timed(events)).game
        moves_of_line = [*self.VECTOR.moves[: first - 1], "redeal"]
        assert game.redeals == 1
        assert game.position == replay(self.VECTOR.variant, self.VECTOR.seed, moves_of_line)
