"""The family of pile games: stock, waste, perhaps a reserve, foundations and a tableau."""

from typing import Final

from pasyans.engine.cards import ACE, CARD_NAMES, IS_RED, KING, RANK_OF, SUIT_OF, card_names
from pasyans.engine.errors import REASON_ORDER, IllegalMove, Reason
from pasyans.engine.finish import foundation_line
from pasyans.engine.layout import numbered, pile_layout
from pasyans.engine.notation import DRAW, REDEAL, parse_transfer
from pasyans.engine.position import Pile, Position
from pasyans.engine.rules import Chance, Rules, Transfers
from pasyans.engine.sentences import refuse
from pasyans.engine.tables import NO_CARD, below_table, onto_table
from pasyans.engine.variant import Build, EmptyColumn, Lift, PileVariant
from pasyans.engine.view import PileKind, PileView

STOCK: Final = 0
WASTE: Final = 1
RESERVE: Final = 2
NO_PILE: Final = -1

_SEEN_AT_MOST: Final = 4096
_ONE_BYTE: Final = tuple(bytes((card,)) for card in range(52))


class PileRules(Rules):
    """The rules of one pile game.

    The piles of a position are the stock, the waste, the reserve where there is one, the foundations, the tableau.
    """

    def __init__(self, variant: PileVariant) -> None:
        held = ("s", "w", "r") if variant.reserve else ("s", "w")
        foundations = numbered("f", variant.foundations)
        pile_ids = held + foundations + numbered("t", variant.columns)
        super().__init__(variant, pile_ids, pile_layout(variant), coverable=len(held))
        self.game = variant
        self._reserve = RESERVE if variant.reserve else NO_PILE
        self._first_foundation = len(held)
        self._first_column = len(held) + len(foundations)
        self._index = {name: index for index, name in enumerate(self.pile_ids)}
        self._foundations = tuple(range(self._first_foundation, self._first_column))
        self._columns = tuple(range(self._first_column, len(self.pile_ids)))
        self._below = below_table(variant.pack)
        self._onto = onto_table(variant.pack, variant.build)
        self._any_card_fills = variant.empty_column is EmptyColumn.ANY_CARD
        self._whole_columns = variant.lift is Lift.CARD_OR_WHOLE_COLUMN
        self._kinds = tuple(_KINDS[name[0]] for name in self.pile_ids)
        # A move changes two piles; the others look as they did.
        self._seen: dict[tuple[int, int, Pile], PileView] = {}
        self._known: tuple[tuple[Pile, ...], list[str]] = ((), [])
        # A pair of piles as a move, and back: what most moves need, without splitting a string.
        self._names = tuple(tuple(f"{source}-{target}" for target in self.pile_ids) for source in self.pile_ids)
        self._parsed = {
            self._names[source][target]: (source, target, 1)
            for source in range(len(self.pile_ids))
            for target in range(len(self.pile_ids))
        }

    # Dealing

    def deal(self, pack: bytes) -> Position:
        columns, game = self.game.columns, self.game
        dealt = columns * game.column_cards
        tableau = [pack[column:dealt:columns] for column in range(columns)]
        reserve = [pack[dealt : dealt + game.reserve]] if game.reserve else []
        stock = pack[: dealt + game.reserve - 1 : -1]  # the next card drawn comes last
        return Position((stock, b"", *reserve, *(b"" for _ in self._foundations), *tableau))

    # Moves

    def legal_moves(self, position: Position) -> list[str]:
        moves = self._card_moves(position.piles).copy()
        if position.piles[STOCK]:
            moves.append(DRAW)
        elif position.piles[WASTE] and self._redeal_left(position):
            moves.append(REDEAL)
        moves.sort()
        return moves

    def play(self, position: Position, move: str, chance: Chance) -> Position:
        piles = position.piles
        parsed = self._parsed.get(move)
        if parsed is None:
            if move == DRAW:
                return self._draw(position)
            if move == REDEAL:
                return self._redeal(position)
            parsed = self._parse(move)
        source, target, count = parsed
        reason = self._refusal(piles, source, target, count)
        if reason is not None:
            raise self._refuse(piles, move, reason, source, target, count)
        after = list(piles)
        if count == 1:
            after[source] = piles[source][:-1]
            after[target] = piles[target] + _ONE_BYTE[piles[source][-1]]
        else:
            after[source] = piles[source][:-count]
            after[target] = piles[target] + piles[source][-count:]
        return Position(tuple(after), position.redeals)

    def transfers(self, before: Position, move: str, after: Position) -> Transfers:
        if move == DRAW:
            height, base = len(before.piles[STOCK]), len(before.piles[WASTE])
            drawn = height - len(after.piles[STOCK])
            return {(STOCK, height - 1 - n): (WASTE, base + n) for n in range(drawn)}
        if move == REDEAL:
            last = len(before.piles[WASTE]) - 1
            return {(WASTE, n): (STOCK, last - n) for n in range(last + 1)}
        source, target, count = self._parsed.get(move) or self._parse(move)
        left, base = len(after.piles[source]), len(before.piles[target])
        return {(source, left + n): (target, base + n) for n in range(count)}

    def expand(self, position: Position, move: str) -> str:
        source, dash, target = move.partition("-")
        if not dash or target != "f" or source not in self._index:
            return move
        piles, index = position.piles, self._index[source]
        closest = self._foundations[0]
        nearest = -1
        for foundation in self._foundations:
            reason = self._refusal(piles, index, foundation, 1)
            if reason is None:
                return self._names[index][foundation]
            if REASON_ORDER.index(reason) > nearest:
                nearest, closest = REASON_ORDER.index(reason), foundation
        return self._names[index][closest]

    def may_turn_up(self, move: str) -> bool:
        return move in (DRAW, REDEAL) or move.startswith("r-")

    # Status

    def is_won(self, position: Position) -> bool:
        # Until late in a game the stock or the waste still holds a card, which settles it.
        piles = position.piles
        return not piles[STOCK] and not piles[WASTE] and self.score(position) == len(self.deck)

    def score(self, position: Position) -> int:
        return sum(map(len, position.piles[self._first_foundation : self._first_column]))

    def is_stuck(self, position: Position) -> bool:
        piles = position.piles
        stock, waste = piles[STOCK], piles[WASTE]
        if self.is_won(position) or self._card_moves(piles):
            return False
        if self.redeals is not None:
            return not stock and not (waste and self._redeal_left(position))
        if stock and not position.redeals:
            return False  # to say more now would tell of cards not seen yet
        return not self._takes_any(piles, self._tops_to_come(stock, waste))

    def finish(self, position: Position) -> list[str] | None:
        piles = position.piles
        if any(self.face_down(position, pile) for pile in range(self.coverable)):
            return None
        sources = [WASTE, *self._columns] if self._reserve < 0 else [WASTE, self._reserve, *self._columns]
        line = foundation_line(piles, sources, self._foundations, self._below)
        return None if line is None else [self._names[source][target] for source, target in line]

    # Viewing

    def face_down(self, position: Position, pile: int) -> int:
        if pile == STOCK:
            return len(position.piles[STOCK])
        if pile == self._reserve:
            return max(0, len(position.piles[pile]) - 1)
        return 0

    def view(self, position: Position) -> list[PileView]:
        views: list[PileView] = []
        for index, pile in enumerate(position.piles):
            down = self.face_down(position, index) if index < self.coverable else 0
            view = self._seen.get((index, down, pile))
            views.append(self._look(index, down, pile) if view is None else view)
        return views

    def place_name(self, place: tuple[int, int]) -> tuple[str, int]:
        return self.pile_ids[place[0]], place[1]

    # Inside

    def _look(self, index: int, down: int, pile: Pile) -> PileView:
        view = PileView(self.pile_ids[index], self._kinds[index], down, card_names(pile[down:]))
        if len(self._seen) >= _SEEN_AT_MOST:
            self._seen.clear()
        self._seen[index, down, pile] = view
        return view

    def _card_moves(self, piles: tuple[Pile, ...]) -> list[str]:
        """Return every legal move but the draw and the redeal, unsorted; not to be changed.

        Who shows a position asks more than once.
        """
        known, moves = self._known
        if known is not piles:
            moves = self._found_card_moves(piles)
            self._known = piles, moves
        return moves

    def _found_card_moves(self, piles: tuple[Pile, ...]) -> list[str]:
        tops: dict[int, list[int]] = {}  # the piles that a card may go on, by their top card
        bases: dict[int, list[int]] = {}
        empty_foundations: list[int] = []
        empty_columns: list[int] = []
        for pile in self._foundations:
            if piles[pile]:
                bases.setdefault(piles[pile][-1], []).append(pile)
            else:
                empty_foundations.append(pile)
        for pile in self._columns:
            if piles[pile]:
                tops.setdefault(piles[pile][-1], []).append(pile)
            else:
                empty_columns.append(pile)
        moves: list[str] = []
        onto, below, reserve = self._onto, self._below, self._reserve
        sources = (WASTE, *self._columns) if reserve < 0 else (WASTE, reserve, *self._columns)
        for source in sources:
            pile_cards = piles[source]
            if not pile_cards:
                continue
            card = pile_cards[-1]
            names = self._names[source]
            if RANK_OF[card] == ACE:
                moves += [names[target] for target in empty_foundations]
            else:
                moves += [names[target] for target in bases.get(below[card], ())]
            for top in onto[card]:
                if top in tops:
                    moves += [names[target] for target in tops[top]]
            if empty_columns and self._fills(piles, source, card):
                moves += [names[target] for target in empty_columns]
            if self._whole_columns and len(pile_cards) > 1 and source >= self._first_column:
                suffix = f"*{len(pile_cards)}"
                moves += [
                    names[target] + suffix
                    for top in onto[pile_cards[0]]
                    for target in tops.get(top, ())
                    if target != source
                ]
        return moves

    def _fills(self, piles: tuple[Pile, ...], source: int, card: int) -> bool:
        """Tell whether the top ``card`` of ``source`` may go to an empty column, and not for nothing."""
        if self._any_card_fills:
            return source < self._first_column or len(piles[source]) > 1
        if self._reserve >= 0 and piles[self._reserve]:
            return source == self._reserve
        return source == WASTE and RANK_OF[card] == KING

    def _refusal(self, piles: tuple[Pile, ...], source: int, target: int, count: int) -> Reason | None:
        """Return the first reason, in the order of the closed list, against a move; ``None`` when it is legal."""
        cards = piles[source]
        if not cards:
            return Reason.EMPTY_SOURCE
        if source == STOCK or self._first_foundation <= source < self._first_column:
            return Reason.NOT_AVAILABLE
        if target < self._first_foundation:
            return Reason.TAKES_NO_CARDS
        from_column, to_column = source >= self._first_column, target >= self._first_column
        onto = piles[target]
        if source == target or (from_column and to_column and not onto and len(cards) == 1):
            return Reason.POINTLESS
        if count > 1:
            if not (self._whole_columns and from_column and to_column):
                return Reason.ONE_CARD_ONLY
            if count != len(cards):
                return Reason.WHOLE_COLUMN_ONLY
        card = cards[-count]
        if not to_column:
            return self._foundation_refusal(card, onto)
        if not onto:
            return self._empty_column_refusal(piles, source, card)
        return None if onto[-1] in self._onto[card] else self._build_refusal(card, onto[-1])

    def _foundation_refusal(self, card: int, onto: Pile) -> Reason | None:
        if not onto:
            return None if RANK_OF[card] == ACE else Reason.NEEDS_ACE
        if onto[-1] == self._below[card]:
            return None
        return Reason.NOT_NEXT_RANK if SUIT_OF[card] == SUIT_OF[onto[-1]] else Reason.WRONG_SUIT

    def _empty_column_refusal(self, piles: tuple[Pile, ...], source: int, card: int) -> Reason | None:
        if self._any_card_fills:
            return None
        if self._reserve >= 0 and piles[self._reserve]:
            return None if source == self._reserve else Reason.ONLY_RESERVE
        if source != WASTE:
            return Reason.ONLY_WASTE
        return None if RANK_OF[card] == KING else Reason.ONLY_KINGS

    def _build_refusal(self, card: int, top: int) -> Reason:
        if self.game.build is Build.DOWN_SAME_SUIT and SUIT_OF[card] != SUIT_OF[top]:
            return Reason.WRONG_SUIT
        if self.game.build is Build.DOWN_ALTERNATE and IS_RED[card] == IS_RED[top]:
            return Reason.WRONG_COLOUR
        return Reason.NOT_NEXT_RANK

    def _refuse(
        self, piles: tuple[Pile, ...], move: str, reason: Reason, source: int, target: int, count: int
    ) -> IllegalMove:
        cards, onto = piles[source], piles[target]
        return refuse(
            move,
            reason,
            source=self.pile_ids[source],
            target=self.pile_ids[target],
            height=len(cards),
            card=CARD_NAMES[cards[-min(count, len(cards))]] if cards else "",
            top=CARD_NAMES[onto[-1]] if onto else "",
        )

    def _parse(self, move: str) -> tuple[int, int, int]:
        source, target, count = parse_transfer(move)
        for place in (source, target):
            if place not in self._index:
                raise refuse(move, Reason.NO_SUCH_PILE, place=f"pile {place}")
        return self._index[source], self._index[target], count

    def _draw(self, position: Position) -> Position:
        stock, waste, *rest = position.piles
        if not stock:
            raise refuse(DRAW, Reason.STOCK_EMPTY)
        drawn = self.game.draw
        return Position((stock[:-drawn], waste + stock[: -drawn - 1 : -1], *rest), position.redeals)

    def _redeal(self, position: Position) -> Position:
        stock, waste, *rest = position.piles
        if stock:
            raise refuse(REDEAL, Reason.STOCK_NOT_EMPTY)
        if not waste:
            raise refuse(REDEAL, Reason.WASTE_EMPTY)
        if not self._redeal_left(position):
            raise refuse(REDEAL, Reason.NO_REDEAL_LEFT)
        return Position((waste[::-1], b"", *rest), position.redeals + 1)

    def _redeal_left(self, position: Position) -> bool:
        return self.redeals is None or position.redeals < self.redeals

    def _tops_to_come(self, stock: Pile, waste: Pile) -> set[int]:
        """Return the waste's top cards through the rest of the stock and through one whole pass after it."""
        draw = self.game.draw
        whole = waste + stock[::-1]  # the next pass, its first card first
        ends = set(range(len(waste) + draw, len(whole), draw)) | set(range(draw, len(whole), draw))
        return {whole[end - 1] for end in ends | {len(whole)} if end}

    def _takes_any(self, piles: tuple[Pile, ...], cards: set[int]) -> bool:
        """Tell whether one of ``cards`` could go somewhere if it lay on top of the waste."""
        ups = {piles[pile][-1] if piles[pile] else NO_CARD for pile in self._foundations}
        tops = {piles[pile][-1] if piles[pile] else NO_CARD for pile in self._columns}
        for card in cards:
            if self._below[card] in ups or not tops.isdisjoint(self._onto[card]):
                return True
            if NO_CARD in tops and self._empty_column_refusal(piles, WASTE, card) is None:
                return True
        return False


_KINDS: Final[dict[str, PileKind]] = {"s": "stock", "w": "waste", "r": "reserve", "f": "foundation", "t": "tableau"}
