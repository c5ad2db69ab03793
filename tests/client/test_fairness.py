"""Games of the real service are found fair, and each way of changing a deal afterwards is found out."""

import random
from collections.abc import Callable, Iterator

import msgspec
import pytest
from msgspec.structs import replace
from pasyans_client import BadEvidence, Client
from pasyans_client.deals import DEALINGS, commitment
from pasyans_client.evidence import Evidence, from_service, from_text
from pasyans_client.fairness import Findings, verify_deal
from pasyans_client.models import Event, Game

from tests.support.service import Service
from tests.support.vectors import Win, wins

NAMES = ("commitment", "noted", "opening", "events", "boards")
OTHER_SEED = "0123456789abcdef0123456789abcdef"


@pytest.fixture(scope="module")
def client(service: Service) -> Iterator[Client]:
    with Client(service.url) as anyone:
        token = anyone.create_player().token
    with Client(service.url, token) as mine:
        yield mine


def wander(client: Client, game: Game, steps: int) -> None:
    """Play anything that is legal, with much drawing and redealing, and take some of it back and forth."""
    chance = random.Random(game.variant)
    for _ in range(steps):
        if not game.legal_moves:
            return
        if game.undo_available > 3 and chance.random() < 0.15:
            game = client.undo(game.id, chance.randint(1, 3))
        elif game.redo_available and chance.random() < 0.5:
            game = client.redo(game.id)
        else:
            turning = [move for move in game.legal_moves if move in ("draw", "redeal")]
            often = turning if game.variant not in ("dolgiy", "dolgiy-open") or chance.random() < 0.2 else []
            moves = often if often and chance.random() < 0.6 else game.legal_moves
            game = client.move(game.id, [chance.choice(moves)])


def results(findings: Findings) -> dict[str, str]:
    assert tuple(check.name for check in findings.checks) == NAMES
    assert all(check.detail.endswith(".") for check in findings.checks)
    return {check.name: check.result for check in findings.checks}


@pytest.mark.parametrize("variant", DEALINGS)
def test_a_sealed_game_of_each_kind(client: Client, variant: str) -> None:
    game = client.start_game(variant)
    at_start = from_service(client, game.id)
    assert verify_deal(at_start).verdict == "sealed"
    wander(client, game, 90)
    client.resign(game.id)
    evidence = from_service(client, game.id)
    drawn = {event.move for event in evidence.events} & {"draw", "redeal"}
    assert drawn
    findings = verify_deal(evidence, at_start, game.deal.commitment)
    assert results(findings) == dict.fromkeys(NAMES, "passed")
    assert findings.verdict == "verified"
    assert findings.deal.seed is not None
    # All that was shown on the way, saved board by board and without the events.
    frames = [client.game(game.id, at=event.seq) for event in evidence.events]
    alone = verify_deal(from_text("\n".join(msgspec.json.encode(frame).decode() for frame in frames)))
    passes = "skipped" if variant.startswith("dolgiy") else "passed"
    assert results(alone) == {
        "commitment": "passed",
        "noted": "skipped",
        "opening": "passed",
        "events": "skipped",
        "boards": passes,
    }


@pytest.mark.parametrize("win", wins(), ids=[f"{win.variant}-{win.seed}" for win in wins()])
def test_a_shared_game_has_no_commitment_and_its_cards_are_those_of_the_seed(client: Client, win: Win) -> None:
    variant, seed, moves = win
    game = client.start_game(variant, seed=seed)
    assert results(verify_deal(from_service(client, game.id)))["opening"] == "passed"
    client.move(game.id, moves)
    findings = verify_deal(from_service(client, game.id))
    assert results(findings) == {
        "commitment": "skipped",
        "noted": "skipped",
        "opening": "passed",
        "events": "passed",
        "boards": "passed",
    }
    assert findings.verdict == "verified"


def test_what_is_read_is_what_the_service_told(client: Client) -> None:
    game = client.start_game("vokzal-36")
    saved = [client.last_answer.body.decode() if client.last_answer else ""]
    for _ in range(4):
        client.move(game.id, ["draw"])
        saved.append(client.last_answer.body.decode() if client.last_answer else "")
    client.resign(game.id)
    saved.append(client.last_answer.body.decode() if client.last_answer else "")
    findings = verify_deal(from_text("\n".join(saved)))
    # What was saved while the seed was a secret is as good as a note.
    assert results(findings) == dict.fromkeys(NAMES, "passed")
    record = client.record(game.id)
    assert results(verify_deal(from_text(record)))["commitment"] == "passed"
    paired = verify_deal(from_text(record), from_text(saved[0]))
    assert results(paired)["noted"] == results(paired)["opening"] == "passed"


# ---- what is found out


@pytest.fixture(scope="module")
def played(client: Client) -> tuple[Evidence, Evidence]:
    """A sealed game as it was at the start, and with all that happened; three draws, one of them taken back.

    The cards that are drawn differ, and none is one that `swapped` puts in place of another.
    """
    drawn: tuple[str, ...] = ()
    while len({*drawn, "2C", "KS"}) < 5:
        game = client.start_game("congress")
        before = from_service(client, game.id)
        for _ in range(3):
            game = client.move(game.id, ["draw"])
        drawn = next(pile.cards for pile in game.piles if pile.id == "w")
    client.undo(game.id)
    client.resign(game.id)
    after = from_service(client, game.id)
    assert results(verify_deal(after, before)) == dict.fromkeys(NAMES, "passed")
    return before, after


def swapped(card: str) -> str:
    """Another card."""
    return "2C" if card != "2C" else "KS"


def with_card(board: Game, pile: str, change: Callable[[tuple[str, ...]], tuple[str, ...]]) -> Game:
    piles = [replace(each, cards=change(each.cards)) if each.id == pile else each for each in board.piles]
    return replace(board, piles=tuple(piles))


def other_card(cards: tuple[str, ...]) -> tuple[str, ...]:
    return (*cards[:-1], swapped(cards[-1]))


def with_event(evidence: Evidence, seq: int, change: Callable[[Event], Event]) -> Evidence:
    events = [change(event) if event.seq == seq else event for event in evidence.events]
    return replace(evidence, events=tuple(events))


def failed(findings: Findings) -> dict[str, str]:
    assert findings.verdict == "mismatch"
    return {check.name: check.detail for check in findings.checks if check.result == "failed"}


def test_another_seed_is_told_in_the_end(played: tuple[Evidence, Evidence]) -> None:
    before, after = played
    told = replace(after, deals=(replace(after.deal, seed=OTHER_SEED),))
    assert set(failed(verify_deal(told, before))) == {"commitment", "noted", "opening", "events", "boards"}


def test_another_seed_is_told_with_a_commitment_that_fits_it(played: tuple[Evidence, Evidence]) -> None:
    before, after = played
    assert before.deal.commitment is not None
    forged = replace(after.deal, seed=OTHER_SEED, commitment=commitment(OTHER_SEED))
    told = replace(after, deals=(forged,), boards=(), events=())
    assert verify_deal(told).verdict == "verified"  # nothing but a note from the start tells it apart
    for note in (verify_deal(told, replace(before, boards=())), verify_deal(told, noted=before.deal.commitment)):
        assert set(failed(note)) == {"noted"}
    assert "noted" in failed(verify_deal(told, before))
    assert set(failed(verify_deal(replace(after, deals=(forged,)), before))) >= {"noted", "opening", "events"}


def test_two_seeds_are_told(played: tuple[Evidence, Evidence]) -> None:
    _, after = played
    told = replace(after, deals=(replace(after.deal, seed=OTHER_SEED), after.deal))
    assert "Different seeds were told" in failed(verify_deal(told))["commitment"]


def test_the_commitment_is_changed_while_the_seed_is_a_secret(played: tuple[Evidence, Evidence]) -> None:
    before, _ = played
    later = replace(before, deals=(replace(before.deal, commitment=commitment(OTHER_SEED)),))
    assert set(failed(verify_deal(later, before))) == {"noted"}
    unchanged = verify_deal(before, before)
    assert (results(unchanged)["noted"], unchanged.verdict) == ("passed", "sealed")


def test_a_sealed_deal_becomes_another_kind(played: tuple[Evidence, Evidence]) -> None:
    before, after = played
    told = replace(after, deals=(replace(after.deal, kind="shared", commitment=None),))
    assert set(failed(verify_deal(told, before))) == {"noted"}
    with pytest.raises(BadEvidence, match="no commitment"):
        verify_deal(told, noted=before.deal.commitment)
    other = replace(after, rules=2)
    assert "noted" in failed(verify_deal(other, before))
    assert results(verify_deal(other))["opening"] == "skipped"


@pytest.mark.parametrize("pile", ["t1", "t8"])
def test_another_card_is_shown_at_the_start(played: tuple[Evidence, Evidence], pile: str) -> None:
    _, after = played
    opening, *rest = after.boards
    changed = replace(after, boards=(with_card(opening, pile, other_card), *rest))
    assert list(failed(verify_deal(changed))) == ["opening"]
    assert f"{pile} shows " in failed(verify_deal(changed))["opening"]


def test_the_start_has_more_or_fewer_cards(played: tuple[Evidence, Evidence]) -> None:
    _, after = played
    opening, *rest = after.boards
    for wrong in (
        with_card(opening, "t1", lambda cards: (*cards, "AS")),
        with_card(opening, "t1", lambda _: ()),
        replace(opening, piles=opening.piles[1:]),
        replace(opening, piles=tuple(replace(p, hidden=95) if p.id == "s" else p for p in opening.piles)),
    ):
        assert list(failed(verify_deal(replace(after, boards=(wrong, *rest))))) == ["opening"]


def test_another_card_is_drawn(played: tuple[Evidence, Evidence]) -> None:
    _, after = played

    def change(event: Event) -> Event:
        (drawn,) = event.changes
        return replace(event, changes=(replace(drawn, card=swapped(drawn.card or "")),))

    details = failed(verify_deal(with_event(after, 3, change)))
    assert list(details) == ["events"]
    assert details["events"].startswith("Event 3 (draw): ")


def test_a_card_is_drawn_from_deeper_in_the_stock(played: tuple[Evidence, Evidence]) -> None:
    _, after = played

    def change(event: Event) -> Event:
        (drawn,) = event.changes
        # The one below, which is drawn next and differs; further down its twin may lie, and nobody could tell.
        return replace(event, changes=(replace(drawn, card=None, source_index=drawn.source_index - 1),))

    assert list(failed(verify_deal(with_event(after, 2, change)))) == ["events"]


@pytest.mark.parametrize(
    "change",
    [
        lambda event: replace(event, count=9),
        lambda event: replace(event, count=None),
        lambda event: replace(event, type="redone"),
        lambda event: replace(event, changes=(replace(event.changes[0], source_index=99),)),
        lambda event: replace(event, changes=(replace(event.changes[0], to="t99"),)),
    ],
)
def test_what_is_undone_is_what_was_done(played: tuple[Evidence, Evidence], change: Callable[[Event], Event]) -> None:
    _, after = played
    assert after.events[4].type == "undone"
    details = failed(verify_deal(with_event(after, 5, change)))
    assert details["events"].startswith("Event 5 (")


def test_another_card_is_shown_later(played: tuple[Evidence, Evidence]) -> None:
    _, after = played
    *rest, last = after.boards
    changed = replace(after, boards=(*rest, with_card(last, "w", other_card)))
    details = failed(verify_deal(changed))
    assert list(details) == ["boards"]
    assert details["boards"].startswith(f"Version {last.version}: w shows ")
    # Known without its events it is found out as well, since the deal has not that card among those turned up so far.
    assert list(failed(verify_deal(replace(changed, events=())))) == ["boards"]
    turned = with_card(last, "w", lambda cards: cards[::-1])
    assert turned != last
    assert "not in the order" in failed(verify_deal(replace(after, boards=(turned,), events=())))["boards"]
    hidden = replace(last, piles=tuple(replace(p, hidden=1, cards=()) if p.id == "t1" else p for p in last.piles))
    assert "It does not show" in failed(verify_deal(replace(after, boards=(hidden,), events=())))["boards"]
    fewer = with_card(last, "w", lambda cards: cards[:-1])
    assert list(failed(verify_deal(replace(after, boards=(fewer,), events=())))) == ["boards"]


def test_another_card_is_shown_after_a_redeal(client: Client) -> None:
    game = client.start_game("vokzal-52")
    for _ in range(12):
        client.move(game.id, ["draw"])
    client.move(game.id, ["redeal"])
    client.move(game.id, ["draw"])
    client.resign(game.id)
    last = from_service(client, game.id)
    alone = replace(last, boards=last.boards[1:], events=())
    assert results(verify_deal(alone))["boards"] == "passed"
    (board,) = alone.boards
    reserve = next(pile for pile in last.boards[0].piles if pile.id == "r")
    shown = with_card(board, "t1", lambda _: reserve.cards)
    assert "It shows" in failed(verify_deal(replace(alone, boards=(shown,))))["boards"]
    turned = with_card(board, "w", lambda cards: cards[::-1])
    assert "not in the order" in failed(verify_deal(replace(alone, boards=(turned,))))["boards"]


def test_what_a_new_move_ended_is_not_redone(played: tuple[Evidence, Evidence]) -> None:
    _, after = played
    again = replace(after.events[2], seq=6)
    redone = replace(after.events[4], type="redone", seq=7, changes=())
    told = replace(after, events=(*after.events[:5], replace(again, changes=()), redone), boards=after.boards[:1])
    assert failed(verify_deal(told))["events"].startswith("Event 7 (redone): ")


def test_the_past_is_told_in_two_ways(played: tuple[Evidence, Evidence]) -> None:
    before, after = played

    def change(event: Event) -> Event:
        return replace(event, changes=())

    saved = with_event(after, 2, change)
    assert "two different ways" in failed(verify_deal(after, saved))["events"]
    assert verify_deal(after, replace(before, events=after.events[1:3])).verdict == "verified"


def test_a_redeal_deals_other_cards(client: Client) -> None:
    game = client.start_game("dolgiy-open")
    client.move(game.id, ["redeal"])
    client.resign(game.id)
    after = from_service(client, game.id)
    assert results(verify_deal(after))["events"] == "passed"

    def change(event: Event) -> Event:
        first, second, *rest = event.changes
        return replace(event, changes=(replace(first, to=second.to, to_index=second.to_index), *rest))

    assert "events" in failed(verify_deal(with_event(after, 2, change)))


def test_what_was_not_given_is_not_said_to_be_right(played: tuple[Evidence, Evidence]) -> None:
    _, after = played
    gap = replace(after, events=tuple(event for event in after.events if event.seq != 4))
    checks = {check.name: check for check in verify_deal(gap).checks}
    assert checks["events"].result == "passed"
    assert checks["events"].detail.endswith("What follows event 3 was not given in full.")
    assert "Without events, " in checks["boards"].detail
    bare = replace(after, boards=(), events=())
    assert [results(verify_deal(bare))[name] for name in NAMES[2:]] == ["skipped"] * 3
    shared = replace(bare, deals=(replace(after.deal, kind="shared", commitment=None),))
    assert verify_deal(shared).verdict == "unchecked"
    unknown = replace(after, variant="bridge")
    assert [results(verify_deal(unknown))[name] for name in NAMES[2:]] == ["skipped"] * 3


def test_another_game_is_no_earlier_one(client: Client, played: tuple[Evidence, Evidence]) -> None:
    _, after = played
    other = client.start_game("congress")
    with pytest.raises(BadEvidence, match="another game"):
        verify_deal(after, from_service(client, other.id))
    with pytest.raises(BadEvidence, match="another game"):
        verify_deal(after, from_text(client.record(other.id)))


# ---- what is read


def saved(client: Client) -> str:
    """A game as an answer has it."""
    client.start_game("congress", seed="hello")
    assert client.last_answer is not None
    return client.last_answer.body.decode()


@pytest.mark.parametrize(
    ("spoil", "complaint"),
    [
        (lambda _: "", "Nothing was saved"),
        (lambda _: "Dear diary", "neither a game in JSON nor a text record"),
        (lambda _: "7", "no saved game"),
        (lambda _: '"text"', "no saved game"),
        (lambda _: "{}", "no saved game"),
        (lambda _: '{"event": 1, "game": 2}', "no saved game"),
        (lambda _: '[{"id": 1}]', "no record that this version reads"),
        (lambda text: text[:-9], "neither a game in JSON nor a text record"),
        (lambda text: text.replace('"version":1', '"version":"one"'), "no saved game"),
        (lambda text: text.replace('"hello"', '"a b"'), "cannot be a seed"),
        (lambda text: text.replace('"hello"', "null"), "seed of a shared deal is missing"),
        (lambda text: text + text.replace('"id":"', '"id":"f', 1), "Games are mixed"),
        (lambda _: "[" * 100_000, "no record that this version reads"),
        (lambda _: '{"a":' * 100_000, "neither a game in JSON nor a text record"),
    ],
)
def test_what_cannot_be_read_is_said_to_be_so(client: Client, spoil: Callable[[str], str], complaint: str) -> None:
    with pytest.raises(BadEvidence, match=complaint):
        from_text(spoil(saved(client)))


@pytest.mark.parametrize(
    ("line", "spoilt", "complaint"),
    [
        ('[Pasyans "1"]', '[Pasyans "2"]', "no record that this version reads"),
        ('[Rules "1"]', "", "lacks Rules"),
        ('[Rules "1"]', '[Rules "one"]', "cannot be read"),
        ('[Seed "hello"]', "", "seed of a shared deal is missing"),
        ('[Seed "hello"]', '[Seed "a b"]', "cannot be a seed"),
        ('[Deal "shared"]', "", "lacks Deal"),
    ],
)
def test_a_record_that_cannot_be_read(client: Client, line: str, spoilt: str, complaint: str) -> None:
    record = client.record(client.start_game("congress", seed="hello").id)
    assert line in record
    assert from_text(record).deal.seed == "hello"
    with pytest.raises(BadEvidence, match=complaint):
        from_text(record.replace(line, spoilt))


def test_games_are_read_in_any_order_and_layout(client: Client) -> None:
    text = saved(client)
    pretty = msgspec.json.format(text, indent=2)
    assert from_text(f"\ufeff{text}\n\n{pretty}\n").boards == from_text(text).boards * 2
    event = '{"seq": 1, "type": "started", "at": "2026-11-29T10:00:00Z", "changes": []}'
    frame = f'{{"event": {event}, "game": {text}}}'
    assert [event.type for event in from_text(frame).events] == ["started"]
    assert from_text(f'{{"events": [{event}], "game": {text}}}') == from_text(frame)
