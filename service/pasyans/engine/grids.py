"""The family of grid games: rows of cells with gaps, each row to be filled with one suit from the ace to the king."""

from typing import Final

from pasyans.engine.cards import CARD_CODES, CARD_NAMES
from pasyans.engine.errors import IllegalMove, Reason
from pasyans.engine.layout import grid_layout
from pasyans.engine.notation import REDEAL, parse_transfer
from pasyans.engine.position import Pile, Position
from pasyans.engine.rows import (
    ACES,
    CELL_OF,
    COLUMNS,
    GAP,
    QUEEN_OF,
    ROWS,
    Cells,
    fitting,
    gap_count,
    is_blocked,
    live_gaps,
    run_length,
)
from pasyans.engine.rules import Chance, PileView, Rules, Transfers
from pasyans.engine.sentences import refuse
from pasyans.engine.variant import GridVariant

_ROW_NAMES: Final = "abcd"
_CELL_IDS: Final = tuple(f"{row}{column}" for row in _ROW_NAMES for column in range(1, COLUMNS + 1))
_NAMES: Final = tuple(tuple(f"{source}-{target}" for target in _CELL_IDS) for source in _CELL_IDS)
_PARSED: Final = {
    _NAMES[source][target]: (source, target) for source in range(len(_CELL_IDS)) for target in range(len(_CELL_IDS))
}


class GridRules(Rules):
    """The rules of one grid game. The piles of a position are the cells, row by row."""

    def __init__(self, variant: GridVariant) -> None:
        super().__init__(variant, _CELL_IDS, grid_layout(ROWS, COLUMNS))
        self._aces = tuple(CARD_CODES["A" + suit] for suit in variant.aces_out)

    # Dealing

    def deal(self, pack: bytes) -> Position:
        cells = [GAP] * (ROWS * COLUMNS)
        first = 1
        if self._aces:
            first = 2
            for row, ace in enumerate(self._aces):
                cells[row * COLUMNS] = CELL_OF[ace]
        width = COLUMNS - first
        for number, card in enumerate(pack):
            row, column = divmod(number, width)
            cells[row * COLUMNS + first + column] = CELL_OF[card]
        return Position(tuple(cells))

    # Moves

    def legal_moves(self, position: Position) -> list[str]:
        if self.is_won(position):
            return []
        moves: list[tuple[int, int]] = []
        most = 1
        filling: list[tuple[int, int]] = []  # between rows, to those with the most live gaps so far
        for row in range(ROWS):
            gaps = live_gaps(position.piles, row)
            within, between = self._moves_to(position.piles, gaps)
            moves += within
            if between and len(gaps) > most:
                most, filling = len(gaps), between
            elif len(gaps) == most:
                filling += between
        names = [_NAMES[source][target] for source, target in moves + filling]
        if self._redeal_left(position):
            names.append(REDEAL)
        names.sort()
        return names

    def play(self, position: Position, move: str, chance: Chance) -> Position:
        if move == REDEAL:
            return self._redeal(position, chance)
        parsed = _PARSED.get(move)
        source, target = self._parse(move) if parsed is None else parsed
        reason = self._refusal(position.piles, source, target, move)
        if reason is not None:
            raise _refuse(position.piles, move, reason, source, target)
        after = list(position.piles)
        after[target] = after[source]
        after[source] = GAP
        return Position(tuple(after), position.redeals)

    def transfers(self, before: Position, move: str, after: Position) -> Transfers:
        if move != REDEAL:
            source, target = _PARSED[move]
            return {(source, 0): (target, 0)}
        places = {card: cell for cell, card in enumerate(after.piles)}
        return {
            (cell, 0): (places[card], 0)
            for cell, card in enumerate(before.piles)
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
        return sum(run_length(position.piles, row) for row in range(ROWS))

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
        names = [_name(cell) for cell in position.piles]
        return [
            PileView(name, "row", 0, names[row * COLUMNS : (row + 1) * COLUMNS]) for row, name in enumerate(_ROW_NAMES)
        ]

    def place_name(self, place: tuple[int, int]) -> tuple[str, int]:
        row, column = divmod(place[0], COLUMNS)
        return _ROW_NAMES[row], column

    # Inside

    def _moves_to(self, cells: Cells, gaps: list[int]) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
        """Return the moves to live ``gaps`` of one row: those within it, and those that leave another row tidy."""
        within: list[tuple[int, int]] = []
        between: list[tuple[int, int]] = []
        for target in gaps:
            for card in fitting(cells, target):
                source = cells.index(card)
                if card in ACES and source % COLUMNS == 0:
                    continue
                if source // COLUMNS == target // COLUMNS:
                    within.append((source, target))
                elif self._leaves_rows_tidy(cells, source, target):
                    between.append((source, target))
        return within, between

    def _leaves_rows_tidy(self, cells: Cells, source: int, target: int) -> bool:
        """Rule 1: the row left behind has at most two live gaps, and two only if no other row has two.

        Not asked of a king, nor of a card that a king blocks where it stands.
        """
        left = source // COLUMNS
        if gap_count(cells, left) == 0:
            return True  # this one is its first
        if cells[source] in QUEEN_OF or is_blocked(cells, source):
            return True
        after = list(cells)
        after[target], after[source] = after[source], GAP
        count = len(live_gaps(after, left))
        if count != 2:
            return count < 2
        others = [row for row in range(ROWS) if row != left and gap_count(after, row) >= 2]
        return not any(len(live_gaps(after, row)) >= 2 for row in others)

    def _fills_emptiest(self, cells: Cells, target: int) -> bool:
        """Rule 2: while rows with two or more live gaps can be filled, only those with the most may be.

        Asked of a move between rows that leaves the rows tidy.
        """
        count = len(live_gaps(cells, target // COLUMNS))
        emptier = [row for row in range(ROWS) if gap_count(cells, row) > count]
        rivals = [gaps for row in emptier if len(gaps := live_gaps(cells, row)) > count]
        return not any(self._moves_to(cells, gaps)[1] for gaps in rivals)

    def _refusal(self, cells: Cells, source: int, target: int, move: str) -> Reason | None:
        """Return the first reason, in the order of the closed list, against a move; ``None`` when it is legal."""
        card = cells[source]
        if card == GAP:
            return Reason.EMPTY_SOURCE
        if source == target:
            return Reason.POINTLESS
        if card in ACES and (source % COLUMNS == 0 or target % COLUMNS != 0):
            return Reason.FIXED_ACE
        if cells[target] != GAP:
            return Reason.NOT_A_GAP
        if is_blocked(cells, target):
            return Reason.DEAD_GAP
        if "*" in move:
            return Reason.ONE_CARD_ONLY
        if card not in fitting(cells, target):
            return Reason.NEEDS_ACE if target % COLUMNS == 0 else Reason.NOT_ADJACENT
        if source // COLUMNS == target // COLUMNS:
            return None
        if not self._leaves_rows_tidy(cells, source, target):
            return Reason.UNTIDY_ROWS
        return None if self._fills_emptiest(cells, target) else Reason.OTHER_ROW_FIRST

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
        cells = position.piles
        runs = [run_length(cells, row) for row in range(ROWS)]
        gathered = b"".join(card for cell, card in enumerate(cells) if cell % COLUMNS >= runs[cell // COLUMNS])
        shuffled = iter(chance(position.redeals + 1, bytes(sorted(gathered))))
        after = list(position.piles)
        for row, run in enumerate(runs):
            start = row * COLUMNS
            after[start + run] = GAP
            for cell in range(start + run + 1, start + COLUMNS):
                after[cell] = CELL_OF[next(shuffled)]
        return Position(tuple(after), position.redeals + 1)

    def _redeal_left(self, position: Position) -> bool:
        return self.redeals is None or position.redeals < self.redeals


def _refuse(cells: Cells, move: str, reason: Reason, source: int, target: int) -> IllegalMove:
    return refuse(
        move,
        reason,
        source=_CELL_IDS[source],
        target=_CELL_IDS[target],
        card=_name(cells[source]),
        top=_name(cells[target]),
        row=_ROW_NAMES[(target if reason is Reason.OTHER_ROW_FIRST else source) // COLUMNS],
    )


def _name(cell: Pile) -> str:
    return CARD_NAMES[cell[0]] if cell else "--"
