"""Boards as SVG: what is on them, where, in which words, and that nothing else is."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pasyans.api.drawing import faces
from pasyans.api.drawing.board import draw
from pasyans.api.drawing.words import card_name, describe
from pasyans.deals.deal import deal
from pasyans.engine.cards import CARD_NAMES
from pasyans.engine.families import rules_of
from pasyans.engine.layout import Layout, Zone
from pasyans.engine.position import Position
from pasyans.engine.variant import Text
from pasyans.engine.view import PileView
from pasyans.games.catalogue import VARIANTS

from tests.support.games import GAP, VARIANT_IDS, examples, grid, lines, piled

SVG = "{http://www.w3.org/2000/svg}"
CARD = re.compile(r"#([A2-9TJQK][CDHS])(?:-[dr])?")
WIDTH, HEIGHT = 60, 84


@dataclass
class Drawn:
    """A picture, taken apart: the ``use`` elements of each pile by its id, and its empty places."""

    root: ET.Element
    piles: dict[str, list[ET.Element]]
    places: dict[str, list[ET.Element]]

    def cards(self, pile: str) -> list[str]:
        """The cards of a pile that face up, in the order of drawing."""
        return [found[1] for use in self.piles[pile] if (found := CARD.fullmatch(use.attrib["href"]))]

    def backs(self, pile: str) -> int:
        return sum(use.attrib["href"] == "#back" for use in self.piles[pile])

    def count(self, pile: str) -> str:
        """The number on a pile, as it stands there."""
        return "".join(use.attrib["href"][2:] for use in self.piles[pile] if use.attrib["href"].startswith("#d"))

    @property
    def size(self) -> tuple[float, float]:
        _, _, width, height = map(float, self.root.attrib["viewBox"].split())
        return width, height


def parsed(svg: str) -> Drawn:
    root = ET.fromstring(svg)  # noqa: S314 - our own
    groups = {group.attrib["id"]: group for group in root.findall(f"{SVG}g")}
    return Drawn(
        root,
        {id_: group.findall(f".//{SVG}use") for id_, group in groups.items()},
        {id_: group.findall(f"{SVG}rect[@class='p']") for id_, group in groups.items()},
    )


def picture(variant: str, position: Position) -> str:
    rules = rules_of(VARIANTS[variant])
    return draw(VARIANTS[variant].name.en, rules.layout, rules.view(position))


def at(use: ET.Element) -> tuple[float, float]:
    return float(use.attrib["x"]), float(use.attrib["y"])


# ---- laws, of every game


def whole(svg: str) -> Drawn:
    """The picture, which stands alone: it refers to nothing but its own parts, runs nothing and needs no font."""
    drawn = parsed(svg)
    elements = list(drawn.root.iter())
    ids = Counter(element.attrib["id"] for element in elements if "id" in element.attrib)
    assert max(ids.values()) == 1
    assert {element.tag.removeprefix(SVG) for element in elements} <= {
        *("svg", "title", "desc", "style", "defs", "pattern", "g", "path", "rect", "use")
    }
    for element in elements:
        assert not [name for name in element.attrib if name.startswith("on") or name in ("style", "src")]
        if "href" in element.attrib:
            assert element.attrib["href"][0] == "#"
            assert element.attrib["href"][1:] in ids
    assert set(re.findall(r"url\(([^)]*)\)", svg)) <= {"#lattice"}
    assert not re.search(r"https?:(?!//www\.w3\.org/2000/svg\")|@import|font|<!|<\?", svg)
    defined = drawn.root.findall(f"{SVG}defs/*[@id]")
    used = {element.attrib["href"][1:] for element in elements if "href" in element.attrib} | {"lattice"}
    assert {each.attrib["id"] for each in defined} <= used, "what is defined is used"
    return drawn


def expected(layout: Layout, piles: Sequence[PileView]) -> dict[str, tuple[list[str], int, int, str]]:
    """Of each pile, what a player sees of it: cards, backs, empty places, the number on it."""
    fans = {id_: zone.fan for zone in layout.zones for id_ in zone.piles}
    found: dict[str, tuple[list[str], int, int, str]] = {}
    for pile in piles:
        if pile.kind == "row":
            found[pile.id] = ([card for card in pile.cards if card != GAP], 0, pile.cards.count(GAP), "")
        elif fans[pile.id] == "none":
            number = str(pile.hidden) if pile.hidden else ""
            found[pile.id] = (pile.cards[-1:], min(pile.hidden, 1), not (pile.hidden or pile.cards), number)
        else:
            found[pile.id] = (pile.cards, pile.hidden, not (pile.hidden or pile.cards), "")
    return found


@pytest.mark.parametrize("variant", VARIANT_IDS)
@examples(20)
@given(data=st.data())
def test_a_picture_shows_what_a_player_sees_once_and_nothing_else(variant: str, data: st.DataObject) -> None:
    line = data.draw(lines(variant))
    rules = line.rules
    opening = parsed(picture(variant, line.positions[0]))
    for position in (line.positions[0], line.position):
        view = rules.view(position)
        svg = picture(variant, position)
        assert svg == draw(VARIANTS[variant].name.en, rules.layout, rules.view(position)), "the same again"
        drawn = whole(svg)
        shown = {
            id_: (drawn.cards(id_), drawn.backs(id_), len(drawn.places[id_]), drawn.count(id_)) for id_ in drawn.piles
        }
        assert shown == expected(rules.layout, view)
        unseen = set(CARD_NAMES) - {card for pile in view for card in pile.cards}
        assert not [card for card in unseen if re.search(rf"\b{card}\b|\b{card_name(card)}\b", svg)]
        assert drawn.size == opening.size, "every picture of a game has one size"
        width, height = drawn.size
        for use in (use for uses in drawn.piles.values() for use in uses if "y" in use.attrib):
            if not use.attrib["href"].startswith("#d"):
                x, y = at(use)
                assert 0 < x < x + WIDTH < width
                assert 0 < y < y + HEIGHT < height


@pytest.mark.parametrize("variant", VARIANT_IDS)
def test_no_two_piles_lie_on_one_another(variant: str) -> None:
    drawn = parsed(picture(variant, deal(VARIANTS[variant], "hello")))
    taken: set[tuple[float, float]] = set()
    for id_, uses in drawn.piles.items():
        corners = {at(use) for use in uses if not use.attrib["href"].startswith("#d")}
        corners |= {at(place) for place in drawn.places[id_]}
        for x, y in taken:
            assert not [corner for corner in corners if abs(corner[0] - x) < WIDTH and abs(corner[1] - y) < 9], id_
        taken |= corners


@pytest.mark.parametrize("variant", [id_ for id_ in VARIANT_IDS if not id_.startswith("dolgiy")])
def test_equal_views_are_equal_pictures_whatever_lies_face_down(variant: str) -> None:
    rules = rules_of(VARIANTS[variant])
    opening = deal(VARIANTS[variant], "hello")
    stock = rules.pile_ids.index("s")
    piles = list(opening.piles)
    piles[stock] = piles[stock][::-1]
    other = Position(tuple(piles))
    assert other != opening
    assert rules.view(other) == rules.view(opening)
    assert picture(variant, other).encode() == picture(variant, opening).encode()


@pytest.mark.parametrize("variant", VARIANT_IDS)
def test_a_picture_is_small(variant: str) -> None:
    """With every card in sight: a whole game laid out in fanned columns, or a grid."""
    assert len(picture(variant, deal(VARIANTS[variant], "hello"))) < 12_500


# ---- columns


def column(*cards: str, hidden: int = 0, fan: str = "down", columns: int = 1) -> Drawn:
    zone = Zone("t", "tableau", Text("Tableau", ""), fan, ("t1",), row=0, column=0, rows=1, columns=columns)
    return whole(draw("Column", Layout(1, columns, (zone,)), [PileView("t1", "tableau", hidden, list(cards))]))


def steps(drawn: Drawn, axis: int) -> list[float]:
    places = [at(use)[axis] for use in drawn.piles["t1"]]
    return [round(after - before, 2) for before, after in pairwise(places)]


def test_a_column_lies_fanned_and_a_long_one_is_pushed_together() -> None:
    assert steps(column(*CARD_NAMES[:3]), 1) == [24, 24]
    assert steps(column(*CARD_NAMES[:3], hidden=2), 1) == [9, 9, 24, 24]
    assert steps(column(*CARD_NAMES[:13]), 1) == [24] * 12
    assert steps(column(*CARD_NAMES[:17]), 1) == [18] * 16
    long = column(*CARD_NAMES, hidden=12)
    (bottom, top) = (at(use)[1] for use in (long.piles["t1"][0], long.piles["t1"][-1]))
    assert (len(long.piles["t1"]), bottom, top) == (64, 12, 12 + 288)
    assert min(steps(long, 1)) > 0
    assert long.size == column("AS").size == (84, 12 + 84 + 288 + 12)


def test_a_pile_that_is_fanned_to_the_right_takes_the_room_there_is() -> None:
    assert steps(column("AS", "2S", "3S", fan="right", columns=3), 0) == [22, 22]
    wide = column(*CARD_NAMES[:13], fan="right", columns=3)
    assert at(wide.piles["t1"][-1])[0] == 12 + 2 * 68
    assert wide.size == (220.0, 108.0)
    assert steps(column("AS", "2S", fan="right", columns=1), 0) == [0]


# ---- literally


def test_a_board_literally() -> None:
    position = piled(
        "vokzal-36",
        s="6C 7C 8C",
        w="KD QS",
        r="TC AC",
        f1="6H 7H",
        t1="JH TS",
        t2="9D",
        t4="KS",
    )
    svg = picture("vokzal-36", position)
    drawn = whole(svg)
    assert drawn.root.attrib == {
        "width": "492",
        "height": "492",
        "viewBox": "0 0 492 492",
        "role": "img",
        "aria-labelledby": "title desc",
        "lang": "en",
    }
    assert '<title id="title">Vokzal (36 cards)</title>' in svg
    assert (
        '<desc id="desc">Stock: 3 face down. Waste: queen of spades on 1 more. '
        "Reserve: ace of clubs on 1 face down. "
        "Foundations: f1 7 of hearts on 1 more; f2 empty; f3 empty; f4 empty. "
        "Tableau: t1 jack of hearts, 10 of spades; t2 9 of diamonds; t3 empty; t4 king of spades.</desc>"
    ) in svg
    assert '<g id="w"><use href="#QS" x="80" y="12"/></g>' in svg
    assert '<g id="f1"><use href="#7H" x="216" y="12"/></g>' in svg
    assert '<g id="f2"><rect class="p" x="284" y="12" width="60" height="84" rx="6"/></g>' in svg
    assert '<g id="t1"><use href="#JH-d" x="80" y="108"/><use href="#TS-d" x="80" y="132"/></g>' in svg
    assert '<g id="t2"><use href="#9D-d" x="148" y="108"/></g>' in svg
    assert '<g id="r"><use href="#back" x="148" y="12"/><use href="#AC" x="148" y="18"/><g class="n" ' in svg
    assert '<g id="AC" class="k"><use href="#bC"/><use href="#nA"/></g>' in svg
    assert '<g id="QS" class="k"><use href="#bS"/><use href="#nQ"/></g>' in svg
    assert '<g id="9D-d" class="r"><use href="#bD-d"/><use href="#n9-d"/></g>' in svg
    assert '<g id="JH-d" class="r"><use href="#bH-d"/><use href="#nJ-d"/></g>' in svg
    for covered in ("KD", "TC", "6H"):
        assert covered not in svg


def test_a_grid_in_words() -> None:
    position = grid(
        "AS -- 3S 4S 5S 6S 7S 8S 9S TS JS QS KS 2S",
        "AC 2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC --",
        "AD 2D 3D 4D 5D 6D 7D 8D 9D TD JD QD KD --",
        "AH 2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH --",
    )
    rules = rules_of(VARIANTS["dolgiy"])
    told = describe(rules.layout, rules.view(position))
    assert told.startswith("Rows: a ace of spades, gap, 3 of spades, 4 of spades, ")
    assert told.endswith("10 of hearts, jack of hearts, queen of hearts, king of hearts, gap.")
    assert parsed(picture("dolgiy", position)).size == (24 + 14 * 68 - 8, 24 + 4 * 96 - 12)


# ---- colours


def luminance(colour: str) -> float:
    """The relative luminance of `#rgb` or `#rrggbb`, as WCAG has it."""
    digits = colour[1:] if len(colour) == 7 else "".join(2 * digit for digit in colour[1:])
    parts = [int(digits[index : index + 2], 16) / 255 for index in (0, 2, 4)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def colours(style: str) -> dict[str, str]:
    return {
        f"{name}.{key}": value
        for name, rules in re.findall(r"\.(\w)\{([^}]*)\}", style)
        for key, value in (rule.split(":") for rule in rules.split(";"))
    }


def test_cards_are_read_easily_in_light_and_dark() -> None:
    light_style, dark_style = faces.STYLE.split("@media(prefers-color-scheme:dark){")
    light = colours(light_style)
    dark = light | colours(dark_style)
    assert len(light) >= 10
    for theme in (light, dark):
        for ink in ("k.color", "r.color"):
            assert contrast(theme[ink], theme["f.fill"]) > 4.5
        assert contrast(theme["n.color"], theme["o.fill"]) > 4.5
        assert contrast(theme["f.fill"], theme["f.stroke"]) > 1.9
        assert contrast(theme["p.stroke"], theme["t.fill"]) > 1.5
    assert luminance(light["t.fill"]) > 0.5 > 0.05 > luminance(dark["t.fill"])
    assert light["k.color"] != light["r.color"] != dark["r.color"]
