"""The pile games of the reference."""

from dataclasses import dataclass
from itertools import product

from tests.support.reference.table import RANKS, Table, pack_of, shuffled, split


@dataclass(frozen=True)
class PileGame:
    """One line of the table of pile games."""

    pack: str
    columns: int
    height: int
    build: str  # "any", "suit", "colour"
    whole_columns: bool
    station: bool  # Vokzal's rule for empty columns; else they take any available card
    passes: int | None
    draw: int
    reserve: int

    @property
    def ranks(self) -> str:
        return "A6789TJQK" if self.pack == "36" else RANKS

    def deal(self, seed: str) -> Table:
        cards = shuffled(pack_of(self.pack), self.pack, seed, 0)
        piles: dict[str, list[str]] = {"s": [], "w": []}
        if self.reserve:
            piles["r"] = []
        for i in range(len(cards) // len(self.ranks)):
            piles[f"f{i + 1}"] = []
        for i in range(self.columns):
            piles[f"t{i + 1}"] = []
        for _ in range(self.height):
            for i in range(self.columns):
                piles[f"t{i + 1}"].append(cards.pop(0))
        for _ in range(self.reserve):
            piles["r"].append(cards.pop(0))
        piles["s"] = cards[::-1]
        return Table(piles)

    def refusal(self, table: Table, move: str) -> str | None:
        """The first reason against the move, in the order of the published list; None when it is legal."""
        piles = table.piles
        if move == "draw":
            return None if piles["s"] else "stock-empty"
        if move == "redeal":
            if piles["s"]:
                return "stock-not-empty"
            if not piles["w"]:
                return "waste-empty"
            return None if self.passes is None or table.redeals < self.passes - 1 else "no-redeal-left"
        source, target, count = split(move)
        found = self._places_refusal(piles, source, target, count)
        if found is not None:
            return found
        card = piles[source][-count]
        if target[0] == "f":
            return self._foundation_refusal(card, piles[target])
        if not piles[target]:
            return self._empty_column_refusal(card, source, piles) if self.station else None
        return self._build_refusal(card, piles[target][-1])

    def _places_refusal(self, piles: dict[str, list[str]], source: str, target: str, count: int) -> str | None:
        if source not in piles or target not in piles:
            return "no-such-pile"
        if not piles[source]:
            return "empty-source"
        if source[0] in "sf":
            return "not-available"
        if target[0] in "swr":
            return "takes-no-cards"
        if source == target:
            return "pointless"
        columns_only = source[0] == target[0] == "t"
        if columns_only and len(piles[source]) == 1 and not piles[target]:
            return "pointless"
        if count > 1:
            if not (self.whole_columns and columns_only):
                return "one-card-only"
            if count != len(piles[source]):
                return "whole-column-only"
        return None

    def _foundation_refusal(self, card: str, pile: list[str]) -> str | None:
        if not pile:
            return None if card[0] == "A" else "needs-ace"
        if card[1] != pile[-1][1]:
            return "wrong-suit"
        return None if self._follows(card, pile[-1]) else "not-next-rank"

    def _empty_column_refusal(self, card: str, source: str, piles: dict[str, list[str]]) -> str | None:
        if piles.get("r"):
            return None if source == "r" else "only-reserve"
        if source != "w":
            return "only-waste"
        return None if card[0] == "K" else "only-kings"

    def _build_refusal(self, card: str, onto: str) -> str | None:
        if self.build == "suit" and card[1] != onto[1]:
            return "wrong-suit"
        if self.build == "colour" and (card[1] in "DH") == (onto[1] in "DH"):
            return "wrong-colour"
        return None if self._follows(onto, card) else "not-next-rank"

    def _follows(self, higher: str, lower: str) -> bool:
        return self.ranks.index(higher[0]) == self.ranks.index(lower[0]) + 1

    def conceivable(self, table: Table) -> list[str]:
        """Every move that can be written down for these piles: all pairs, all counts up to one too many."""
        found = ["draw", "redeal"]
        for source, target in product(table.piles, repeat=2):
            found.append(f"{source}-{target}")
            found += [f"{source}-{target}*{n}" for n in range(2, len(table.piles[source]) + 2)]
        return found

    def legal(self, table: Table) -> list[str]:
        return sorted(move for move in self.conceivable(table) if self.refusal(table, move) is None)

    def play(self, table: Table, move: str, seed: str) -> Table:
        after = table.copy()
        piles = after.piles
        if move == "draw":
            for _ in range(min(self.draw, len(piles["s"]))):
                piles["w"].append(piles["s"].pop())
        elif move == "redeal":
            piles["s"], piles["w"] = piles["w"][::-1], []
            after.redeals += 1
        else:
            source, target, count = split(move)
            piles[target] += piles[source][-count:]
            del piles[source][-count:]
        return after

    def won(self, table: Table) -> bool:
        return self.score(table) == len(pack_of(self.pack))

    def score(self, table: Table) -> int:
        return sum(len(cards) for pile, cards in table.piles.items() if pile[0] == "f")

    def stuck(self, table: Table) -> bool:
        if self.won(table):
            return False
        if self.passes is not None:
            return not self.legal(table)
        if table.piles["s"] and not table.redeals:
            return False  # some card of the stock was never turned up
        ahead = table
        for _ in range(2):  # the rest of this pass, then a whole one
            while True:
                if set(self.legal(ahead)) - {"draw", "redeal"}:
                    return False
                if not ahead.piles["s"]:
                    break
                ahead = self.play(ahead, "draw", "")
            if not ahead.piles["w"]:
                break
            ahead = self.play(ahead, "redeal", "")
        return True
