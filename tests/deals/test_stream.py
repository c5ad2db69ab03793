"""The stream and the shuffle, as laws and as literal values."""

import hashlib
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pasyans.deals.deal import chance, deal
from pasyans.deals.stream import _below, shuffled
from pasyans.engine.cards import PACKS, card_names
from pasyans.games.catalogue import VARIANTS

from tests.support.games import VARIANT_IDS, examples, seeds
from tests.support.reference import table

packs = st.sampled_from(sorted(PACKS))
rounds = st.integers(0, 12)


def test_the_packs_in_their_fixed_order() -> None:
    assert {name: len(pack) for name, pack in PACKS.items()} == {"36": 36, "48": 48, "52": 52, "104": 104}
    assert " ".join(card_names(PACKS["52"][:14])) == "AC 2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC AD"
    assert " ".join(card_names(PACKS["36"][:10])) == "AC 6C 7C 8C 9C TC JC QC KC AD"
    assert " ".join(card_names(PACKS["48"][:13])) == "2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC 2D"
    assert card_names(PACKS["52"])[13::13] == ["AD", "AH", "AS"]
    assert PACKS["104"] == PACKS["52"] * 2


@examples(100)
@given(packs, seeds, rounds)
def test_a_shuffle_is_a_permutation_and_the_reference_s(pack: str, seed: str, round_: int) -> None:
    cards = shuffled(PACKS[pack], pack, seed, round_)
    assert sorted(cards) == sorted(PACKS[pack])
    assert card_names(cards) == table.shuffled(table.pack_of(pack), pack, seed, round_)


@examples(100)
@given(packs, seeds, rounds, st.data())
def test_another_seed_round_or_pack_gives_another_order(pack: str, seed: str, round_: int, data: st.DataObject) -> None:
    # 36 cards have 10^41 orders, so that two streams never agree by chance.
    other_seed = data.draw(seeds.filter(lambda other: other != seed))
    other_round = data.draw(rounds.filter(lambda other: other != round_))
    other_pack = data.draw(packs.filter(lambda other: other != pack))
    cards = PACKS["36"]
    orders = {
        shuffled(cards, pack, seed, round_),
        shuffled(cards, pack, other_seed, round_),
        shuffled(cards, pack, seed, other_round),
        shuffled(cards, other_pack, seed, round_),
    }
    assert len(orders) == 4


def test_case_counts() -> None:
    assert shuffled(PACKS["52"], "52", "Anna") != shuffled(PACKS["52"], "52", "anna")


def test_the_round_of_the_deal_itself_is_0() -> None:
    assert shuffled(PACKS["52"], "52", "1") == shuffled(PACKS["52"], "52", "1", 0)


@pytest.mark.parametrize("count", [0, 1])
def test_no_card_and_one_card_stay_as_they_are(count: int) -> None:
    assert shuffled(PACKS["52"][:count], "52", "1") == PACKS["52"][:count]


def _all_words(pack: str, seed: str) -> Iterator[int]:
    for counter in range(100):
        block = hashlib.sha256(f"pasyans-deal-1/{pack}/{seed}/0/{counter}".encode()).digest()
        yield from (int.from_bytes(block[at : at + 4], "big") for at in range(0, 32, 4))


def test_two_cards_swap_or_stay_by_the_first_word() -> None:
    # A number below 2 is the word's last bit; the only step of the shuffle swaps card 1 with that card.
    for seed in ("1", "2", "3", "4", "5", "6"):
        word = next(_all_words("52", seed))
        expected = b"\x00\x01" if word % 2 else b"\x01\x00"
        assert shuffled(b"\x00\x01", "52", seed) == expected
    assert {next(_all_words("52", seed)) % 2 for seed in "123456"} == {0, 1}


@pytest.mark.parametrize(
    ("words", "bound", "number", "left"),
    [
        ([2**32 - 1, 5, 7], 3, 2, 1),  # 2^32 mod 3 is 1: only the last word is thrown away
        ([2**32 - 2, 5, 7], 3, 2, 2),
        ([2**32 - 24, 2**32 - 1, 103, 9], 104, 103, 1),  # 2^32 mod 104 is 48
        ([2**32 - 48, 104, 9], 104, 0, 1),
        ([2**32 - 49, 104, 9], 104, 103, 2),
        ([2**32 - 1, 9], 2, 1, 1),  # a power of two throws nothing away
        ([2**32 - 1, 9], 1, 0, 1),
    ],
)
def test_a_word_that_would_make_small_numbers_likelier_is_thrown_away(
    words: list[int], bound: int, number: int, left: int
) -> None:
    stream = iter(words)
    assert next(found for word in stream if (found := _below(word, bound)) is not None) == number
    assert len(list(stream)) == left


def test_a_real_deal_in_which_a_word_is_thrown_away() -> None:
    # Found by search: one shuffle of 104 cards in about a million meets such a word.
    seed = "reject-6062885"
    words = list(_all_words("104", seed))
    assert words[70] == 4294967287
    assert words[70] >= 2**32 - 2**32 % 34  # step 70 asks for a number below 104 - 70
    order = list(PACKS["104"])
    numbers = words[:70] + words[71:]
    for step, last in enumerate(range(103, 0, -1)):
        other = numbers[step] % (last + 1)
        order[last], order[other] = order[other], order[last]
    assert shuffled(PACKS["104"], "104", seed) == bytes(order)


@pytest.mark.parametrize("variant", VARIANT_IDS)
@examples(10)
@given(st.data())
def test_a_deal_is_the_variant_and_the_seed(variant: str, data: st.DataObject) -> None:
    seed, other = data.draw(st.lists(seeds, min_size=2, max_size=2, unique=True))
    assert deal(VARIANTS[variant], seed) == deal(VARIANTS[variant], seed)
    assert deal(VARIANTS[variant], seed) != deal(VARIANTS[variant], other)
    assert deal(VARIANTS[variant], seed).redeals == 0


def test_games_of_one_pack_share_their_order_of_cards() -> None:
    # The pack's name is in the stream, the game's is not.
    assert len({deal(VARIANTS[id_], "1").piles[0][:50] for id_ in ("congress", "court", "forty-thieves")}) == 1


def test_a_redeal_shuffles_with_the_pack_s_own_stream() -> None:
    some = PACKS["52"][7:31]
    assert chance(VARIANTS["dolgiy"], "grandma")(2, some) == shuffled(some, "48", "grandma", 2)
    assert chance(VARIANTS["dolgiy-open"], "grandma")(1, some) == shuffled(some, "52", "grandma", 1)
