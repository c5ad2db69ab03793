"""What holds of the moves of every game in the catalogue."""

from collections import Counter
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pasyans.deals.deal import chance, deal
from pasyans.engine.cards import CARD_NAMES, RANKS, SUITS
from pasyans.engine.errors import EngineError, IllegalMove, Reason, UnreadableMove
from pasyans.engine.families import rules_of
from pasyans.engine.position import Position
from pasyans.engine.rules import Chance, Rules
from pasyans.games.catalogue import VARIANTS

from tests.support.games import VARIANT_IDS, Line, examples, lines, seeds

every_variant = pytest.mark.parametrize("variant", VARIANT_IDS)


def _cards(position: Position) -> Counter[str]:
    return Counter(CARD_NAMES[card] for pile in position.piles for card in pile)


def _whole(count: int) -> Counter[str]:
    """The cards of a game with so many: packs of 52, or the pack from the six up with the aces."""
    ranks = "A6789TJQK" if count == 36 else RANKS
    packs = 2 if count == 104 else 1
    return Counter({rank + suit: packs for rank in ranks for suit in SUITS})


def _conceivable(rules: Rules, position: Position) -> list[str]:
    """Every text of the notation that names places of this game: all pairs, and all counts up to one too many."""
    heights = dict(zip(rules.pile_ids, map(len, position.piles), strict=True))
    texts = ["draw", "redeal"]
    for source, target in product(rules.pile_ids, repeat=2):
        texts.append(f"{source}-{target}")
        texts += [f"{source}-{target}*{count}" for count in range(2, heights[source] + 2)]
    return texts


@every_variant
@examples(20)
@given(st.data())
def test_no_card_is_lost_or_made(variant: str, data: st.DataObject) -> None:
    line = data.draw(lines(variant))
    for position in line.positions:
        assert _cards(position) == _whole(VARIANTS[variant].cards)


@every_variant
@examples(20)
@given(st.data())
def test_the_legal_moves_are_sorted_and_listed_once(variant: str, data: st.DataObject) -> None:
    line = data.draw(lines(variant))
    for position in line.positions:
        legal = line.rules.legal_moves(position)
        assert legal == sorted(set(legal))


@every_variant
@examples(20)
@given(st.data())
def test_what_is_listed_is_accepted_and_nothing_else_is(variant: str, data: st.DataObject) -> None:
    line = data.draw(lines(variant))
    rules, position, shuffle = line.rules, line.position, chance(VARIANTS[variant], line.seed)
    accepted = []
    for move in _conceivable(rules, position):
        outcome = _attempt(rules, position, move, shuffle)
        if isinstance(outcome, Position):
            assert outcome != position
            assert _cards(outcome) == _cards(position)
            accepted.append(move)
        else:
            assert isinstance(outcome, IllegalMove)
            assert outcome.move == move
            assert outcome.reason in Reason
            _check_sentence(str(outcome))
    assert sorted(accepted) == rules.legal_moves(position)


def _attempt(rules: Rules, position: Position, move: str, shuffle: Chance) -> Position | EngineError:
    try:
        return rules.play(position, move, shuffle)
    except EngineError as error:
        return error


def _check_sentence(text: str) -> None:
    assert text.endswith(".")
    assert len(text.split()) >= 3
    for flaw in ("  ", "{", "}", "None", " ."):
        assert flaw not in text


@every_variant
@examples(50)
@given(st.data())
def test_what_names_no_pile_of_the_game_is_refused_too(variant: str, data: st.DataObject) -> None:
    line = data.draw(lines(variant))
    places = st.from_regex(r"[a-z](?:[1-9][0-9]?)?", fullmatch=True)
    source, target = data.draw(places), data.draw(places)
    real = set(line.rules.pile_ids)
    if {source, target} <= real:
        return
    with pytest.raises(IllegalMove) as refusal:
        line.rules.play(line.position, f"{source}-{target}", chance(VARIANTS[variant], line.seed))
    assert refusal.value.reason is Reason.NO_SUCH_PILE
    assert next(place for place in (source, target) if place not in real) in str(refusal.value)


@every_variant
@examples(50)
@given(st.data())
def test_any_other_text_is_unreadable_or_refused(variant: str, data: st.DataObject) -> None:
    text = data.draw(st.one_of(st.text(max_size=12), st.text("drawel-*0123456789stfabw \n", max_size=9)))
    rules, position = rules_of(VARIANTS[variant]), deal(VARIANTS[variant], "1")
    legal = rules.legal_moves(position)
    outcome = _attempt(rules, position, text, chance(VARIANTS[variant], "1"))
    if isinstance(outcome, Position):
        assert text in legal
    else:
        assert isinstance(outcome, UnreadableMove | IllegalMove)
        assert text not in legal
        assert str(outcome).endswith(".")


@every_variant
@examples(20)
@given(st.data())
def test_stuck_won_and_the_legal_moves_agree(variant: str, data: st.DataObject) -> None:
    line = data.draw(lines(variant))
    for position in line.positions[-5:]:
        legal = line.rules.legal_moves(position)
        if line.rules.is_won(position):
            assert not line.rules.is_stuck(position)
            assert not legal
        elif not legal:
            assert line.rules.is_stuck(position)
        if line.rules.is_stuck(position):
            assert set(legal) <= {"draw", "redeal"}


@every_variant
@examples(20)
@given(st.data())
def test_redeals_are_counted_and_limited(variant: str, data: st.DataObject) -> None:
    line = data.draw(lines(variant))
    made = line.moves.count("redeal")
    allowed = VARIANTS[variant].redeals
    assert line.position.redeals == made
    assert line.rules.redeals_left(line.position) == (None if allowed is None else allowed - made)
    assert allowed is None or made <= allowed


@every_variant
@examples(20)
@given(st.data())
def test_a_short_form_means_the_first_foundation_that_takes_the_card(variant: str, data: st.DataObject) -> None:
    line: Line = data.draw(lines(variant))
    rules, position = line.rules, line.position
    legal = rules.legal_moves(position)
    for source in rules.pile_ids:
        full = rules.expand(position, f"{source}-f")
        takers = [move for move in legal if move.startswith(f"{source}-f")]
        if takers:
            assert full == min(takers, key=lambda move: int(move.partition("-f")[2]))
        else:
            with pytest.raises(IllegalMove) as refusal:
                rules.play(position, full, chance(VARIANTS[variant], line.seed))
            assert refusal.value.reason is not Reason.NO_SUCH_PILE or variant.startswith("dolgiy")
    for move in legal:
        assert rules.expand(position, move) == move


@every_variant
@given(seed=seeds)
def test_the_opening_is_not_over(variant: str, seed: str) -> None:
    rules = rules_of(VARIANTS[variant])
    opening = deal(VARIANTS[variant], seed)
    assert rules.legal_moves(opening)
    assert not rules.is_won(opening)
    assert not rules.is_stuck(opening)
    assert opening.redeals == 0
