"""What the rules pages show is true: the drawings are the deals that they name, and the examples can be played."""

import re
from collections.abc import Iterator
from itertools import groupby

import pytest
from markdown_it.token import Token
from pasyans.deals.deal import chance, deal
from pasyans.engine.families import rules_of
from pasyans.engine.position import Position
from pasyans.engine.rules import Rules
from pasyans.engine.variant import PileVariant

from tests.engine import test_worked_examples
from tests.games.test_pages import LANGUAGES, MODULES, form, tokens, variant
from tests.support.games import grid, table_of

PILES = [game for game in MODULES if isinstance(variant(game), PileVariant)]
GRIDS = [game for game in MODULES if game not in PILES]
EXAMPLE = {"en": "Example: ", "ru": "Пример: "}
SEED = re.compile(r"seed\b[^`]*`([^`]+)`")
CARD = re.compile(r"\b[A2-9TJQK][CDHS]\b")
PILE = re.compile(r"\b(?:[swr]|[ft][0-9]+)\b")
# The deal of the example in the rules has no seed.
VOKZAL_36 = test_worked_examples.TestVokzal.OPENING


def codes(token: Token) -> list[str]:
    """The inline code in a stretch of text."""
    return [child.content for child in token.children or () if child.type == "code_inline"]


def cards_in(token: Token) -> list[str]:
    return [code for code in codes(token) if CARD.fullmatch(code)]


def stretches(game: str, language: str) -> Iterator[tuple[str, list[Token]]]:
    """The page from one heading to the next: the heading, then the drawings and the stretches of text."""
    title = ""
    kept = [token for token in tokens(game, language) if token.type in ("heading_open", "inline", "fence")]
    for is_heading, run in groupby(kept, lambda token: token.type == "heading_open"):
        found = list(run)
        if not is_heading:
            title, rest = found[0].content, found[1:]
            yield title, rest


def drawn_piles(drawing: str) -> tuple[dict[str, list[str]], dict[str, int]]:
    """The cards of each pile that a drawing shows, from the top of the page down, and how many it says lie closed."""
    shown: dict[str, list[str]] = {}
    closed: dict[str, int] = {}
    heads: dict[int, str] = {}
    for line in drawing.splitlines():
        if PILE.search(line):
            heads = {found.start(): found.group() for found in PILE.finditer(line)}
            shown |= {pile: [] for pile in heads.values()}
            continue
        for found in CARD.finditer(line):
            shown[heads[found.start()]].append(found.group())
        for found in re.finditer(r"([A2-9TJQK][CDHS]) \+([0-9]+)", line):
            closed[heads[found.start()]] = int(found.group(2))
    return shown, closed


def opening(game: str, language: str) -> tuple[Position, Token, list[Token], list[Token]]:
    """The deal of the example; the words that introduce it, its steps, and what is said after them."""
    [section] = [found for title, found in stretches(game, language) if any(_begins(each, language) for each in found)]
    at = next(index for index, token in enumerate(section) if _begins(token, language))
    steps = [token for token in section[at + 1 :] if token.level > 1]
    seed = SEED.search(section[at].content)
    assert seed is not None or game == "vokzal_36"
    position = deal(variant(game), seed.group(1)) if seed else VOKZAL_36
    return position, section[at], steps, section[at + 1 + len(steps) :]


def _begins(token: Token, language: str) -> bool:
    return token.type == "inline" and token.content.startswith(EXAMPLE[language])


def in_sight(rules: Rules, position: Position) -> set[str]:
    """The cards that a person sees lie on top, and all of the waste."""
    piles = table_of(rules, position).piles
    return {cards[-1] for id_, cards in piles.items() if cards and id_ != "s"} | set(piles["w"])


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", PILES)
class TestPiles:
    def test_the_drawing_is_the_deal_of_the_example(self, game: str, language: str) -> None:
        position, *_ = opening(game, language)
        table = table_of(rules_of(variant(game)), position).piles
        [drawing] = [token.content for token in tokens(game, language) if token.type == "fence"]
        shown, closed = drawn_piles(drawing)
        assert list(shown) == ["s", "w", *(id_ for id_ in table if id_[0] == "f"), *_rest(table)]
        for pile, cards in shown.items():
            seen = table[pile][-1:] if pile == "r" else [] if pile == "s" else table[pile]
            assert (pile, cards) == (pile, seen)
        assert closed == ({"r": len(table["r"]) - 1} if "r" in table else {})

    def test_the_cards_that_come_next_are_those_of_the_deal(self, game: str, language: str) -> None:
        position, words, *_ = opening(game, language)
        table = table_of(rules_of(variant(game)), position).piles
        named = cards_in(words)
        pile = table["r"][::-1] if "r" in table else table["s"][::-1]
        start = pile.index(named[0])
        assert start < 2
        assert named == pile[start : start + len(named)]

    def test_the_steps_can_be_played_and_tell_the_cards_that_move(self, game: str, language: str) -> None:
        data = variant(game)
        rules = rules_of(data)
        position, _, steps, after = opening(game, language)
        assert len(steps) >= 4
        for step in steps:
            named, told = set(cards_in(step)), in_sight(rules, position)
            for move in filter(form, codes(step)):
                assert move in rules.legal_moves(position), step.content
                before = table_of(rules, position).piles
                position = rules.play(position, move, chance(data, "none"))
                told |= in_sight(rules, position)
                source, _, target = move.partition("*")[0].partition("-")
                piles = table_of(rules, position).piles
                moved = set(piles[target][len(before[target]) :]) if target else set()
                assert moved <= named, step.content
                told |= moved
                if not target and source == "draw" and "draw" not in codes(step)[codes(step).index(move) + 1 :]:
                    assert piles["w"][-1] in named, step.content
            assert named <= told, step.content
        for words in after:
            assert set(filter(form, codes(words))) <= set(rules.legal_moves(position)), words.content
            assert set(cards_in(words)) <= in_sight(rules, position), words.content


def _rest(table: dict[str, list[str]]) -> list[str]:
    return [id_ for id_ in table if id_[0] in "rt"]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", GRIDS)
class TestGrids:
    def test_the_drawings_have_the_whole_pack(self, game: str, language: str) -> None:
        drawings = [token.content for token in tokens(game, language) if token.type == "fence"]
        assert len(drawings) >= 5
        for drawing in drawings:
            rows = _rows(drawing)
            cards = [cell for row in rows for cell in row.split() if cell != "--"]
            assert [len(row.split()) for row in rows] == [14] * 4
            assert len(cards) == len(set(cards)) == 52

    def test_the_lists_of_legal_moves_are_right_and_whole(self, game: str, language: str) -> None:
        """Each is that of a position which moves named before it, in their order, lead to from what is drawn."""
        rules = rules_of(variant(game))
        first = next(token.content for token in tokens(game, language) if token.type == "fence")
        lists = 0
        for _, section in stretches(game, language):
            drawings = [token.content for token in section if token.type == "fence"]
            reached = [grid(*_rows(drawings[0] if drawings else first))]
            for words in section:
                for code in codes(words):
                    moves = code.split()
                    if len(moves) > 1 and all(map(form, moves)):
                        lists += 1
                        assert moves in [rules.legal_moves(position) for position in reached], code
                    elif form(code) == "cell-cell":
                        able = [position for position in reached if code in rules.legal_moves(position)]
                        reached += [rules.play(position, code, chance(variant(game), "none")) for position in able]
        assert lists >= 6


def _rows(drawing: str) -> list[str]:
    return [line.strip()[1:] for line in drawing.splitlines()[1:]]
