"""The rules pages: the English and the Russian page of a game say the same, in the same order."""

import re
from importlib import import_module
from itertools import pairwise
from pathlib import Path

import pytest
from markdown_it import MarkdownIt
from markdown_it.token import Token
from pasyans.engine.variant import Lift, PileVariant, Variant

GAMES = Path(__file__).resolve().parents[2] / "service" / "pasyans" / "games"
LANGUAGES = ("en", "ru")
MODULES = sorted(path.stem for path in GAMES.glob("*.py") if path.stem not in {"__init__", "catalogue"})

PATTERNS = {
    "draw": r"draw",
    "redeal": r"redeal",
    "w-t": r"w-t\d+",
    "w-f": r"w-f\d*",
    "r-t": r"r-t\d+",
    "r-f": r"r-f\d*",
    "t-t": r"t\d+-t\d+",
    "t-f": r"t\d+-f\d*",
    "t-t*n": r"t\d+-t\d+\*\d+",
    "cell-cell": r"[a-d]\d+-[a-d]\d+",
}
LOOKS_LIKE_A_MOVE = re.compile(r"[\w*]+-[\w*]+")

# Only the grid games have a section of worked positions; see `sections`.
SECTIONS = {
    "en": [
        "The goal",
        "What you need",
        "The deal",
        "Moves",
        "Redeals",
        "Won and stuck",
        "Score",
        "Choices",
        "How moves are written",
        "Worked positions",
        "How hard it is",
        "Tips",
        "Origin and variants",
    ],
    "ru": [
        "Цель игры",
        "Что нужно",
        "Раскладка",
        "Ходы",
        "Пересдачи",
        "Выигрыш и тупик",
        "Счёт",
        "Принятые решения",
        "Запись ходов",
        "Разобранные положения",
        "Сложность",
        "Советы",
        "Происхождение и варианты",
    ],
}
WORKED = {"Worked positions", "Разобранные положения"}
RATES = {
    "congress": "80 %",
    "court": "100 %",
    "forty_thieves": "41 %",
    "forty_and_eight": "75 %",
    "vokzal_36": "87 %",
    "vokzal_52": "54 %",
    "dolgiy": "74 %",
    "dolgiy_open": "68 %",
}
CHOICE = {"en": "**Choice**: ", "ru": "**Решение**: "}


def variant(game: str) -> Variant:
    found: Variant = import_module(f"pasyans.games.{game}").GAME
    return found


def forms(game: str) -> set[str]:
    """The forms that moves of the game have, read off its data."""
    data = variant(game)
    redeal = set() if data.redeals == 0 else {"redeal"}
    if not isinstance(data, PileVariant):
        return {"cell-cell"} | redeal
    reserve = {"r-t", "r-f"} if data.reserve else set()
    columns = {"t-t*n"} if data.lift is Lift.CARD_OR_WHOLE_COLUMN else set()
    return {"draw", "w-t", "w-f", "t-t", "t-f"} | redeal | reserve | columns


def text(game: str, language: str) -> str:
    return (GAMES / f"{game}.{language}.md").read_text(encoding="utf-8")


def tokens(game: str, language: str) -> list[Token]:
    return MarkdownIt("commonmark").enable("table").parse(text(game, language))


def headings(game: str, language: str) -> list[tuple[str, str]]:
    """The headings in order, each as its tag (`h1`…) and its text."""
    parsed = tokens(game, language)
    return [(opening.tag, title.content) for opening, title in pairwise(parsed) if opening.type == "heading_open"]


def form(word: str) -> str | None:
    """The form of the move that a word of inline code writes, or None where it is no move."""
    for name, pattern in PATTERNS.items():
        if re.fullmatch(pattern, word):
            return name
    assert not LOOKS_LIKE_A_MOVE.fullmatch(word), f"{word} is written like a move, but no game has it"
    return None


def moves_by_section(game: str, language: str) -> list[list[str]]:
    """The moves in inline code, in order, for each stretch from one heading to the next."""
    sections: list[list[str]] = [[]]
    for token in tokens(game, language):
        if token.type == "heading_open":
            sections.append([])
        for child in token.children or ():
            if child.type == "code_inline":
                sections[-1].extend(word for word in child.content.split() if form(word))
    return sections


def test_every_game_has_its_page_in_both_languages_and_no_page_is_left_over() -> None:
    pages = {path.name for path in GAMES.glob("*.md")}
    assert pages == {f"{game}.{language}.md" for game in MODULES for language in LANGUAGES}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", MODULES)
class TestPage:
    def test_it_opens_with_its_only_first_level_heading(self, game: str, language: str) -> None:
        assert re.match(r"# \S", text(game, language))
        assert [tag for tag, _ in headings(game, language)].count("h1") == 1

    def test_it_has_the_common_sections_in_their_order(self, game: str, language: str) -> None:
        found = [title for tag, title in headings(game, language) if tag == "h2"]
        worked = not isinstance(variant(game), PileVariant)
        assert found == [title for title in SECTIONS[language] if worked or title not in WORKED]

    def test_no_line_of_prose_is_over_160_characters(self, game: str, language: str) -> None:
        drawn = {
            line
            for token in tokens(game, language)
            if token.type == "fence" and token.map
            for line in range(*token.map)
        }
        lines = text(game, language).splitlines()
        assert [n + 1 for n, line in enumerate(lines) if n not in drawn and len(line) > 160] == []

    def test_it_names_the_moves_that_the_game_has_and_no_other(self, game: str, language: str) -> None:
        named = {form(move) for section in moves_by_section(game, language) for move in section}
        assert named == forms(game)


@pytest.mark.parametrize("game", MODULES)
class TestPair:
    def test_the_headings_have_the_same_levels(self, game: str) -> None:
        english, russian = ([tag for tag, _ in headings(game, language)] for language in LANGUAGES)
        assert english == russian

    def test_each_section_has_the_same_moves_in_the_same_order(self, game: str) -> None:
        english, russian = (moves_by_section(game, language) for language in LANGUAGES)
        assert english == russian

    def test_the_drawings_are_the_same(self, game: str) -> None:
        english, russian = (
            [token.content for token in tokens(game, language) if token.type == "fence"] for language in LANGUAGES
        )
        assert english
        assert english == russian

    def test_the_choices_are_as_many(self, game: str) -> None:
        english, russian = (text(game, language).count(CHOICE[language]) for language in LANGUAGES)
        assert english == russian
        assert english >= 3

    def test_the_rate_of_wins_is_the_same(self, game: str) -> None:
        """A search gave those of the first eight games; a page without one says nothing rather than guess."""
        english, russian = (re.findall(r"\d+ %", text(game, language)) for language in LANGUAGES)
        assert english == russian
        assert english == [RATES[game]] if game in RATES else len(english) <= 1
