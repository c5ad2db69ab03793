"""What the API answers, as frozen structs; the field names are the API's.

A field that this version does not know is passed over, so that a service may add some; a field that is missing or has
another type raises `BadAnswer`. Words from lists that may grow (`status`, `type`, `kind`) are plain strings. Times are
aware datetimes in UTC; durations are milliseconds.
"""

from datetime import datetime

import msgspec


class Answer(msgspec.Struct, frozen=True):
    """One HTTP answer as it came; `headers` has lower-case names."""

    status: int
    headers: dict[str, str]
    body: bytes


class Text(msgspec.Struct, frozen=True):
    """The same text in the two languages of the service."""

    en: str
    ru: str


class Player(msgspec.Struct, frozen=True):
    """A player as everybody sees them."""

    name: str
    guest: bool
    created_at: datetime


class NewPlayer(Player, frozen=True):
    """A player just made. `token` is shown here and never again."""

    token: str


class Token(msgspec.Struct, frozen=True):
    """A token of the caller's, without its secret."""

    id: str
    label: str | None
    created_at: datetime
    last_used_at: datetime | None


class NewToken(Token, frozen=True):
    """A token just made. `token` is shown here and never again."""

    token: str


class Zone(msgspec.Struct, frozen=True):
    """Piles that lie together: `rows` × `columns` places from (`row`, `column`), filled left to right, top to bottom.

    `kind` is `stock`, `waste`, `reserve`, `foundation`, `tableau` or `row` (each pile then is a row of cells); `fan` is
    how the cards of a pile lie: `none` (squared up), `down` or `right`.
    """

    id: str
    kind: str
    name: Text
    fan: str
    piles: tuple[str, ...]
    row: int
    column: int
    rows: int
    columns: int


class Layout(msgspec.Struct, frozen=True):
    """Where the piles of a variant lie, on a coarse grid of `rows` × `columns` places."""

    zones: tuple[Zone, ...]
    rows: int
    columns: int


class Variant(msgspec.Struct, frozen=True):
    """A kind of solitaire. `redeals` is `None` where they are unlimited."""

    id: str
    name: Text
    summary: Text
    rules: int
    cards: int
    redeals: int | None
    layout: Layout


class Pile(msgspec.Struct, frozen=True):
    """`hidden` face-down cards under `cards` (bottom first, face up). In a row of cells `"--"` is a gap."""

    id: str
    kind: str
    hidden: int
    cards: tuple[str, ...]


class Deal(msgspec.Struct, frozen=True):
    """The opening of a deal as a player sees it."""

    variant: str
    rules: int
    seed: str
    piles: tuple[Pile, ...]
    legal_moves: tuple[str, ...]


class Daily(msgspec.Struct, frozen=True):
    """The deal of a variant on a UTC day; `seed` is `None` until the day is over."""

    variant: str
    date: str
    commitment: str
    opens_at: datetime
    closes_at: datetime
    seed: str | None


class GameDeal(msgspec.Struct, frozen=True):
    """The deal of a game: `kind` is `sealed`, `shared` or `daily`; `seed` is `None` while it is sealed."""

    kind: str
    seed: str | None
    commitment: str | None
    date: str | None


class Standing(msgspec.Struct, frozen=True, kw_only=True):
    """How a play of a deal stands.

    `moves` and `redeals` are those on the line as it stands; `undos` counts the moves ever undone. `redeals_left` is
    `None` where they are unlimited.
    """

    variant: str
    rules: int
    deal: GameDeal
    ranked: bool
    version: int
    status: str
    stuck: bool
    score: int
    moves: int
    undos: int
    redeals: int
    redeals_left: int | None
    undo_available: int
    redo_available: int
    started_at: datetime
    updated_at: datetime
    finished_at: datetime | None
    elapsed_ms: int

    @property
    def running(self) -> bool:
        """Whether it can still be played."""
        return self.status == "playing"


class GameSummary(Standing, frozen=True, kw_only=True):
    """A game without its board, as lists show it."""

    id: str
    player: str
    attempt: int


class Game(GameSummary, frozen=True, kw_only=True):
    """One player's play of one deal, at one version.

    `legal_moves` is complete and sorted. `finish` lists the moves to the foundations that win from here, where there is
    such a way and nothing face down is left.
    """

    piles: tuple[Pile, ...]
    legal_moves: tuple[str, ...]
    finish: tuple[str, ...] | None


class RecordedGame(Standing, frozen=True, kw_only=True):
    """The game that a text record tells of, which is none of the service's own."""

    player: str | None
    piles: tuple[Pile, ...]
    legal_moves: tuple[str, ...]
    finish: tuple[str, ...] | None


class Change(msgspec.Struct, frozen=True, rename={"source": "from", "source_index": "from_index"}):
    """A card that went from one place to another; indices count from the bottom, face-down cards included.

    `card` is `None` unless face up before or after. All cards of an event are lifted, then all are placed.
    """

    card: str | None
    source: str
    source_index: int
    to: str
    to_index: int
    turned: bool


class Event(msgspec.Struct, frozen=True):
    """Something that happened in a game: `started`, `moved`, `undone`, `redone`, `finished`, `voided`, `restored`.

    `move` is set on `moved`, `count` on `undone` and `redone`, `outcome` on `finished`, `reason` on `voided` and
    `restored`.
    """

    seq: int
    type: str
    at: datetime
    changes: tuple[Change, ...]
    move: str | None = None
    count: int | None = None
    outcome: str | None = None
    reason: str | None = None


class Played(Game, frozen=True, kw_only=True):
    """A game after a write, with the events that the write added."""

    events: tuple[Event, ...]


class StreamMessage(msgspec.Struct, frozen=True):
    """What happened in a game since the message before, and the game after that."""

    events: tuple[Event, ...]
    game: Game


class Frame(msgspec.Struct, frozen=True):
    """A game right after one of its events."""

    event: Event
    game: Game


class Page(msgspec.Struct, frozen=True):
    """One page of a list, its items undecoded; `next` leads to the next one."""

    items: list[msgspec.Raw]
    next: str | int | None


class RecordFrame(msgspec.Struct, frozen=True):
    """The game of a record right after one of its events."""

    event: Event
    game: RecordedGame


class Verification(msgspec.Struct, frozen=True):
    """What a record is worth: `game` is where its moves lead.

    Where it cannot be, `game` is `None`, `line` (from 1), `move` and `index` (the move's, from 0) name the first
    fault, and `detail` is a sentence about it.
    """

    valid: bool
    game: RecordedGame | None
    frames: tuple[RecordFrame, ...] | None
    line: int | None
    move: str | None
    index: int | None
    detail: str | None
