"""What a player sees of every game in the catalogue, and what changes tell."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pasyans.engine.changes import changes
from pasyans.engine.families import rules_of
from pasyans.engine.layout import Zone
from pasyans.engine.position import Position
from pasyans.engine.rules import Rules
from pasyans.games.catalogue import VARIANTS

from tests.support.animation import animate, shown
from tests.support.games import VARIANT_IDS, examples, lines, table_of

every_variant = pytest.mark.parametrize("variant", VARIANT_IDS)


def _face_down(kind: str, height: int) -> int:
    """How many cards of a pile of this kind and height lie face down."""
    return {"stock": height, "reserve": max(0, height - 1)}.get(kind, 0)


@every_variant
@examples(20)
@given(st.data())
def test_the_view_is_the_position_without_the_cards_that_are_face_down(variant: str, data: st.DataObject) -> None:
    line = data.draw(lines(variant))
    for position in line.positions[-5:]:
        piles = table_of(line.rules, position).piles
        views = line.rules.view(position)
        assert [view.id for view in views] == list(piles)
        for view in views:
            cards = piles[view.id]
            assert view.hidden == _face_down(view.kind, len(cards))
            assert view.cards == cards[view.hidden :]


@every_variant
@examples(20)
@given(st.data())
def test_deals_that_differ_in_hidden_cards_alone_look_alike(variant: str, data: st.DataObject) -> None:
    line = data.draw(lines(variant))
    rules, position = line.rules, line.position
    other = _with_hidden_cards_shuffled(rules, position, data)
    assert rules.view(position) == rules.view(other)
    assert rules.legal_moves(position) == rules.legal_moves(other)
    assert rules.score(position) == rules.score(other)
    assert rules.finish(position) == rules.finish(other)
    if not position.redeals:  # later, every card of the stock has been seen
        assert rules.is_stuck(position) == rules.is_stuck(other)


def _with_hidden_cards_shuffled(rules: Rules, position: Position, data: st.DataObject) -> Position:
    hidden = [_face_down(kind, len(pile)) for kind, pile in zip(_kinds(rules), position.piles, strict=True)]
    cards = b"".join(pile[:count] for pile, count in zip(position.piles, hidden, strict=True))
    shuffled = bytes(data.draw(st.permutations(cards)))
    piles = []
    for pile, count in zip(position.piles, hidden, strict=True):
        piles.append(shuffled[:count] + pile[count:])
        shuffled = shuffled[count:]
    return Position(tuple(piles), position.redeals)


def _kinds(rules: Rules) -> list[str]:
    """The kind of each pile of a position; cells are of the kind of their row."""
    kinds = {pile: zone.kind for zone in rules.layout.zones for pile in zone.piles}
    return [kinds[id_] if id_ in kinds else kinds[id_[0]] for id_ in rules.pile_ids]


@every_variant
@examples(20)
@given(st.data())
def test_the_changes_of_a_move_turn_one_view_into_the_next(variant: str, data: st.DataObject) -> None:
    line = data.draw(lines(variant))
    rules = line.rules
    for before, move, after in list(zip(line.positions, line.moves, line.positions[1:], strict=False))[-8:]:
        told = changes(rules, before, rules.transfers(before, move, after), after)
        assert animate(rules.view(before), told) == shown(rules.view(after))
        assert len({(change.source, change.source_index) for change in told}) == len(told)
        assert told


@every_variant
@examples(20)
@given(st.data())
def test_only_moves_said_to_turn_up_cards_do(variant: str, data: st.DataObject) -> None:
    """After any other move, nothing shows that did not show before: a batch may go on after it."""
    line = data.draw(lines(variant))
    for before, move, after in zip(line.positions, line.moves, line.positions[1:], strict=False):
        if not line.rules.may_turn_up(move):
            assert _showing(line.rules, before) == _showing(line.rules, after)


def _showing(rules: Rules, position: Position) -> Counter[str]:
    return Counter(card for view in rules.view(position) for card in view.cards)


@every_variant
def test_draws_redeals_and_the_reserve_count_as_turning_up_cards(variant: str) -> None:
    rules = rules_of(VARIANTS[variant])
    kinds = dict(zip(rules.pile_ids, _kinds(rules), strict=True))
    assert rules.may_turn_up("redeal")
    if "s" in kinds:
        assert rules.may_turn_up("draw")
        assert rules.may_turn_up("r-t1")
        assert rules.may_turn_up("r-f")
        assert not rules.may_turn_up("w-t1")
    first, second = rules.pile_ids[-2:]
    assert not rules.may_turn_up(f"{first}-{second}")


@every_variant
def test_the_layout_has_a_place_for_every_pile_and_no_two_in_one(variant: str) -> None:
    rules = rules_of(VARIANTS[variant])
    layout = rules.layout
    views = {view.id: view for view in rules.view(Position((b"",) * len(rules.pile_ids)))}
    taken: list[tuple[int, int]] = []
    placed: list[str] = []
    for zone in layout.zones:
        placed += zone.piles
        assert zone.fan in ("none", "down", "right")
        assert zone.name.en
        assert zone.name.ru
        assert {views[pile].kind for pile in zone.piles} == {zone.kind}
        assert len(zone.piles) == (zone.rows if zone.kind == "row" else zone.rows * zone.columns)
        if zone.kind == "row":
            assert {len(views[pile].cards) for pile in zone.piles} == {zone.columns}
        taken += _places(zone)
    assert sorted(placed) == sorted(views)
    assert len(set(taken)) == len(taken)
    assert all(0 <= row < layout.rows and 0 <= column < layout.columns for row, column in taken)
    assert len({zone.id for zone in layout.zones}) == len(layout.zones)


def _places(zone: Zone) -> list[tuple[int, int]]:
    return [
        (row, column)
        for row in range(zone.row, zone.row + zone.rows)
        for column in range(zone.column, zone.column + zone.columns)
    ]
