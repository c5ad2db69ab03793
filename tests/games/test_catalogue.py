"""The catalogue: what is in it, and what is not."""

from pathlib import Path

import pytest
from pasyans import games
from pasyans.engine.families import rules_of
from pasyans.engine.variant import Text, Variant
from pasyans.games import catalogue
from pasyans.games.catalogue import LANGUAGES, VARIANTS, UnknownVariant, rules_page, variant

FOLDER = Path(games.__path__[0])
MODULES = sorted(path.stem for path in FOLDER.glob("*.py") if path.stem not in ("__init__", "catalogue"))


def test_the_eight_games_of_the_rules_are_in_it() -> None:
    assert set(VARIANTS) >= {
        "congress",
        "court",
        "forty-thieves",
        "forty-and-eight",
        "vokzal-36",
        "vokzal-52",
        "dolgiy",
        "dolgiy-open",
    }


def test_every_module_is_a_game_under_its_own_name() -> None:
    assert [id_.replace("-", "_") for id_ in VARIANTS] == MODULES
    assert {id_: found.id for id_, found in VARIANTS.items()} == {id_: id_ for id_ in VARIANTS}


def test_they_are_in_the_order_of_their_ids() -> None:
    assert list(VARIANTS) == sorted(VARIANTS)


def test_the_catalogue_can_not_be_changed() -> None:
    with pytest.raises(TypeError):
        VARIANTS["new"] = VARIANTS["congress"]  # type: ignore[index]


@pytest.mark.parametrize(
    ("id_", "cards", "redeals"),
    [
        ("congress", 104, 0),
        ("court", 104, 2),
        ("forty-thieves", 104, 0),
        ("forty-and-eight", 104, 1),
        ("vokzal-36", 36, None),
        ("vokzal-52", 52, None),
        ("dolgiy", 52, 2),
        ("dolgiy-open", 52, 2),
    ],
)
def test_the_cards_and_the_redeals(id_: str, cards: int, redeals: int | None) -> None:
    assert (VARIANTS[id_].cards, VARIANTS[id_].redeals, VARIANTS[id_].rules) == (cards, redeals, 1)


@pytest.mark.parametrize("id_", VARIANTS)
def test_every_game_says_what_it_is_in_both_languages(id_: str) -> None:
    for text in (VARIANTS[id_].name, VARIANTS[id_].summary):
        assert text.en.isascii()
        assert any("а" <= letter <= "я" for letter in text.ru.lower())
    assert VARIANTS[id_].summary.en.endswith(".")
    assert VARIANTS[id_].summary.ru.endswith(".")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("id_", VARIANTS)
def test_every_game_has_a_rules_page_in_both_languages(id_: str, language: str) -> None:
    page = rules_page(id_, language)
    assert page.startswith("# ")
    assert page.endswith("\n")
    assert len(page) > 500


def test_no_page_is_without_its_game() -> None:
    pages = sorted(path.name for path in FOLDER.glob("*.md"))
    assert pages == sorted(f"{module}.{language}.md" for module in MODULES for language in LANGUAGES)


@pytest.mark.parametrize("id_", ["", "klondike", "Congress", "forty_thieves", "congress ", "../congress", "catalogue"])
def test_an_unknown_variant_is_refused_by_name(id_: str) -> None:
    for ask in (lambda: variant(id_), lambda: variant(id_, 1), lambda: rules_page(id_, "en")):
        with pytest.raises(UnknownVariant) as error:
            ask()
        assert str(error.value).startswith(f"There is no variant {id_!r}; there are: congress, court, ")
        assert str(error.value).endswith(".")


@pytest.mark.parametrize("rules", [0, 2, -1, 10**9])
def test_an_unknown_rules_number_is_refused(rules: int) -> None:
    with pytest.raises(UnknownVariant) as error:
        variant("congress", rules)
    assert str(error.value) == f"congress has no rules number {rules}; there is: 1."


def test_a_variant_is_found_with_and_without_its_rules_number() -> None:
    assert variant("congress") is variant("congress", 1) is catalogue.VARIANTS["congress"]


def test_rules_are_made_once() -> None:
    assert rules_of(VARIANTS["congress"]) is rules_of(VARIANTS["congress"])


def test_a_variant_of_no_family_has_no_rules() -> None:
    with pytest.raises(TypeError, match="Variant is no known family of games"):
        rules_of(Variant(id="x", name=Text("x", "х"), summary=Text("x", "х"), pack="52"))
