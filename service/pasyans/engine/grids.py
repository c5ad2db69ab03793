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
    ROWS,
    Cells,
    fits,
    fitting,
    row_of,
    run_length,
)
from pasyans.engine.rules import Chance, Rules, Transfers
from pasyans.engine.sentences import refuse
from pasyans.engine.survey import BIT_OF, ROW_CELLS, Survey, listed, live_after, moved, survey, survey_after, thinned
from pasyans.engine.variant import GridVariant
from pasyans.engine.view import PileView

_ROW_NAMES: Final = "abcd"
_CELL_IDS: Final = tuple(f"{row}{column}" for row in _ROW_NAMES for column in range(1, COLUMNS + 1))
_NAMES: Final = tuple(tuple(f"{source}-{target}" for target in _CELL_IDS) for source in _CELL_IDS)
_PARSED: Final = {
    _NAMES[source][target]: (source, target, 1) for source in range(len(_CELL_IDS)) for target in range(len(_CELL_IDS))
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
        now = self._survey(position.piles)
        moves: list[Way] = []
        most = 1
        filling: list[Way] = []  # between rows, to those with the most live gaps so far
        for row in range(ROWS):
            live = (now.live & ROW_CELLS[row]).bit_count()
            within, between = self._moves_to(now, row)
            moves += within
            if between and live > most:
                most, filling = live, between
            elif live == most:
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
        source, target, number = self._parse(move) if parsed is None else parsed
        before = position.piles
        now = self._survey(before)
        reason = self._misplacing(now, source, target, number)
        if reason is not None:
            raise _refuse(before, move, reason, source, target)
        cells = moved(before, source, target)
        after = survey_after(now, source, target, cells)
        if source // COLUMNS != target // COLUMNS:
            reason = self._indiscipline(now, source, target, after.live)
            if reason is not None:
                raise _refuse(before, move, reason, source, target)
        self._last = after
        return Position(cells, position.redeals)

    def transfers(self, before: Position, move: str, after: Position) -> Transfers:
        if move != REDEAL:
            source, target, _ = _PARSED[move]
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

    def _survey(self, cells: Cells) -> Survey:
        """Return the survey of a grid; most often it is the one that was come to last."""
        last = self._last
        if last is None or last.cells is not cells:
            last = self._last = survey(cells)
        return last

    def _moves_to(self, now: Survey, row: int) -> tuple[list[Way], list[Way]]:
        """Return the moves to live gaps of a row: those within it, and those that leave another row tidy."""
        within: list[Way] = []
        between: list[Way] = []
        live = now.live & ROW_CELLS[row]
        if not live:
            return within, between
        cells = now.cells
        there = row_of(cells, row)
        for target in listed(live):
            for card in fitting(there, target % COLUMNS):
                source = cells.index(card)
                if card in ACES and source % COLUMNS == 0:
                    continue
                if source // COLUMNS == row:
                    within.append((source, target))
                elif _leaves_rows_tidy(now, source, live_after(now, source, target)):
                    between.append((source, target))
        return within, between

    def _indiscipline(self, now: Survey, source: int, target: int, live: int) -> Reason | None:
        """Return the reason against a move between rows, after which the gaps ``live`` live, that is well placed."""
        if not _leaves_rows_tidy(now, source, live):
            return Reason.UNTIDY_ROWS
        # Rule 2: while rows with two or more live gaps can be filled, only those with the most may be.
        fuller = thinned(now.live)
        while fuller & ROW_CELLS[target // COLUMNS]:
            fuller = thinned(fuller)
        if fuller:
            for row in range(ROWS):
                if fuller & ROW_CELLS[row] and self._moves_to(now, row)[1]:
                    return Reason.OTHER_ROW_FIRST
        return None

    def _misplacing(self, now: Survey, source: int, target: int, number: int) -> Reason | None:
        """Return the first reason, in the order of the closed list, against a move, before those of `_indiscipline`."""
        cells = now.cells
        card = cells[source]
        if not card:
            return Reason.EMPTY_SOURCE
        if source == target:
            return Reason.POINTLESS
        column = target % COLUMNS
        if card in ACES and (source % COLUMNS == 0 or column != 0):
            return Reason.FIXED_ACE
        if cells[target]:
            return Reason.NOT_A_GAP
        if not now.reach & BIT_OF[target]:
            return Reason.DEAD_GAP
        if number > 1:
            return Reason.ONE_CARD_ONLY
        if not fits(cells, target, card):
            return Reason.NEEDS_ACE if column == 0 else Reason.NOT_ADJACENT
        return None

    def _parse(self, move: str) -> tuple[int, int, int]:
        if move == "draw":
            raise refuse(move, Reason.NO_SUCH_PILE, place="stock")
        source, target, number = parse_transfer(move)
        for cell in (source, target):
            if cell not in _CELL_IDS:
                raise refuse(move, Reason.NO_SUCH_PILE, place=f"cell {cell}")
        return _CELL_IDS.index(source), _CELL_IDS.index(target), number

    def _redeal(self, position: Position, chance: Chance) -> Position:
        if not self._redeal_left(position) or self.is_won(position):
            raise refuse(REDEAL, Reason.NO_REDEAL_LEFT)
        after = list(position.piles)
        kept: list[Pile] = []
        ends: list[int] = []  # of the runs
        for row in range(ROWS):
            end = row * COLUMNS + run_length(row_of(position.piles, row))
            ends.append(end)
            kept += after[row * COLUMNS : end]
        gathered = self.deck.translate(None, b"".join(kept))
        dealt = [CELL_OF[card] for card in chance(position.redeals + 1, gathered)]
        first = 0
        for row, end in enumerate(ends):
            last = first + (row + 1) * COLUMNS - end - 1
            after[end : (row + 1) * COLUMNS] = [GAP, *dealt[first:last]]
            first = last
        return Position(tuple(after), position.redeals + 1)

    def _redeal_left(self, position: Position) -> bool:
        return self.redeals is None or position.redeals < self.redeals


def _leaves_rows_tidy(now: Survey, source: int, live: int) -> bool:
    """Tell whether a move between rows, after which the gaps ``live`` live, keeps rule 1.

    The row left behind has at most two live gaps, and two only if no other row has two. Not asked of a king, nor of a
    card that a king blocks where it stands.
    """
    more = thinned(live)  # than one in a row
    if not more & ROW_CELLS[source // COLUMNS] or not more & (more - 1):
        return True
    # A king within reach stands at his queen, so that he fits nowhere else.
    return not now.reach & BIT_OF[source]


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
