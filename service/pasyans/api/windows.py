"""How many requests each client has made in its present window, in one table that all workers of a server share.

A row is one client's: a mark that it is known by, a cell for each worker, and one for what other servers have told. A
cell holds the number of a window and a count, and is written by its worker alone: nothing is locked, no count is lost,
and what a worker counted stays when it is killed. A client's requests are the sum of its row; workers that read it at
the same moment may each let one more through.

Windows follow one another without a gap. Where a client's begin depends on its mark alone, so that every process, on
any server, means the same window by the same number. The table has a fixed size: where a place for a new client is
wanted, it takes a row whose window is over, else that of the client with the fewest requests, who starts anew.
"""

from collections.abc import Iterable
from hashlib import blake2b
from typing import Final, NamedTuple

WINDOW_MS: Final = 60_000
ROWS: Final = 65_536

_WORD: Final = 8  # bytes
_PROBED: Final = 8  # rows in which a client may be found
_COUNT: Final = 0xFFFF_FFFF
_MARKS_AT_MOST: Final = 50_000


class Told(NamedTuple):
    """Some requests of a client, counted by one server, for the others: its mark, the window's number, how many."""

    mark: int
    window: int
    requests: int


class Windows:
    """The table, as one worker of a server writes it.

    ``memory`` is what they share, of `size` bytes and all zero at first; ``column`` is the worker's own of ``columns``.
    For each ``step`` requests of a client that this worker counts, `untold` has them once.
    """

    def __init__(self, memory: memoryview, columns: int, column: int, step: int = 1) -> None:
        self.untold: dict[tuple[int, int], int] = {}
        self._table = memory.cast("Q")
        self._width = columns + 2
        self._own = column + 1
        self._elsewhere = columns + 1
        self._step = step
        self._secret = b""
        self._marks: dict[str, int] = {}

    @staticmethod
    def size(columns: int) -> int:
        """Return how many bytes the table takes for so many workers."""
        return ROWS * (columns + 2) * _WORD

    def key(self, secret: bytes) -> None:
        """Have marks follow from a secret that the servers share: nobody else knows then who lies beside whom."""
        self._secret = blake2b(secret, digest_size=32, person=b"pasyans-limits").digest()
        self._marks.clear()

    def counted(self, client: str, now: int) -> tuple[int, int]:
        """Return a client's requests in its window at ``now`` (milliseconds), and the milliseconds until the next."""
        mark = self._marks.get(client) or self._mark(client)
        window, past = divmod(now + mark % WINDOW_MS, WINDOW_MS)
        row = self._find(mark)
        return (0 if row is None else self._sum(row, window)), WINDOW_MS - past

    def count(self, client: str, now: int, limit: int) -> tuple[int, int]:
        """Count one request, unless ``limit`` have been counted; return what `counted` says before it."""
        mark = self._marks.get(client) or self._mark(client)
        window, past = divmod(now + mark % WINDOW_MS, WINDOW_MS)
        table = self._table
        row = mark % ROWS * self._width
        if table[row] != mark:
            found = self._find(mark)
            row = self._claim(mark, now) if found is None else found
        used = self._sum(row, window)
        if used < limit:
            own = row + self._own
            count = table[own]
            count = (count & _COUNT) + 1 if count >> 32 == window else 1
            table[own] = window << 32 | count
            if count % self._step == 0:
                self.untold[mark, window] = self.untold.get((mark, window), 0) + self._step
        return used, WINDOW_MS - past

    def tell(self) -> list[Told]:
        """Return what is untold, which counts as told then."""
        told = [Told(*client, requests) for client, requests in self.untold.items()]
        self.untold.clear()
        return told

    def hear(self, told: Iterable[Told], now: int) -> None:
        """Count what other servers have told. One worker of a server does so, for all of them."""
        for mark, window, requests in told:
            if window != (now + mark % WINDOW_MS) // WINDOW_MS:
                continue
            row = self._find(mark)
            cell = (self._claim(mark, now) if row is None else row) + self._elsewhere
            before = self._table[cell]
            before = before & _COUNT if before >> 32 == window else 0
            self._table[cell] = window << 32 | min(before + requests, _COUNT)

    def _mark(self, client: str) -> int:
        digest = blake2b(client.encode("utf-8", "surrogateescape"), digest_size=_WORD, key=self._secret).digest()
        if len(self._marks) >= _MARKS_AT_MOST:
            self._marks.clear()
        mark = self._marks[client] = int.from_bytes(digest, "little") or 1
        return mark

    def _find(self, mark: int) -> int | None:
        """Return where a client's row begins."""
        table, width = self._table, self._width
        for place in range(mark, mark + _PROBED):
            row = place % ROWS * width
            found = table[row]
            if found == mark:
                return row
            if not found:
                return None
        return None

    def _claim(self, mark: int, now: int) -> int:
        """Give a client a row, and return where it begins."""
        rows = [place % ROWS * self._width for place in range(mark, mark + _PROBED)]
        row = min(rows, key=lambda row: self._worth(row, now))
        for cell in range(row + 1, row + self._width):
            self._table[cell] = 0
        self._table[row] = mark
        return row

    def _worth(self, row: int, now: int) -> int:
        """Return how much would be forgotten with a row: -1 where it is nobody's."""
        mark = self._table[row]
        return self._sum(row, (now + mark % WINDOW_MS) // WINDOW_MS) if mark else -1

    def _sum(self, row: int, window: int) -> int:
        total = 0
        for cell in self._table[row + 1 : row + self._width].tolist():
            if cell >> 32 == window:
                total += cell & _COUNT
        return total
