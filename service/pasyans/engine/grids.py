"""The family of grid games: rows of cells with gaps, each row to be filled with one suit from the ace to the king."""

from typing import Final

from pasyans.engine.cards import ACE, CARD_CODES, CARD_NAMES, KING, RANK_OF
from pasyans.engine.errors import IllegalMove, Reason
from pasyans.engine.layout import grid_layout
from pasyans.engine.notation import REDEAL, parse_transfer
from pasyans.engine.position import Position
from pasyans.engine.rows import COLUMNS, GAP, ROWS, Cells, RowState, cells_of, read_rows, run_length
from pasyans.engine.rules import Chance, PileView, Rules, Transfers
from pasyans.engine.sentences import refuse
from pasyans.engine.variant import GridVariant

_ROW_NAMES: Final = "abcd"
_CELL_IDS: Final = tuple(f"{row}{column}" for row in _ROW_NAMES for column in range(1, COLUMNS + 1))
_NAMES: Final = tuple(tuple(f"{source}-{target}" for target in _CELL_IDS) for source in _CELL_IDS)
_PARSED: Final = {
    _NAMES[source][target]: (source, target) for source in range(len(_CELL_IDS)) for target in range(len(_CELL_IDS))
}
_CELL: Final = tuple(bytes((card,)) for card in range(52))
_NO_CARD: Final = b""


class GridRules(Rules):
    """The rules of one grid game. The piles of a position are the cells, row by row."""

    def __init__(self, variant: GridVariant) -> None:
        super().__init__(variant, _CELL_IDS, grid_layout(ROWS, COLUMNS))
        self._aces = tuple(CARD_CODES["A" + suit] for suit in variant.aces_out)

    # Dealing

    def deal(self, pack: bytes) -> Position:
        cells = [_NO_CARD] * (ROWS * COLUMNS)
        first = 1
        if self._aces:
            first = 2
            for row, ace in enumerate(self._aces):
                cells[row * COLUMNS] = _CELL[ace]
        width = COLUMNS - first
        for number, card in enumerate(pack):
            row, column = divmod(number, width)
            cells[row * COLUMNS + first + column] = _CELL[card]
        return Position(tuple(cells))

    # Moves

    def legal_moves(self, position: Position) -> list[str]:
        if self.is_won(position):
            return []
        cells = cells_of(position)
        rows = read_rows(cells)
        within, between = self._candidates(cells, rows)
        moves = within + [(source, target) for source, target in between if self._fills_emptiest(rows, between, target)]
        names = [_NAMES[source][target] for source, target in moves]
        if self._redeal_left(position):
            names.append(REDEAL)
        names.sort()
        return names

    def play(self, position: Position, move: str, chance: Chance) -> Position:
        if move == REDEAL:
            return self._redeal(position, chance)
        parsed = _PARSED.get(move)
        source, target = self._parse(move) if parsed is None else parsed
        cells = cells_of(position)
        reason = self._refusal(cells, source, target, move)
        if reason is not None:
            raise _refuse(cells, move, reason, source, target)
        after = list(position.piles)
        after[target] = after[source]
        after[source] = _NO_CARD
        return Position(tuple(after), position.redeals)

    def transfers(self, before: Position, move: str, after: Position) -> Transfers:
        if move != REDEAL:
            source, target = _PARSED[move]
            return {(source, 0): (target, 0)}
        places = {card: cell for cell, card in enumerate(cells_of(after)) if card != GAP}
        return {
            (cell, 0): (places[card], 0)
            for cell, card in enumerate(cells_of(before))
            if card != GAP and places[card] != cell
        }

    def expand(self, position: Position, move: str) -> str:
        return move

    def may_turn_up(self, move: str) -> bool:
        return move == REDEAL

    # Status

    def is_won(self, position: Position) -> bool:
        return self.score(position) == len(self.deck)

    def score(self, position: Position) -> int:
        cells = cells_of(position)
        return sum(run_length(cells, row) for row in range(ROWS))

    def is_stuck(self, position: Position) -> bool:
        return not self.is_won(position) and not self.legal_moves(position)

    def finish(self, position: Position) -> list[str] | None:
        return None  # there are no foundations

    def is_position(self, position: Position) -> bool:
        return super().is_position(position) and max(map(len, position.piles)) <= 1

    # Viewing

    def face_down(self, position: Position, pile: int) -> int:
        return 0

    def view(self, position: Position) -> list[PileView]:
        names = [CARD_NAMES[pile[0]] if pile else "--" for pile in position.piles]
        return [
            PileView(name, "row", 0, names[row * COLUMNS : (row + 1) * COLUMNS]) for row, name in enumerate(_ROW_NAMES)
        ]

    def place_name(self, place: tuple[int, int]) -> tuple[str, int]:
        row, column = divmod(place[0], COLUMNS)
        return _ROW_NAMES[row], column

    # Inside

    def _candidates(self, cells: Cells, rows: RowState) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
        """Return the moves within rows, and those between rows that leave the rows tidy."""
        within: list[tuple[int, int]] = []
        between: list[tuple[int, int]] = []
        where = {card: cell for cell, card in enumerate(cells) if card != GAP}
        for target in rows.live_gaps:
            for card in _cards_that_fit(cells, target):
                source = where[card]
                if RANK_OF[card] == ACE and source % COLUMNS == 0:
                    continue
                if source // COLUMNS == target // COLUMNS:
                    within.append((source, target))
                elif self._leaves_rows_tidy(cells, rows, source, target):
                    between.append((source, target))
        return within, between

    def _leaves_rows_tidy(self, cells: Cells, rows: RowState, source: int, target: int) -> bool:
        """Rule 1: the row left behind has at most two live gaps, and two only if no other row has two.

        Not asked of a king, nor of a card that a king blocks where it stands.
        """
        if RANK_OF[cells[source]] == KING or rows.is_blocked[source]:
            return True
        after = list(cells)
        after[target], after[source] = after[source], GAP
        counts = read_rows(after).live_count
        left = counts[source // COLUMNS]
        return left < 2 or (left == 2 and sum(count >= 2 for count in counts) == 1)

    def _fills_emptiest(self, rows: RowState, between: list[tuple[int, int]], target: int) -> bool:
        """Rule 2: while a row with two or more live gaps can be filled, only the one with the most may be."""
        most = max(rows.live_count[other // COLUMNS] for _, other in between)
        return most < 2 or rows.live_count[target // COLUMNS] == most

    def _refusal(self, cells: Cells, source: int, target: int, move: str) -> Reason | None:
        """Return the first reason, in the order of the closed list, against a move; ``None`` when it is legal."""
        card = cells[source]
        if card == GAP:
            return Reason.EMPTY_SOURCE
        if source == target:
            return Reason.POINTLESS
        is_ace = RANK_OF[card] == ACE
        if is_ace and (source % COLUMNS == 0 or target % COLUMNS != 0):
            return Reason.FIXED_ACE
        if cells[target] != GAP:
            return Reason.NOT_A_GAP
        rows = read_rows(cells)
        if target not in rows.live_gaps:
            return Reason.DEAD_GAP
        if "*" in move:
            return Reason.ONE_CARD_ONLY
        if card not in _cards_that_fit(cells, target):
            return Reason.NEEDS_ACE if target % COLUMNS == 0 else Reason.NOT_ADJACENT
        if source // COLUMNS == target // COLUMNS:
            return None
        if not self._leaves_rows_tidy(cells, rows, source, target):
            return Reason.UNTIDY_ROWS
        if rows.live_count[target // COLUMNS] == max(rows.live_count):
            return None  # whatever else could be filled, no row comes before this one
        _, between = self._candidates(cells, rows)
        return None if self._fills_emptiest(rows, between, target) else Reason.OTHER_ROW_FIRST

    def _parse(self, move: str) -> tuple[int, int]:
        if move == "draw":
            raise refuse(move, Reason.NO_SUCH_PILE, place="stock")
        source, target, _ = parse_transfer(move)
        for cell in (source, target):
            if cell not in _CELL_IDS:
                raise refuse(move, Reason.NO_SUCH_PILE, place=f"cell {cell}")
        return _CELL_IDS.index(source), _CELL_IDS.index(target)

    def _redeal(self, position: Position, chance: Chance) -> Position:
        if not self._redeal_left(position) or self.is_won(position):
            raise refuse(REDEAL, Reason.NO_REDEAL_LEFT)
        cells = cells_of(position)
        runs = [run_length(cells, row) for row in range(ROWS)]
        gathered = sorted(
            card for cell, card in enumerate(cells) if card != GAP and cell % COLUMNS >= runs[cell // COLUMNS]
        )
        shuffled = iter(chance(position.redeals + 1, bytes(gathered)))
        after = list(position.piles)
        for row, run in enumerate(runs):
            start = row * COLUMNS
            after[start + run] = _NO_CARD
            for cell in range(start + run + 1, start + COLUMNS):
                after[cell] = _CELL[next(shuffled)]
        return Position(tuple(after), position.redeals + 1)

    def _redeal_left(self, position: Position) -> bool:
        return self.redeals is None or position.redeals < self.redeals


def _cards_that_fit(cells: Cells, gap: int) -> list[int]:
    """Return the cards that a live gap takes, by its neighbours (an ace in the first column, wherever it stands)."""
    if gap % COLUMNS == 0:
        return [card for card in cells if card != GAP and RANK_OF[card] == ACE]
    fitting: list[int] = []
    left = cells[gap - 1]
    if left != GAP and RANK_OF[left] != KING:
        fitting.append(left + 1)
    if (gap + 1) % COLUMNS:
        right = cells[gap + 1]
        if right != GAP and RANK_OF[right] > ACE + 1 and right - 1 not in fitting:
            fitting.append(right - 1)
    return fitting


def _refuse(cells: Cells, move: str, reason: Reason, source: int, target: int) -> IllegalMove:
    return refuse(
        move,
        reason,
        source=_CELL_IDS[source],
        target=_CELL_IDS[target],
        card=CARD_NAMES[cells[source]] if cells[source] != GAP else "",
        top=CARD_NAMES[cells[target]] if cells[target] != GAP else "",
        row=_ROW_NAMES[(target if reason is Reason.OTHER_ROW_FIRST else source) // COLUMNS],
    )
