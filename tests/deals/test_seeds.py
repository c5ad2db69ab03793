"""What names a deal, and the commitment to it."""

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pasyans.deals.seeds import commitment, is_seed

from tests.support.games import SEED_LETTERS, examples, seeds


@pytest.mark.parametrize(
    "text",
    ["1", "A", "_", "~", "-", "...", ".a", "a.", "..a", "2026-11-29", "grandma", SEED_LETTERS[:64], "x" * 64, "0" * 32],
)
def test_a_seed_is_accepted(text: str) -> None:
    assert is_seed(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        ".",
        "..",
        "x" * 65,
        "1\n",
        "\n1",
        ".\n",
        "..\n",
        "a b",
        " a",
        "a ",
        "a/b",
        "a+b",
        "a%20",
        "a*",
        "a:b",
        "a\x00",
        "é",
        "seedé",
        "зерно",
        "١",  # an Arabic digit one
        "Ⅷ",
        "\u212a",  # the Kelvin sign, which folds to k
        "a\u200b",
        "😀",
    ],
)
def test_a_seed_is_refused(text: str) -> None:
    assert not is_seed(text)


@examples(200)
@given(seeds)
def test_every_text_of_the_letters_is_a_seed(text: str) -> None:
    assert is_seed(text)


@examples(200)
@given(st.text(max_size=70))
def test_a_text_with_any_other_letter_is_none(text: str) -> None:
    allowed = set(SEED_LETTERS)
    assert is_seed(text) == (0 < len(text) <= 64 and set(text) <= allowed and text not in (".", ".."))


def test_the_commitment_is_a_hash_that_anybody_can_make() -> None:
    expected = hashlib.sha256(b"pasyans-commit-1/0123456789abcdef0123456789abcdef").hexdigest()
    assert commitment("0123456789abcdef0123456789abcdef") == expected
    assert commitment("grandma") == "cf17293614f8800b3b2a5ee424bf046f187196197e23b4cb48d28e28e26c6b86"
    assert commitment("Grandma") != commitment("grandma")
