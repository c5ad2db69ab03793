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
    block_with,
    block_without,
    fits,
    fitting,
    row_of,
    run_length,
)
from pasyans.engine.rules import Chance, Rules, Transfers
from pasyans.engine.sentences import refuse
from pasyans.engine.survey import Survey, survey, survey_after
from pasyans.engine.variant import GridVariant
from pasyans.engine.view import PileView

_ROW_NAMES: Final = "abcd"
_CELL_IDS: Final = tuple(f"{row}{column}" for row in _ROW_NAMES for column in range(1, COLUMNS + 1))
_NAMES: Final = tuple(tuple(f"{source}-{target}" for target in _CELL_IDS) for source in _CELL_IDS)
_PARSED: Final = {
    _NAMES[source][target]: (source, target) for source in range(len(_CELL_IDS)) for target in range(len(_CELL_IDS))
}

Way = tuple[int, int]
"""The cells that a move goes from and to."""


class GridRules(Rules):
    """The rules of one grid game. The piles of a position are the cells, row by row."""

    def __init__(self, variant: GridVariant) -> None:
        super().__init__(variant, _CELL_IDS, grid_layout(ROWS, COLUMNS), coverable=0)
        self._aces = tuple(CARD_CODES["A" + suit] for suit in variant.aces_out)
        self._last: Survey | None = None

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
        now = self._survey(position)
        moves: list[Way] = []
        most = 1
        filling: list[Way] = []  # between rows, to those with the most live gaps so far
        for row in range(ROWS):
            count = len(now.live(row))
            within, between = self._moves_to(now, row)
            moves += within
            if between and count > most:
                most, filling = count, between
            elif count == most:
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
        now = self._survey(position)
        reason = self._refusal(now, source, target, move)
        if reason is not None:
            raise _refuse(position.piles, move, reason, source, target)
        cells = list(position.piles)
        cells[target] = cells[source]
        cells[source] = GAP
        after = Position(tuple(cells), position.redeals)
        self._last = survey_after(now, source, target, after)
        return after

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
        return sum([run_length(row_of(position.piles, row)) for row in range(ROWS)])

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

    def _survey(self, position: Position) -> Survey:
        """Return the survey of a position; most often it is the one that was come to last."""
        last = self._last
        if last is None or last.position is not position:
            last = self._last = survey(position)
        return last

    def _moves_to(self, now: Survey, row: int) -> tuple[list[Way], list[Way]]:
        """Return the moves to live gaps of a row: those within it, and those that leave another row tidy."""
        within: list[Way] = []
        between: list[Way] = []
        cells = now.position.piles
        there = row_of(cells, row)
        for column in now.live(row):
            target = row * COLUMNS + column
            for card in fitting(there, column):
                source = cells.index(card)
                if card in ACES and source % COLUMNS == 0:
                    continue
                if source // COLUMNS == row:
                    within.append((source, target))
                elif self._leaves_rows_tidy(now, source, target):
                    between.append((source, target))
        return within, between

    def _leaves_rows_tidy(self, now: Survey, source: int, target: int) -> bool:
        """Rule 1: the row left behind has at most two live gaps, and two only if no other row has two.

        Not asked of a king, nor of a card that a king blocks where it stands.
        """
        left, column = source // COLUMNS, source % COLUMNS
        if not now.gaps[left]:
            return True  # this one is its first
        cells, block = now.position.piles, now.blocks[left]
        card = cells[source]
        if card in QUEEN_OF or column > block:
            return True
        count = 1 + _count_before(now.gaps[left], block_without(cells, source, block))
        if count != 2:
            return count < 2
        for row in range(ROWS):
            gaps, block = now.gaps[row], now.blocks[row]
            if row == left or len(gaps) < 2:
                continue
            if row == target // COLUMNS:
                gaps = [gap for gap in gaps if gap != target % COLUMNS]
                block = block_with(cells, target, card, block)
            if _count_before(gaps, block) >= 2:
                return False
        return True

    def _fills_emptiest(self, now: Survey, target: int) -> bool:
        """Rule 2: while rows with two or more live gaps can be filled, only those with the most may be.

        Asked of a move between rows that leaves the rows tidy.
        """
        row = target // COLUMNS
        count = _count_before(now.gaps[row], now.blocks[row])
        rivals = [
            other
            for other in range(ROWS)
            if len(now.gaps[other]) > count and _count_before(now.gaps[other], now.blocks[other]) > count
        ]
        return not any(self._moves_to(now, rival)[1] for rival in rivals)

    def _refusal(self, now: Survey, source: int, target: int, move: str) -> Reason | None:
        """Return the first reason, in the order of the closed list, against a move; ``None`` when it is legal."""
        cells = now.position.piles
        card = cells[source]
        if not card:
            return Reason.EMPTY_SOURCE
        if source == target:
            return Reason.POINTLESS
        row, column = target // COLUMNS, target % COLUMNS
        if card in ACES and (source % COLUMNS == 0 or column != 0):
            return Reason.FIXED_ACE
        if cells[target]:
            return Reason.NOT_A_GAP
        if column > now.blocks[row]:
            return Reason.DEAD_GAP
        if "*" in move:
            return Reason.ONE_CARD_ONLY
        if not fits(cells, target, card):
            return Reason.NEEDS_ACE if column == 0 else Reason.NOT_ADJACENT
        if source // COLUMNS == row:
            return None
        if not self._leaves_rows_tidy(now, source, target):
            return Reason.UNTIDY_ROWS
        return None if self._fills_emptiest(now, target) else Reason.OTHER_ROW_FIRST

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
        runs = [run_length(row_of(cells, row)) for row in range(ROWS)]
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


def _count_before(columns: list[int], block: int) -> int:
    """Return how many of ``columns`` are to the left of ``block``."""
    count = 0
    for column in columns:
        if column < block:
            count += 1
    return count


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
