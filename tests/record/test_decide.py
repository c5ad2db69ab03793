"""Deciding: what a command adds, or why it is refused."""

from collections.abc import Callable

import pytest
from pasyans.engine.errors import IllegalMove, Reason, UnreadableMove
from pasyans.engine.view import Change
from pasyans.record import decide
from pasyans.record.errors import (
    GameOver,
    MoveRefused,
    NotFinished,
    NothingToRedo,
    NothingToUndo,
    NotVoid,
    Refusal,
    TurnsUpEarly,
)
from pasyans.record.events import VOID_REASONS, Finished, Moved, Redone, Restored, Undone, Voided, VoidReason
from pasyans.record.fold import fold
from pasyans.record.result import result_of
from pasyans.record.snapshot import decode_snapshot, encode_snapshot

from tests.support import vectors
from tests.support.games import Session, started

WIN = next(win for win in vectors.wins() if win.variant == "vokzal-36")


def _nearly_won() -> Session:
    session = started("vokzal-36", WIN.seed)
    session.play(*WIN.moves[:-2])
    return session


class TestMoves:
    """A batch is played as a whole, or not at all."""

    def test_each_is_an_event_with_its_changes(self) -> None:
        session = started("congress", "1")
        decision = decide.play(session.game, ["draw", "draw"], session.at, is_sealed=False)
        assert decision.events == [Moved("draw"), Moved("draw")]
        assert [[(change.source_index, change.target_index) for change in one] for one in decision.changes] == [
            [(95, 0)],
            [(94, 1)],
        ]
        assert (decision.game.version, decision.game.moves, decision.game.updated_at) == (3, 2, session.at)
        assert session.game.version == 1

    def test_short_forms_are_kept_in_full(self) -> None:
        session = started("vokzal-36", WIN.seed)
        assert WIN.moves[0] == "t4-f1"
        decision = decide.play(session.game, ["t4-f", "r-t4"], session.at, is_sealed=False)
        assert decision.events == [Moved("t4-f1"), Moved("r-t4")]
        assert decision.changes[0] == [Change("AH", "t4", 0, "f1", 0, turned=False)]

    @pytest.mark.parametrize(
        ("moves", "index", "reason"),
        [
            (["redeal"], 0, Reason.STOCK_NOT_EMPTY),
            (["draw", "draw", "t9-t1"], 2, Reason.NO_SUCH_PILE),
            (["draw", "t1-t1", "x"], 1, Reason.POINTLESS),
            (["draw", "nothing"], 1, None),
            (["t1-f"], 0, Reason.NEEDS_ACE),
        ],
    )
    def test_the_first_that_is_wrong_is_named(self, moves: list[str], index: int, reason: Reason | None) -> None:
        session = started("congress", "1")
        with pytest.raises(MoveRefused) as refusal:
            decide.play(session.game, moves, session.at, is_sealed=False)
        error = refusal.value
        assert (error.index, error.move) == (index, moves[index])
        if reason is None:
            assert isinstance(error.cause, UnreadableMove)
        else:
            assert isinstance(error.cause, IllegalMove)
            assert error.cause.reason is reason
        played = decide.play(session.game, moves[:index], session.at, is_sealed=False)
        assert error.legal_moves == played.game.legal_moves
        assert str(error) == str(error.cause)
        assert session.game.version == 1

    def test_the_legal_moves_are_those_at_that_point(self) -> None:
        session = started("vokzal-36", WIN.seed)
        with pytest.raises(MoveRefused) as refusal:
            session.play("t4-f1", "t4-f1")
        assert refusal.value.legal_moves == ["draw", "r-t4"]
        assert "t4-f1" in session.game.legal_moves

    def test_a_new_move_ends_what_could_be_redone(self) -> None:
        session = started("congress", "1")
        session.play("draw", "draw")
        session.undo(2)
        assert session.game.redo_available == 2
        session.play("draw")
        assert session.game.redo_available == 0
        with pytest.raises(NothingToRedo):
            session.redo(1)

    def test_a_winning_move_finishes_the_game(self) -> None:
        session = _nearly_won()
        session.play(*WIN.moves[-2:])
        assert session.decisions[-1].events == [Moved(WIN.moves[-2]), Moved(WIN.moves[-1]), Finished("won")]
        assert session.decisions[-1].changes[-1] == []
        game = session.game
        assert (game.status, game.score, game.finished_at) == ("won", 36, game.updated_at)
        assert fold(session.log).game == game

    def test_a_move_after_the_win_is_refused_with_its_index_and_nothing_is_played(self) -> None:
        session = _nearly_won()
        with pytest.raises(GameOver) as refusal:
            session.play(*WIN.moves[-2:], "draw", "draw")
        assert refusal.value.index == 2
        assert session.game.status == "playing"
        session.play(WIN.moves[-2])


class TestSealed:
    """In a sealed game, what may turn up cards ends its batch."""

    @pytest.mark.parametrize(
        ("variant", "moves", "index"),
        [
            ("congress", ["draw", "draw"], 0),
            ("congress", ["nonsense", "draw", "nonsense"], 1),  # judged before anything is played
            ("congress", ["redeal", "draw"], 0),
            ("congress", ["r-t1", "draw"], 0),  # a game without a reserve
            ("vokzal-36", ["t4-f1", "r-t4", "draw"], 1),
            ("vokzal-36", ["r-f", "draw"], 0),
            ("dolgiy", ["redeal", "redeal"], 0),
        ],
    )
    def test_before_the_end_it_is_refused(self, variant: str, moves: list[str], index: int) -> None:
        session = started(variant, WIN.seed)
        with pytest.raises(TurnsUpEarly) as refusal:
            decide.play(session.game, moves, session.at, is_sealed=True)
        assert (refusal.value.index, refusal.value.move) == (index, moves[index])
        assert moves[index] in str(refusal.value)

    @pytest.mark.parametrize(
        ("variant", "moves"), [("congress", ["draw"]), ("vokzal-36", ["t4-f1", "r-t4"]), ("dolgiy", ["redeal"])]
    )
    def test_at_the_end_it_is_played(self, variant: str, moves: list[str]) -> None:
        session = started(variant, WIN.seed)
        decision = decide.play(session.game, moves, session.at, is_sealed=True)
        assert decision.events == [Moved(move) for move in moves]

    def test_a_game_that_is_over_says_so_first(self) -> None:
        session = started("congress", "1")
        session.add(decide.resign(session.game, session.at))
        with pytest.raises(GameOver) as refusal:
            decide.play(session.game, ["draw", "draw"], session.at, is_sealed=True)
        assert refusal.value.index == 0


class TestUndoAndRedo:
    """One event a request, whatever the count."""

    def test_the_events(self) -> None:
        session = started("congress", "1")
        session.play("draw", "draw", "draw")
        session.undo(2)
        session.redo(1)
        assert [event for event, _ in session.log[4:]] == [Undone(2), Redone(1)]
        assert (session.game.version, session.game.moves, session.game.undos) == (6, 2, 2)

    @pytest.mark.parametrize(
        ("moves", "count", "available", "says"),
        [
            ([], 1, 0, "There is nothing to undo."),
            (["draw"], 2, 1, "There is one move to undo."),
            (["draw", "draw"], 3, 2, "There are only 2 moves to undo."),
        ],
    )
    def test_more_than_there_is_to_undo(self, moves: list[str], count: int, available: int, says: str) -> None:
        session = started("congress", "1")
        if moves:
            session.play(*moves)
        with pytest.raises(NothingToUndo) as refusal:
            session.undo(count)
        assert refusal.value.available == available
        assert str(refusal.value) == says

    def test_more_than_there_is_to_redo(self) -> None:
        session = started("congress", "1")
        session.play("draw", "draw")
        with pytest.raises(NothingToRedo, match=r"^There is nothing to redo\.$"):
            session.redo(1)
        session.undo(2)
        with pytest.raises(NothingToRedo, match=r"^There are only 2 moves to redo\.$") as refusal:
            session.redo(3)
        assert refusal.value.available == 2


class TestResigning:
    """Giving up."""

    def test_a_game_with_moves_is_lost(self) -> None:
        session = started("congress", "1")
        session.play("draw")
        session.add(decide.resign(session.game, session.at))
        assert session.log[-1][0] == Finished("lost")
        assert (session.game.status, session.game.finished_at) == ("lost", session.game.updated_at)
        assert fold(session.log).game == session.game

    def test_an_untouched_game_is_abandoned(self) -> None:
        session = started("congress", "1")
        session.add(decide.resign(session.game, session.at))
        assert session.game.status == "abandoned"

    def test_one_whose_moves_were_all_undone_is_lost(self) -> None:
        session = started("congress", "1")
        session.play("draw")
        session.undo(1)
        session.add(decide.resign(session.game, session.at))
        assert session.game.status == "lost"


def _over(outcome: str) -> Session:
    """A game that is won, lost or abandoned."""
    if outcome == "abandoned":
        session = started("congress", "1")
    else:
        session = _nearly_won()
    if outcome == "won":
        session.play(*WIN.moves[-2:])
    else:
        session.add(decide.resign(session.game, session.at))
    assert session.game.status == outcome
    return session


class TestVoidingAndRestoring:
    """A result that counts no longer, and again."""

    @pytest.mark.parametrize("outcome", ["won", "lost"])
    def test_what_stays_and_what_changes(self, outcome: str) -> None:
        session = _over(outcome)
        before = session.game
        session.add(decide.void(before, "cheating", before.updated_at + 5000))
        void = session.game
        assert session.decisions[-1].events == [Voided("cheating")]
        assert session.decisions[-1].changes == [[]]
        assert (void.status, void.is_over, void.outcome) == ("void", True, outcome)
        assert (void.version, void.updated_at) == (before.version + 1, before.updated_at + 5000)
        assert (void.finished_at, void.elapsed_ms) == (before.finished_at, before.elapsed_ms)
        assert (void.legal_moves, void.undo_available, void.redo_available) == ([], 0, 0)
        session.add(decide.restore(void, "error", void.updated_at + 5000))
        restored = session.game
        assert session.decisions[-1].events == [Restored("error")]
        assert (restored.status, restored.version, restored.updated_at) == (
            outcome,
            before.version + 2,
            before.updated_at + 10_000,
        )
        assert result_of(restored) == result_of(before)
        session.add(decide.void(restored, "test", session.at))
        assert session.game.status == "void"

    @pytest.mark.parametrize("reason", VOID_REASONS)
    def test_the_log_and_the_snapshot_say_the_same(self, reason: VoidReason) -> None:
        session = _over("won")
        for judge in (decide.void, decide.restore, decide.void):
            session.add(judge(session.game, reason, session.at))
            game = session.game
            assert fold(session.log).game == game
            kept = decode_snapshot(
                encode_snapshot(game),
                start=game.start,
                version=game.version,
                started_at=game.started_at,
                updated_at=game.updated_at,
                finished_at=game.finished_at,
            )
            assert kept == game
            result = result_of(game)
            assert result is not None
            assert (result.is_void, result.counts) == (game.is_void, not game.is_void)

    def test_only_what_was_won_or_lost_can_be_voided(self) -> None:
        running = _nearly_won()
        void = _over("lost")
        void.add(decide.void(void.game, "other", void.at))
        for session in (running, _over("abandoned"), void):
            with pytest.raises(NotFinished, match=r"^Only a game that was won or lost can be voided\.$"):
                decide.void(session.game, "other", session.at)

    def test_only_what_is_void_can_be_restored(self) -> None:
        restored = _over("won")
        restored.add(decide.void(restored.game, "other", restored.at))
        restored.add(decide.restore(restored.game, "other", restored.at))
        for session in (_nearly_won(), _over("abandoned"), _over("won"), _over("lost"), restored):
            with pytest.raises(NotVoid, match=r"^Only a void game can be restored\.$"):
                decide.restore(session.game, "other", session.at)

    def test_a_void_game_refuses_what_a_game_that_is_over_does(self) -> None:
        session = _over("lost")
        session.add(decide.void(session.game, "error", session.at))
        commands: list[Callable[[], decide.Decision]] = [
            lambda: decide.play(session.game, ["draw"], session.at, is_sealed=False),
            lambda: decide.undo(session.history, 1, session.at),
            lambda: decide.redo(session.history, 1, session.at),
            lambda: decide.resign(session.game, session.at),
            lambda: decide.abandon(session.game, session.at),
        ]
        for command in commands:
            with pytest.raises(GameOver):
                command()


@pytest.mark.parametrize("outcome", ["won", "lost"])
def test_a_game_that_is_over_refuses_everything(outcome: str) -> None:
    session = _over(outcome)
    game, at = session.game, session.at
    with pytest.raises(GameOver) as refusal:
        decide.play(game, ["draw"], at, is_sealed=False)
    assert refusal.value.index == 0
    commands: list[Callable[[], decide.Decision]] = [
        lambda: decide.undo(session.history, 1, at),
        lambda: decide.redo(session.history, 1, at),
        lambda: decide.resign(game, at),
    ]
    for command in commands:
        with pytest.raises(GameOver, match=r"^The game is over\.$") as over:
            command()
        assert over.value.index is None


def test_a_clock_that_was_put_back_does_not_matter() -> None:
    session = started("congress", "1", at=5000)
    for decision in (
        decide.play(session.game, ["draw"], 10, is_sealed=False),
        decide.resign(session.game, 10),
    ):
        assert decision.game.updated_at == 5000
        assert decision.game.elapsed_ms == 0
    session.play("draw")
    assert decide.undo(session.history, 1, 10).game.updated_at == session.game.updated_at
    session.add(decide.resign(session.game, session.at))
    for judge in (decide.void, decide.restore):
        session.add(judge(session.game, "error", 10))
    assert session.game.updated_at == session.game.finished_at


def test_every_refusal_is_a_sentence() -> None:
    for error in (GameOver(), NothingToUndo(0), NothingToRedo(1), TurnsUpEarly("draw", 0), NotFinished(), NotVoid()):
        assert isinstance(error, Refusal)
        assert str(error)[0].isupper() or str(error).startswith("draw ")
        assert str(error).endswith(".")
