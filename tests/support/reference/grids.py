"""The grid games of the reference."""

from dataclasses import dataclass
from itertools import product

from tests.support.reference.table import RANKS, SUITS, Table, pack_of, shuffled, split

GAP = "--"
ROWS = "abcd"
COLUMNS = 14


@dataclass(frozen=True)
class GridGame:
    """Dolgiy: the suits of the aces that stand in column 1 from the start, row by row, and the redeals."""

    pack: str
    aces: str
    redeals: int

    def deal(self, seed: str) -> Table:
        cards = shuffled(pack_of(self.pack), self.pack, seed, 0)
        rows: dict[str, list[str]] = {}
        for number, row in enumerate(ROWS):
            start = ["A" + self.aces[number], GAP] if self.aces else [GAP]
            rows[row] = start + [cards.pop(0) for _ in range(COLUMNS - len(start))]
        return Table(rows)

    # a cell's neighbours and the kings

    def _seated(self, row: list[str], at: int) -> bool:
        return at > 0 and row[at - 1] == "Q" + row[at][1]

    def _behind_blocking_king(self, row: list[str], at: int) -> bool:
        return any(row[i][0] == "K" and not self._seated(row, i) for i in range(at))

    def live_gaps(self, row: list[str]) -> int:
        return sum(1 for at, card in enumerate(row) if card == GAP and not self._behind_blocking_king(row, at))

    def _placing_refusal(self, card: str, row: list[str], at: int) -> str | None:
        if at == 0:
            return None if card[0] == "A" else "needs-ace"
        rank, suit = RANKS.index(card[0]), card[1]
        if row[at - 1] == RANKS[rank - 1] + suit:
            return None
        if card[0] != "K" and at + 1 < COLUMNS and row[at + 1] == RANKS[rank + 1] + suit:
            return None
        return "not-adjacent"

    def _untidy(self, table: Table, source: tuple[str, int], target: tuple[str, int]) -> bool:
        """Whether rule 1 is asked of this move and broken by it."""
        card = table.piles[source[0]][source[1]]
        if card[0] == "K" or self._behind_blocking_king(table.piles[source[0]], source[1]):
            return False
        after = table.copy()
        after.piles[source[0]][source[1]] = GAP
        after.piles[target[0]][target[1]] = card
        gaps = {row: self.live_gaps(cells) for row, cells in after.piles.items()}
        left = gaps.pop(source[0])
        return left > 2 or (left == 2 and max(gaps.values()) > 1)

    def _refusal_but_rule_2(self, table: Table, move: str) -> str | None:
        places = {f"{row}{column}" for row in ROWS for column in range(1, COLUMNS + 1)}
        source, target, count = split(move)
        if source not in places or target not in places:
            return "no-such-pile"
        here, there = (source[0], int(source[1:]) - 1), (target[0], int(target[1:]) - 1)
        row, at = table.piles[there[0]], there[1]
        card = table.piles[here[0]][here[1]]
        if card == GAP:
            return "empty-source"
        if source == target:
            return "pointless"
        if card[0] == "A" and (here[1] == 0 or at != 0):
            return "fixed-ace"
        if row[at] != GAP:
            return "not-a-gap"
        if self._behind_blocking_king(row, at):
            return "dead-gap"
        if count > 1:
            return "one-card-only"
        placing = self._placing_refusal(card, row, at)
        if placing is not None:
            return placing
        return "untidy-rows" if here[0] != there[0] and self._untidy(table, here, there) else None

    def refusal(self, table: Table, move: str) -> str | None:
        """The first reason against the move, in the order of the published list; None when it is legal."""
        if move == "redeal":
            return None if table.redeals < self.redeals else "no-redeal-left"
        found = self._refusal_but_rule_2(table, move)
        if found is not None:
            return found
        source, target, _ = split(move)
        if source[0] == target[0]:
            return None
        fullest = max(self.live_gaps(table.piles[m.split("-")[1][0]]) for m in self._between_rows(table))
        mine = self.live_gaps(table.piles[target[0]])
        return "other-row-first" if fullest >= 2 and mine < fullest else None

    def _between_rows(self, table: Table) -> list[str]:
        """The moves between rows that pass placing, kings and rule 1."""
        return [
            move
            for move in self._towards_gaps(table)
            if move[0] != move.split("-")[1][0] and self._refusal_but_rule_2(table, move) is None
        ]

    def _towards_gaps(self, table: Table) -> list[str]:
        cells = {f"{row}{i + 1}": card for row, cards in table.piles.items() for i, card in enumerate(cards)}
        gaps = [cell for cell, card in cells.items() if card == GAP]
        return [f"{cell}-{gap}" for cell, card in cells.items() if card != GAP for gap in gaps]

    def conceivable(self, table: Table) -> list[str]:
        """Every move from a cell to a cell, and the redeal."""
        places = [f"{row}{column}" for row in ROWS for column in range(1, COLUMNS + 1)]
        return ["redeal", *(f"{source}-{target}" for source, target in product(places, repeat=2))]

    def legal(self, table: Table) -> list[str]:
        if self.won(table):
            return []
        return sorted(m for m in ["redeal", *self._towards_gaps(table)] if self.refusal(table, m) is None)

    def _run(self, row: list[str]) -> int:
        length = 0
        while length < 13 and row[length] == RANKS[length] + row[0][1]:
            length += 1
        return length

    def play(self, table: Table, move: str, seed: str) -> Table:
        after = table.copy()
        if move == "redeal":
            after.redeals += 1
            kept = {row: cells[: self._run(cells)] for row, cells in after.piles.items()}
            loose = [c for row, cells in after.piles.items() for c in cells[len(kept[row]) :] if c != GAP]
            loose.sort(key=lambda card: (SUITS.index(card[1]), RANKS.index(card[0])))
            loose = shuffled(loose, self.pack, seed, after.redeals)
            for row in ROWS:
                k = len(kept[row])
                after.piles[row] = [*kept[row], GAP, *(loose.pop(0) for _ in range(13 - k))]
            return after
        source, target, _ = split(move)
        here, there = after.piles[source[0]], after.piles[target[0]]
        there[int(target[1:]) - 1], here[int(source[1:]) - 1] = here[int(source[1:]) - 1], GAP
        return after

    def won(self, table: Table) -> bool:
        return self.score(table) == 52

    def score(self, table: Table) -> int:
        return sum(self._run(row) for row in table.piles.values())

    def stuck(self, table: Table) -> bool:
        return not self.won(table) and not self.legal(table)
