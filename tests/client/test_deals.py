"""The client's own deals are those of the vectors, which neither it nor the service has computed."""

import subprocess
import sys
from collections import Counter
from collections.abc import Sequence

import pytest
from pasyans.deals.deal import deal as dealt
from pasyans.engine.families import rules_of
from pasyans.games.catalogue import VARIANTS
from pasyans_client.deals import DEALINGS, GAP, PACKS, commitment, is_seed, opening, redealt, shuffled
from pasyans_client.tracing import CannotBe, Trace

from tests.support.games import table_of
from tests.support.vectors import Deal, Redeal, Win, deals, redeals, wins

DEALS = deals()
REDEALS = redeals()
WINS = wins()


def names(lines: Sequence[Deal | Redeal | Win]) -> list[str]:
    return [f"{line.variant}-{line.seed}" for line in lines]


def test_the_vectors_know_every_variant() -> None:
    assert {deal.variant for deal in DEALS} <= set(DEALINGS) == set(VARIANTS)
    assert {redeal.variant for redeal in REDEALS} == {"dolgiy", "dolgiy-open"}
    assert max(redeal.moves.count("redeal") for redeal in REDEALS) == 2


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_game_is_dealt_as_the_service_deals_it(variant: str) -> None:
    table = table_of(rules_of(VARIANTS[variant]), dealt(VARIANTS[variant], "hello")).piles
    there = {pile: tuple(cards) for pile, cards in table.items() if cards}
    assert {pile: cards for pile, cards in opening(variant, "hello").items() if cards} == there


@pytest.mark.parametrize("deal", DEALS, ids=names(DEALS))
def test_every_pack_of_the_vectors(deal: Deal) -> None:
    variant, seed, cards = deal
    pack = DEALINGS[variant].pack
    assert list(shuffled(PACKS[pack], pack, seed)) == cards
    assert Counter(card for pile in opening(variant, seed).values() for card in pile if card != GAP) == (
        Counter(cards) + Counter(["AS", "AC", "AD", "AH"] if variant == "dolgiy" else [])
    )


@pytest.mark.parametrize("redeal", REDEALS, ids=names(REDEALS))
def test_every_redeal_of_the_vectors(redeal: Redeal) -> None:
    variant, seed, moves, rows = redeal
    trace = Trace(variant, seed)
    for move in moves:
        before = trace.piles
        trace.play(move)
    assert [list(trace.piles[row]) for row in "abcd"] == rows
    assert redealt(variant, seed, moves.count("redeal"), before) == trace.piles


@pytest.mark.parametrize("win", WINS, ids=names(WINS))
def test_every_win_of_the_vectors_leads_to_won_piles(win: Win) -> None:
    variant, seed, moves = win
    trace = Trace(variant, seed)
    for move in moves:
        trace.play(move)
    if variant.startswith("dolgiy"):
        suits = {row[0][1]: row for row in trace.piles.values()}
        assert suits == {suit: (*(rank + suit for rank in "A23456789TJQK"), GAP) for suit in "CDHS"}
    else:
        ranks = "A6789TJQK" if variant == "vokzal-36" else "A23456789TJQK"
        piles = [pile for name, pile in trace.piles.items() if name[0] == "f"]
        assert [tuple(rank + pile[0][1] for rank in ranks) for pile in piles] == piles
        assert all(not pile for name, pile in trace.piles.items() if name[0] != "f")


def test_piles_are_dealt_round_by_round_then_the_reserve_then_the_stock() -> None:
    cards = next(deal.cards for deal in DEALS if (deal.variant, deal.seed) == ("vokzal-52", "grandma"))
    piles = opening("vokzal-52", "grandma")
    assert [piles[f"t{number}"] for number in range(1, 5)] == [(card,) for card in cards[:4]]
    assert list(piles["r"]) == cards[4:17]
    assert list(piles["s"])[::-1] == cards[17:]
    cards = next(deal.cards for deal in DEALS if (deal.variant, deal.seed) == ("forty-and-eight", "grandma"))
    assert list(opening("forty-and-eight", "grandma")["t3"]) == cards[2:40:8]


def test_rows_are_dealt_beside_their_gaps() -> None:
    cards = next(deal.cards for deal in DEALS if (deal.variant, deal.seed) == ("dolgiy", "grandma"))
    assert list(opening("dolgiy", "grandma")["b"]) == ["AC", GAP, *cards[12:24]]
    cards = next(deal.cards for deal in DEALS if (deal.variant, deal.seed) == ("dolgiy-open", "grandma"))
    assert list(opening("dolgiy-open", "grandma")["d"]) == [GAP, *cards[39:]]


def test_a_draw_turns_up_three_cards_one_by_one() -> None:
    trace = Trace("vokzal-36", "hello")
    first, second, third = trace.piles["s"][:-4:-1]
    trace.play("draw")
    assert trace.piles["w"] == (first, second, third)
    for _ in range(7):
        trace.play("draw")
    assert (len(trace.piles["w"]), trace.piles["s"]) == (23, ())
    trace.play("redeal")
    assert trace.piles["s"] == opening("vokzal-36", "hello")["s"]


def test_a_commitment() -> None:
    # printf %s pasyans-commit-1/hello | sha256sum
    assert commitment("hello") == "a5f97ba17595cbb723177cef2477207fa7129d5c36a8b9f9eca7004164602bdf"


@pytest.mark.parametrize("seed", ["a", "..a", "A-Z_a~z.0", "x" * 64])
def test_seeds(seed: str) -> None:
    assert is_seed(seed)
    assert len(shuffled(PACKS["52"], "52", seed)) == 52


@pytest.mark.parametrize("seed", ["", ".", "..", "x" * 65, "a b", "a/b", "é", "a\n", "a+b"])
def test_what_is_no_seed(seed: str) -> None:
    assert not is_seed(seed)
    with pytest.raises(ValueError, match="cannot be a seed"):
        shuffled(PACKS["52"], "52", seed)
    with pytest.raises(ValueError, match="cannot be a seed"):
        commitment(seed)


@pytest.mark.parametrize(
    ("variant", "moves"),
    [
        ("congress", ["redeal"]),
        ("congress", ["w-t1"]),
        ("congress", ["t1-t1"]),
        ("congress", ["t9-t1"]),
        ("congress", ["t1-t9"]),
        ("congress", ["t1-t2*2"]),
        ("congress", ["t1-t2*0"]),
        ("congress", ["r-t2"]),
        ("congress", ["a1-a2"]),
        ("congress", [*["draw"] * 97]),
        ("congress", ["dance"]),
        ("congress", [""]),
        ("dolgiy", ["draw"]),
        ("dolgiy", ["a2-b2"]),
        ("dolgiy", ["a3-b3"]),
        ("dolgiy", ["a0-b2"]),
        ("dolgiy", ["a15-b2"]),
        ("dolgiy", ["a-b2"]),
        ("dolgiy", ["e3-b2"]),
        ("dolgiy", ["a3-b2*2"]),
    ],
)
def test_a_card_is_taken_from_where_it_lies_only(variant: str, moves: list[str]) -> None:
    trace = Trace(variant, "hello")
    for move in moves[:-1]:
        trace.play(move)
    before = trace.piles
    with pytest.raises(CannotBe):
        trace.play(moves[-1])
    assert trace.piles == before


def test_deals_are_worked_out_without_the_service() -> None:
    code = "import sys, pasyans_client.fairness; print(*{name.split('.')[0] for name in sys.modules})"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=30, check=True)
    modules = set(done.stdout.split())
    assert "pasyans_client" in modules
    assert modules.isdisjoint({"pasyans", "httpx"})
