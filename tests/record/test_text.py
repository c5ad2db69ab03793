"""The portable text record: written, read, and refused where it is first wrong."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pasyans.deals.seeds import commitment
from pasyans.record import decide
from pasyans.record.errors import BadRecord, SealedRecord
from pasyans.record.events import Deal, Finished, Moved, Started
from pasyans.record.game import open_game
from pasyans.record.text import read_record, replay_record, write_record

from tests.support import vectors
from tests.support.games import PLAYER, Session, examples, started

WIN = next(win for win in vectors.wins() if win.variant == "vokzal-36")
AT = 1_795_946_400_000


def _session() -> Session:
    session = started("forty-thieves", "grandma", AT)
    session.play("draw", "draw", "draw")
    session.undo(2)
    session.play("draw")
    return session


TEXT = """\
[Pasyans "1"]
[Variant "forty-thieves"]
[Rules "1"]
[Deal "shared"]
[Seed "grandma"]
[Player "anna"]
[Started "2026-11-29T10:00:00.000Z"]
[Result "playing"]

draw draw
"""


class TestWriting:
    """Tags, an empty line, and the moves of the line as it stands."""

    def test_a_game_that_goes_on(self) -> None:
        assert write_record(_session().game, ["draw", "draw"], player="anna", is_open=True) == TEXT

    def test_a_game_without_moves(self) -> None:
        text = write_record(started("dolgiy", "1", AT).game, [], player="anna", is_open=True)
        assert text.endswith('[Result "playing"]\n')
        assert replay_record(text).game.moves == 0

    def test_a_game_that_ended(self) -> None:
        session = _session()
        session.add(decide.resign(session.game, AT + 83_000))
        text = write_record(session.game, ["draw", "draw"], player="анна", is_open=True)
        assert '[Player "анна"]\n[Started "2026-11-29T10:00:00.000Z"]\n' in text
        assert '[Finished "2026-11-29T10:01:23.000Z"]\n[Result "lost"]\n' in text

    @pytest.mark.parametrize("is_open", [True, False])
    def test_a_deal_that_is_or_was_sealed(self, is_open: bool) -> None:
        start = Started("dolgiy", 1, Deal("daily", "abc", "2026-11-29"), PLAYER, 1)
        text = write_record(open_game(start, AT), [], player="anna", is_open=is_open)
        assert '[Deal "daily"]\n[Date "2026-11-29"]\n' in text
        assert ('[Seed "abc"]' in text) is is_open
        assert ("abc" in text.replace(commitment("abc"), "")) is is_open
        assert f'[Commitment "{commitment("abc")}"]' in text

    def test_lines_are_short_enough_to_read(self) -> None:
        session = started("vokzal-36", WIN.seed, AT)
        session.play(*WIN.moves)
        text = write_record(session.game, WIN.moves, player="anna", is_open=True)
        assert max(map(len, text.splitlines())) <= 80
        assert text.split("\n\n")[1].split() == WIN.moves


class TestReading:
    """What a reader takes."""

    def test_the_game_comes_back(self) -> None:
        replay = replay_record(TEXT)
        assert replay.game.position == _session().game.position
        assert replay.tags["Seed"] == "grandma"
        assert [frame.event for frame in replay.frames[1:]] == [Moved("draw"), Moved("draw")]
        assert (replay.game.started_at, replay.game.status) == (AT, "playing")

    @pytest.mark.parametrize(
        "text",
        [
            TEXT.replace("draw draw", "draw\n\n  draw\t"),
            TEXT.replace("\n\n", "\n"),
            TEXT.replace("\n", "\r\n"),
            "\ufeff" + TEXT,
            "\n\n" + TEXT,
            TEXT.replace("[Player", '[Comment "by nobody"]\n[Player'),
            TEXT.replace('[Player "anna"]\n', "").replace('[Started "2026-11-29T10:00:00.000Z"]\n', ""),
            TEXT.replace('[Result "playing"]\n', ""),
            TEXT.replace("[", "  [").replace("]", "]  "),
        ],
    )
    def test_white_space_and_unknown_tags_are_ignored(self, text: str) -> None:
        assert replay_record(text).game.position == _session().game.position

    def test_short_forms_are_rewritten_in_full(self) -> None:
        text = f'[Pasyans "1"]\n[Variant "vokzal-36"]\n[Rules "1"]\n[Deal "shared"]\n[Seed "{WIN.seed}"]\n t4-f r-t4\n'
        events = [frame.event for frame in replay_record(text).frames[1:]]
        assert events == [Moved("t4-f1"), Moved("r-t4")]

    @pytest.mark.parametrize(
        ("result", "event"), [("lost", Finished("lost")), ("abandoned", Finished("abandoned")), ("void", Moved("draw"))]
    )
    def test_the_result_ends_the_game(self, result: str, event: object) -> None:
        replay = replay_record(TEXT.replace("playing", result))
        assert replay.frames[-1].event == event
        assert replay.game.is_over is (result != "void")

    def test_a_win_is_one_with_and_without_a_result(self) -> None:
        session = started("vokzal-36", WIN.seed, AT)
        session.play(*WIN.moves)
        text = write_record(session.game, WIN.moves, player="anna", is_open=True)
        for one in (text, text.replace('[Result "won"]\n', ""), text.replace('"won"', '"void"')):
            replay = replay_record(one)
            assert replay.game.status == "won"
            assert replay.frames[-1].event == Finished("won")


COMMITTED = TEXT.replace("[Player", f'[Commitment "{commitment("grandma")}"]\n[Player').replace('"shared"', '"sealed"')
DAILY = COMMITTED.replace('"sealed"]', '"daily"]\n[Date "2026-11-29"]')


def test_the_texts_that_are_spoiled_below_are_good() -> None:
    for text in (TEXT, COMMITTED, DAILY):
        assert replay_record(text).game.moves == 2


@pytest.mark.parametrize(
    ("text", "line", "says"),
    [
        ("", 1, 'A record begins with [Pasyans "1"].'),
        ("\n\n", 1, 'A record begins with [Pasyans "1"].'),
        ("draw draw\n", 1, 'A record begins with [Pasyans "1"].'),
        ("\n\ndraw\n" + TEXT, 3, 'A record begins with [Pasyans "1"].'),
        (TEXT.replace('[Pasyans "1"]', '[Pasyans "2"]'), 1, 'A record begins with [Pasyans "1"].'),
        (TEXT.replace('[Pasyans "1"]\n', ""), 1, 'A record begins with [Pasyans "1"].'),
        (TEXT.replace('[Rules "1"]', "[Rules 1]"), 3, 'A tag is written [Name "value"].'),
        (TEXT.replace('[Rules "1"]', '[Rules "1"'), 3, 'A tag is written [Name "value"].'),
        (TEXT.replace('[Rules "1"]', '[Rules "1"] x'), 3, 'A tag is written [Name "value"].'),
        (TEXT.replace('"anna"', '"an"na"'), 6, 'A tag is written [Name "value"].'),
        (
            TEXT.replace('[Seed "grandma"]', '[Seed "1"]\n[Seed "1"]'),
            6,
            "The tag Seed stands here for the second time.",
        ),
        (TEXT + '[Seed "1"]\n', 11, "The tag Seed comes after the moves."),
        (TEXT.replace('[Variant "forty-thieves"]\n', ""), 1, "The tag Variant is missing."),
        (TEXT.replace('[Rules "1"]\n', ""), 1, "The tag Rules is missing."),
        (TEXT.replace('[Deal "shared"]\n', ""), 1, "The tag Deal is missing."),
        (TEXT.replace('[Seed "grandma"]\n', ""), 4, "The tag Seed is missing."),
        (TEXT.replace("forty-thieves", "klondike"), 2, "There is no variant 'klondike'"),
        (TEXT.replace('[Rules "1"]', '[Rules "2"]'), 3, "forty-thieves has no rules number 2"),
        (TEXT.replace('[Rules "1"]', '[Rules "one"]'), 3, "A rules number is written like 1"),
        (TEXT.replace('[Rules "1"]', '[Rules "01"]'), 3, "A rules number is written like 1"),
        (TEXT.replace('[Rules "1"]', '[Rules "١"]'), 3, "A rules number is written like 1"),
        (TEXT.replace('[Rules "1"]', f'[Rules "{"9" * 5000}"]'), 3, "A rules number is written like 1"),
        (TEXT.replace('"shared"', '"weekly"'), 4, "A deal is sealed, shared, daily, not 'weekly'."),
        (DAILY.replace('[Date "2026-11-29"]\n', ""), 4, "The tag Date is missing."),
        (DAILY.replace('[Date "2026-11-29"]\n', "").replace('[Seed "grandma"]\n', ""), 4, "The tag Date is missing."),
        (DAILY.replace("2026-11-29", "soon").replace('[Seed "grandma"]\n', ""), 5, "A date is a day of the calendar"),
        (DAILY.replace('"2026-11-29"', '"2026-11-31"'), 5, "A date is a day of the calendar"),
        (TEXT.replace('"grandma"', '""'), 5, "A seed is 1 to 64 letters"),
        (TEXT.replace('"grandma"', '".."'), 5, "A seed is 1 to 64 letters"),
        (TEXT.replace('"grandma"', '"зерно"'), 5, "A seed is 1 to 64 letters"),
        (COMMITTED.replace('"grandma"', '"grandpa"'), 6, "The commitment is not that of the seed"),
        (TEXT.replace("2026-11-29T10:00:00.000Z", "yesterday"), 7, "A time is written like"),
        (TEXT.replace("2026-11-29T10:00:00.000Z", "0001-01-01T00:00:00+01:00"), 7, "A time is written like"),
        (
            TEXT.replace("[Result", '[Finished "2026-11-29T09:59:59.999Z"]\n[Result'),
            8,
            "A game ends after it began.",
        ),
        (TEXT.replace("playing", "drawn"), 8, "A result is playing, won, lost, abandoned, void, not 'drawn'."),
        (TEXT.replace("playing", "drawn").replace("draw draw", "no"), 8, "A result is"),
        (TEXT.replace("playing", "won"), 8, "The result is won, but the moves do not win."),
    ],
    ids=lambda value: str(value)[-24:] if isinstance(value, str) else str(value),
)
def test_a_record_is_refused_at_its_first_wrong_line(text: str, line: int, says: str) -> None:
    with pytest.raises(BadRecord) as error:
        replay_record(text)
    assert (error.value.line, error.value.move, error.value.index) == (line, None, None)
    assert says in str(error.value)
    assert str(error.value).endswith(".") or says.startswith("A seed")
    assert not isinstance(error.value, SealedRecord)


ORDERS = {
    "as written": TEXT,
    "the other way round": "\n".join([TEXT.splitlines()[0], *reversed(TEXT.splitlines()[1:8]), *TEXT.splitlines()[8:]]),
}
SPOILED = {
    "Variant": '[Variant "klondike"]',
    "Rules": '[Rules "one"]',
    "Deal": '[Deal "weekly"]',
    "Seed": '[Seed ".."]',
    "Player": "[Player anna]",
    "Started": '[Started "yesterday"]',
    "Result": '[Result "drawn"]',
    "draw": "draw w-w",
}


@pytest.mark.parametrize("text", ORDERS.values(), ids=ORDERS.keys())
@pytest.mark.parametrize("names", list(itertools.combinations(SPOILED, 2)), ids=" and ".join)
def test_of_two_wrong_lines_the_first_is_told(text: str, names: tuple[str, str]) -> None:
    lines = text.splitlines()
    wrong = [number for number, line in enumerate(lines, 1) if line.removeprefix("[").startswith(names)]
    for number in wrong:
        name = lines[number - 1].removeprefix("[").split()[0]
        lines[number - 1] = SPOILED[name]
    with pytest.raises(BadRecord) as error:
        replay_record("\n".join(lines))
    assert (len(wrong), error.value.line) == (2, wrong[0])


@pytest.mark.parametrize(
    ("tag", "line", "move", "index"),
    [
        ('[Variant "forty-thieves"]', 2, "Variant", 0),
        ('[Seed "grandma"]', 5, "Seed", 0),
        ('[Player "anna"]', 6, "Player", 0),
        ('[Result "playing"]', 8, "Result", 0),
    ],
)
def test_a_tag_without_its_brackets_is_told_where_it_stands(tag: str, line: int, move: str, index: int) -> None:
    with pytest.raises(BadRecord, match=f"^'{move}' is not a move: ") as error:
        replay_record(TEXT.replace(tag, tag[1:-1]))
    assert (error.value.line, error.value.move, error.value.index) == (line, move, index)


def test_a_game_whose_start_is_not_told_took_no_time() -> None:
    text = TEXT.replace('[Started "2026-11-29T10:00:00.000Z"]', '[Finished "2026-11-29T10:01:23.000Z"]')
    game = replay_record(text.replace("playing", "lost")).game
    assert (game.started_at, game.finished_at) == (AT + 83_000, AT + 83_000)


@pytest.mark.parametrize(
    ("moves", "line", "move", "index", "says"),
    [
        ("redeal", 10, "redeal", 0, "The stock still has cards"),
        ("draw draw\ndraw t1-t1 draw", 11, "t1-t1", 3, "t1-t1 would change nothing."),
        ("draw\n\n\nhello", 13, "hello", 1, "'hello' is not a move"),
        ("draw t11-t1", 10, "t11-t1", 1, "This game has no pile t11."),
        ("draw undo", 10, "undo", 1, "'undo' is not a move"),
        ("t1-f", 10, "t1-f", 0, "f1 takes only an ace"),
    ],
)
def test_a_record_is_refused_at_its_first_wrong_move(moves: str, line: int, move: str, index: int, says: str) -> None:
    with pytest.raises(BadRecord) as error:
        replay_record(TEXT.replace("draw draw", moves))
    assert (error.value.line, error.value.move, error.value.index) == (line, move, index)
    assert says in str(error.value)


def test_a_move_after_the_win_is_refused() -> None:
    session = started("vokzal-36", WIN.seed, AT)
    session.play(*WIN.moves)
    text = write_record(session.game, [*WIN.moves, "draw"], player="anna", is_open=True)
    with pytest.raises(BadRecord, match=r"^draw comes after the win\.$") as error:
        replay_record(text)
    assert (error.value.move, error.value.index) == ("draw", len(WIN.moves))


def test_a_win_whose_result_is_another_is_refused() -> None:
    session = started("vokzal-36", WIN.seed, AT)
    session.play(*WIN.moves)
    text = write_record(session.game, WIN.moves, player="anna", is_open=True)
    for result in ("playing", "lost", "abandoned"):
        with pytest.raises(BadRecord, match=rf"^The result is {result}, but the moves win\.$"):
            replay_record(text.replace('"won"', f'"{result}"'))


@pytest.mark.parametrize(("text", "day"), [(COMMITTED, None), (DAILY, "2026-11-29")])
def test_a_record_of_a_sealed_deal_is_refused_as_such(text: str, day: str | None) -> None:
    with pytest.raises(SealedRecord) as error:
        replay_record(text.replace('[Seed "grandma"]\n', ""))
    assert (error.value.line, error.value.day) == (4, day)
    assert str(error.value) == "The deal of this record is sealed: it has no seed to replay."


LINES = TEXT.splitlines(keepends=True)


@examples(300)
@given(st.data())
def test_a_record_changed_at_random_is_refused_or_replayed(data: st.DataObject) -> None:
    text = data.draw(st.sampled_from([TEXT, COMMITTED, DAILY]))
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(text)))
        upto = data.draw(st.integers(at, min(len(text), at + 12)))
        text = text[:at] + data.draw(st.text(max_size=8) | st.sampled_from(LINES)) + text[upto:]
    _replays_or_is_refused(text)


@examples(100)
@given(st.lists(st.sampled_from([*LINES, "\n", "\u2028", "[", '"', "draw ", "t1-f ", "\x00", "\ud800"]), max_size=20))
def test_any_pieces_of_a_record_are_refused_or_replayed(pieces: list[str]) -> None:
    _replays_or_is_refused("".join(pieces))


@examples(100)
@given(st.text(max_size=200))
def test_any_text_is_refused(text: str) -> None:
    with pytest.raises(BadRecord):
        replay_record(text)


def _replays_or_is_refused(text: str) -> None:
    try:
        replay = replay_record(text)
    except BadRecord as error:
        lines = max(1, len(text.splitlines()))
        found = error
    else:
        written = write_record(
            replay.game,
            [frame.event.move for frame in replay.frames if isinstance(frame.event, Moved)],
            player="anna",
            is_open=True,
        )
        assert replay_record(written).game.position == replay.game.position
        return
    assert 1 <= found.line <= lines
    assert str(found)
    assert (found.move is None) is (found.index is None)
    if found.move is not None:
        words = [word.value for word in read_record(text).moves]
        assert words[found.index or 0] == found.move
