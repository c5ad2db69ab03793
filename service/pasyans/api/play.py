"""Writing to games: deciding what somebody asks of one, and adding it to the log. No HTTP here.

A write decides on the game as it stands, and appends by compare-and-set. Where somebody else was faster, it is decided
again on the new head, unless who asks said which version is meant.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import suppress
from typing import Final, Protocol, TypeVar
from uuid import UUID

import msgspec

from pasyans.api import views, visibility
from pasyans.api.auth import Caller
from pasyans.api.deps import Dependencies
from pasyans.api.etag import moved_on
from pasyans.api.idempotency import once
from pasyans.api.members import Current
from pasyans.api.problems import Forbidden, NotFound, Problem, StaleVersion, Unavailable
from pasyans.api.recent import Standing
from pasyans.api.schemas.events import Event
from pasyans.record import events as record
from pasyans.record.decide import Decision
from pasyans.record.errors import Refusal
from pasyans.record.events import Deal, Started
from pasyans.record.fold import History, fold, frames
from pasyans.record.frames import Frame
from pasyans.record.game import Game
from pasyans.record.lines import decode, encode
from pasyans.record.result import result_of
from pasyans.record.snapshot import decode_snapshot, encode_snapshot
from pasyans.store.admin_values import NewAudit
from pasyans.store.base import Store
from pasyans.store.errors import Conflict, KeyUsed
from pasyans.store.values import Append, Appended, Author, Head, Key, LogRow, Player, UsedKey

T = TypeVar("T")

_RACES: Final = 20
_LONG: Final = 500

Decide = Callable[[Head, Game, int], Awaitable[Decision]]
"""From the head, its game and the time to what happens; raises a refusal."""


class Asking(Protocol):
    """A player who asks for something to be written, as the request has it."""

    @property
    def player(self) -> Player:
        """The player; raises `Unauthenticated` where there is none."""

    @property
    def caller(self) -> Caller:
        """Who asks, which may only be assumed."""

    async def confirm(self) -> None:
        """Look up who asks, where that was only assumed."""


class Command(msgspec.Struct, frozen=True):
    """What is asked of a game.

    ``asking`` is the player whose game it has to be; ``None`` for an admin's command, which goes for any. ``audit``
    makes the entry that the audit is given with it.
    """

    decide: Decide
    asking: Asking | None = None
    audit: Callable[[Head, int], NewAudit] | None = None


class Played(msgspec.Struct, frozen=True):
    """A game after a write: the head row before it or after, the events that it added, and whether it is a replay."""

    head: Head
    game: Game
    events: list[Event]
    is_replay: bool = False

    @property
    def sight(self) -> visibility.Sight:
        """What shows of the game: what did when it was written, so that a replay says the same."""
        return visibility.own(self.game, self.game.updated_at)


async def head_of(store: Store, game_id: UUID) -> Head:
    """Return a game's head row.

    Raises:
        NotFound: there is no such game.
    """
    head = await store.head(game_id)
    if head is None:
        raise NotFound("There is no game with this id.")
    return head


def game_of(head: Head) -> Game:
    """Return the game as its head row has it."""
    deal = Deal(head.kind, head.seed, head.date)
    return decode_snapshot(
        head.snapshot,
        start=Started(head.variant, head.rules, deal, str(head.player_id), head.attempt),
        version=head.version,
        started_at=head.started_at,
        updated_at=head.updated_at,
        finished_at=head.finished_at,
    )


async def frames_of(store: Store, game_id: UUID, after: int, upto: int) -> list[Frame]:
    """Return a frame for each event of a game with ``after < seq <= upto``."""
    rows = await store.log(game_id, 0, upto)
    return await _work(rows, lambda: [frame for frame in frames(_events(rows)) if after < frame.seq <= upto])


async def history_of(store: Store, head: Head) -> History:
    """Return a game with the way that it came."""
    rows = await store.log(head.game_id, 0, head.version)
    return await _work(rows, lambda: fold(_events(rows)))


async def _work(rows: list[LogRow], work: Callable[[], T]) -> T:
    """Do what takes as long as the log is; beside the event loop where that is long."""
    is_long = bool(rows) and rows[-1].last_seq > _LONG
    return await asyncio.to_thread(work) if is_long else work()


def _events(rows: list[LogRow]) -> Iterator[tuple[record.Event, int]]:
    for row in rows:
        for event in decode(row.events, row.first_seq):
            yield event, row.at


async def write(
    deps: Dependencies,
    game_id: UUID,
    command: Command,
    show: Callable[[Played], T],
    if_match: str | None = None,
    key: Key | None = None,
) -> T:
    """Add to a game what a command says, and return what ``show`` makes of it.

    A player's command is judged first on the game as this process knows it, for the player who seems to ask: what is
    added goes through only where both are right. Nothing is refused on that; the game is read and the player looked up
    before.

    Raises:
        Unauthenticated: the player's token is good no longer.
        NotFound, Forbidden, StaleVersion: there is no such game; it is another player's; it has moved on.
        IdempotencyMismatch, Refusal, StoreError: as the modules say.
    """
    asking = command.asking

    async def add(standing: Standing) -> T:
        head = standing.head
        if asking is not None and head.player_id != asking.player.player_id:
            raise Forbidden("This is another player's game: only its owner may play it.")
        if moved_on(head.version, if_match):
            raise StaleVersion(
                f"The game is at version {head.version}: read it again and decide anew.", Current(head.version)
            )
        decision, append = await decided(deps, standing, command, key)
        appended = deps.store.append(append)
        await asyncio.sleep(0)  # the commit is under way while the answer is made
        shown = show(Played(head, decision.game, _added(head, decision)))
        deps.recent.put(_after(head, decision.game, append, await appended))
        return shown

    async def do() -> T:
        known = None if asking is None else deps.recent.get(game_id)
        if known is not None:
            with suppress(Conflict, KeyUsed, Refusal, Problem):
                return await add(known)
        for _ in range(_RACES):
            if asking is not None:
                await asking.confirm()
            with suppress(Conflict):
                return await add(await standing_of(deps.store, game_id))
        raise Unavailable(written=False)

    async def repeat(used: UsedKey) -> T:
        return show(await replayed(deps.store, used))

    return await once(deps.store, key, do, repeat)


async def standing_of(store: Store, game_id: UUID) -> Standing:
    """Return a game as it stands.

    Raises:
        NotFound: there is no such game.
    """
    head = await head_of(store, game_id)
    return Standing(head, game_of(head))


def _author(head: Head, asking: Asking | None) -> Author | None:
    """Return who adds to a game, as far as that is known: the owner's name is to be as it will be shown."""
    token_id = None if asking is None else asking.caller.token_id
    return None if token_id is None else Author(token_id, head.name_changes)


def _after(head: Head, game: Game, append: Append, appended: Appended) -> Standing:
    """Return a game as it stands after an append."""
    after = msgspec.structs.replace(
        head,
        version=game.version,
        status=game.status,
        updated_at=game.updated_at,
        finished_at=game.finished_at,
        snapshot=append.snapshot,
        hash=appended.hash,
    )
    return Standing(after, game)


async def decided(
    deps: Dependencies, standing: Standing, command: Command, key: Key | None = None
) -> tuple[Decision, Append]:
    """Return what a command comes to on a game as it stands, and what adds that to its log.

    Raises:
        Refusal: the game refuses it.
    """
    head, at = standing.head, deps.clock()
    decision = await command.decide(head, standing.game, at)
    audit = command.audit and command.audit(head, at)
    return decision, append_of(head, decision, key, _author(head, command.asking), audit)


def append_of(
    head: Head,
    decision: Decision,
    key: Key | None = None,
    author: Author | None = None,
    audit: NewAudit | None = None,
) -> Append:
    """Return what adds a decision to the log of the game that it was made on, and an entry to the audit."""
    game = decision.game
    return Append(
        game_id=head.game_id,
        expected=head.version,
        previous=head.hash,
        last_seq=game.version,
        events=encode(decision.events),
        at=game.updated_at,
        status=game.status,
        finished_at=game.finished_at,
        snapshot=encode_snapshot(game),
        key=key,
        result=result_of(game),
        author=author,
        audit=audit,
    )


def _added(head: Head, decision: Decision) -> list[Event]:
    return [
        views.event(seq, event, decision.game.updated_at, changes)
        for seq, (event, changes) in enumerate(zip(decision.events, decision.changes, strict=True), head.version + 1)
    ]


async def replayed(store: Store, used: UsedKey) -> Played:
    """Rebuild from the log what a write gave: the game as it stood after it, and the events that it added."""
    head = await head_of(store, used.subject)
    rows = await store.log(used.subject, used.version - 1, used.version)
    added = await frames_of(store, used.subject, rows[0].first_seq - 1, used.version)
    return Played(head, added[-1].game, [views.framed(frame) for frame in added], is_replay=True)
