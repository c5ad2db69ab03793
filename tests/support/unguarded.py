"""The service with guards that tests take out: an attack is seen to succeed before it is seen to be refused.

All of it is the service as it is, on a clock that tests set, but for the guards that a file names at the moment. Each
is one decision of the code, replaced from outside by what would be there if nobody had thought of it.

Run as a program, this is `pasyansd serve` with such guards.
"""

import hashlib
import os
import random
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final
from uuid import UUID

import msgspec

from tests.support.clocked import Clock
from tests.support.service import Service, serving

_ROOT = Path(__file__).parents[2]
_CLOCK = "CLOCK_FILE"
_GUARDS = "GUARDS_FILE"


@dataclass
class Unguarded:
    """A running service, and the file that names the guards that are out."""

    service: Service
    path: Path

    @property
    def url(self) -> str:
        """Where it answers."""
        return self.service.url

    @contextmanager
    def without(self, *guards: str) -> Iterator[str]:
        """Take guards out for as long as the block runs; its address."""
        assert set(guards) <= set(GUARDS), guards
        self._write(" ".join(guards))
        try:
            yield self.url
        finally:
            self._write("")

    def _write(self, text: str) -> None:
        new = self.path.with_suffix(".new")
        new.write_text(text)
        new.replace(self.path)


@contextmanager
def unguarded(log_path: Path, clock: Clock, settings: Mapping[str, str]) -> Iterator[Unguarded]:
    """Start the service with every guard in; it ends with the block."""
    guards = log_path.with_name("guards")
    guards.write_text("")
    path = os.pathsep.join([str(_ROOT), *filter(None, [os.environ.get("PYTHONPATH")])])
    own = {_CLOCK: str(clock.path), _GUARDS: str(guards), "PYTHONPATH": path}
    with serving(log_path, own | dict(settings), [sys.executable, "-m", "tests.support.unguarded"]) as service:
        yield Unguarded(service, guards)


def _is_out(guard: str) -> bool:
    return guard in Path(os.environ[_GUARDS]).read_text().split()


def _replace(guard: str, where: object, name: str, without: Callable[..., Any]) -> None:
    """Let ``where.name`` be ``without`` while a guard is out; that is given what it replaces, then the arguments."""
    original = getattr(where, name)

    def either(*args: Any, **options: Any) -> Any:
        return without(original, *args, **options) if _is_out(guard) else original(*args, **options)

    setattr(where, name, either)


def _set(guard: str, where: object, name: str, function: tuple[object, str], value: object) -> None:
    """Let the constant ``where.name`` be ``value`` while a guard is out, whenever ``function`` begins."""
    original = getattr(where, name)
    module, called = function
    inner = getattr(module, called)

    def either(*args: Any, **options: Any) -> Any:
        setattr(where, name, value if _is_out(guard) else original)
        return inner(*args, **options)

    setattr(module, called, either)


def _replace_property(guard: str, where: type, name: str, without: Callable[..., Any]) -> None:
    """The same for a property; ``without`` is given what works it out, then whose it is."""
    original = getattr(where, name).fget

    def either(owner: Any) -> Any:
        return without(original, owner) if _is_out(guard) else original(owner)

    setattr(where, name, property(either))


def _batch() -> None:
    """A move that turns up cards may stand anywhere in a batch."""
    from pasyans.engine.grids import GridRules
    from pasyans.engine.piles import PileRules

    for family in (PileRules, GridRules):
        _replace("batch", family, "may_turn_up", lambda _original, _rules, _move: False)


def _look() -> None:
    """Another's game of a daily is shown like any other."""
    from pasyans.api import visibility

    def look(original: Any, head: Any, _viewer: UUID | None, now: int) -> Any:
        return original(head, head.player_id, now)

    _replace("look", visibility, "look", look)


def _seed() -> None:
    """The seed is shown from the start."""
    from pasyans.api import views
    from pasyans.api.v1 import records

    def deal_seen(original: Any, game: Any, **_: bool) -> Any:
        return original(game, is_open=True)

    def write_record(original: Any, *args: Any, **options: Any) -> Any:
        return original(*args, **{**options, "is_open": True})

    _replace("seed", views, "deal_seen", deal_seen)
    _replace("seed", views, "daily_seed", lambda _original, daily, _now: daily.seed)
    _replace("seed", records, "write_record", write_record)


def _verify() -> None:
    """A record is judged whatever its deal is."""
    from pasyans.api.v1 import records

    async def judged(_original: Any, *_args: Any) -> None:
        return None

    _replace("verify", records, "_refuse_daily", judged)


def _seen() -> None:
    """Lists have dailies whatever their day."""
    from pasyans.store import heads

    # All parameters stay in use: PostgreSQL wants to know their types.
    _set("seen", heads, "_SEEN", (heads, "games"), "(true OR g.date < $2 OR g.player_id = $3)")


def _open() -> None:
    """A seed is looked for in every game."""
    from pasyans.store import heads

    _set("open", heads, "_OPEN", (heads, "games"), "true")


def _kind() -> None:
    """What a deal came to counts games of every kind."""
    from pasyans.store import boards

    every_kind = boards._DEAL.replace("kind = 'shared' AND ", "")
    _set("kind", boards, "_DEAL", (boards, "deal_games"), every_kind)


def _running() -> None:
    """Nobody asks whether a player has a running game of the daily."""
    from pasyans.store import starting

    _set("running", starting, "_RUNNING", (starting, "create"), f"{starting._RUNNING} AND false")


def _turn() -> None:
    """Starts of one player on one deal do not wait for one another."""
    from pasyans.store import starting

    counted = "SELECT count(*)::int4 + 1 FROM games WHERE player_id = $1 AND variant = $2 AND seed = $3"
    _set("turn", starting, "_ATTEMPT", (starting, "create"), counted)


def _ranking() -> None:
    """Every game of a daily counts, whichever it is and whenever it ends."""
    from pasyans.api import visibility

    def is_ranked(original: Any, kind: str, day: str | None, _attempt: int, status: str, _ended_at: int) -> Any:
        return original(kind, day, 1, status, 0)

    _replace("ranking", visibility, "is_ranked", is_ranked)


def _scope() -> None:
    """Idempotency keys are everybody's."""
    from pasyans.api.v1 import games, moves

    def key_of(original: Any, _scope: UUID, *rest: Any) -> Any:
        return original(UUID(int=0), *rest)

    for module in (games, moves):
        _replace("scope", module, "key_of", key_of)


def _owner() -> None:
    """Anybody plays anybody's game."""
    from pasyans.api import play

    async def head_of(original: Any, store: Any, game_id: UUID) -> Any:
        return msgspec.structs.replace(await original(store, game_id), player_id=_Anybody(int=0))

    _replace("owner", play, "head_of", head_of)


class _Anybody(UUID):
    """An id that is no different from any other."""

    def __ne__(self, _other: object) -> bool:
        return False


def _admin() -> None:
    """Whoever names an admin token, by its id in a header of the request, is taken for that admin."""
    from pasyans.api.requests import ApiRequest
    from pasyans.store.admin_values import AdminToken

    def admin(_original: Any, request: Any) -> AdminToken:
        return AdminToken(UUID(request.headers.get("x-admin", str(UUID(int=0)))), "", 0, None, None)

    _replace_property("admin", ApiRequest, "admin", admin)


def _result_seed() -> None:
    """Admins are shown the seeds of all results."""
    from pasyans.api import visibility

    _replace("result-seed", visibility, "result_seed", lambda _original, result, _now: result.seed)


def _result_open() -> None:
    """Results are looked for by any seed."""
    from pasyans.store import finding

    for function in ("page", "batches", "count"):
        _set("result-open", finding, "_OPEN", (finding, function), "true")


def _result_order() -> None:
    """Results are sorted by their seeds, shown or not."""
    from pasyans.store import finding

    plain = {**finding._COLUMNS, "seed": finding._Column("seed", "text")}
    _set("result-order", finding, "_COLUMNS", (finding, "page"), plain)


def _finished() -> None:
    """A running game that is voided is ended first."""
    from pasyans.api import judging
    from pasyans.record import decide
    from pasyans.record.events import Finished

    def void(original: Any, game: Any, reason: Any, at: int) -> Any:
        if game.is_over:
            return original(game, reason, at)
        over = decide._end(game, Finished("lost"), at)
        after = original(over.game, reason, at)
        return decide.Decision([*over.events, *after.events], [*over.changes, *after.changes], after.game)

    _replace("finished", decide, "void", void)
    judging._DECIDE = {**judging._DECIDE, "voided": decide.void}  # type: ignore[misc]


def _over() -> None:
    """A void game is as if it had not ended."""
    from pasyans.record.events import Restored, Voided
    from pasyans.record.fold import History
    from pasyans.record.game import Game

    def follow(original: Any, history: Any, event: Any, at: int) -> None:
        if not history._is_void or isinstance(event, Voided | Restored):
            original(history, event, at)
            return
        outcome, history._outcome = history._outcome, None
        original(history, event, at)
        history._outcome = history._outcome or outcome

    _replace_property("over", Game, "is_over", lambda _original, game: game.outcome is not None and not game.is_void)
    _replace("over", History, "follow", follow)


def _counts() -> None:
    """What is void counts like anything else."""
    from pasyans.record.result import Result
    from pasyans.store import boards, tallies

    _replace_property("counts", Result, "counts", lambda _original, result: result.outcome != "abandoned")
    standing = boards._DEAL.replace("AND NOT is_void ", "")

    async def deal_games(_original: Any, database: Any, *deal: Any) -> Any:
        variant, rules, seed = deal
        return tuple((await database.fetch(standing, seed, variant, rules))[0])

    _replace("counts", boards, "deal_games", deal_games)
    won_or_lost = tallies._TALLIES.replace("IN ('won', 'lost')", "IN ('won', 'lost', 'void')")
    _set("counts", tallies, "_TALLIES", (tallies, "tallies"), won_or_lost)


def _dry_run() -> None:
    """A dry run does all that the real one does."""
    from pasyans.api import judging

    async def void_results(original: Any, deps: Any, admin: Any, wanted: Any, *rest: Any) -> Any:
        return await original(deps, admin, msgspec.structs.replace(wanted, dry_run=False), *rest)

    _replace("dry-run", judging, "void_results", void_results)


def _judged() -> None:
    """The answer to a verdict shows the cards to whoever asked for it."""
    from pasyans.api import views

    def judged(original: Any, head: Any, game: Any, sight: Any) -> Any:
        return original(head, game, msgspec.structs.replace(sight, is_private=False))

    _replace("judged", views, "judged", judged)


def _face_down() -> None:
    """Every card is shown, whichever way up it lies."""
    from pasyans.engine.piles import PileRules

    _replace("face-down", PileRules, "face_down", lambda _original, _rules, _position, _pile: 0)


def _stock() -> None:
    """A move from the stock is judged by its card before it is said that nothing is taken from there."""
    from pasyans.engine import piles
    from pasyans.engine.piles import PileRules

    def refusal(original: Any, rules: Any, held: Any, source: int, target: int, count: int) -> Any:
        if source == piles.STOCK and held[piles.STOCK]:
            held, source = (b"", held[piles.STOCK], *held[2:]), piles.WASTE
        return original(rules, held, source, target, count)

    _replace("stock", PileRules, "_refusal", refusal)


def _changes() -> None:
    """A card that moves is named, whichever way up it lies."""
    from pasyans.engine import changes
    from pasyans.engine.cards import CARD_NAMES

    def change(original: Any, rules: Any, before: Any, source: Any, after: Any, target: Any) -> Any:
        card = before.piles[source[0]][source[1]]
        return msgspec.structs.replace(original(rules, before, source, after, target), card=CARD_NAMES[card])

    _replace("changes", changes, "_change", change)


def _chance() -> None:
    """Seeds have 8 random bits."""
    from pasyans.server import clock

    _replace("chance", clock, "random_bytes", lambda original, count: bytes(count - 1) + original(1))


def _time() -> None:
    """Seeds follow from the time, as with a generator that it has seeded."""
    from pasyans.server import clock

    now = Clock(Path(os.environ[_CLOCK])).now
    _replace("time", clock, "random_bytes", lambda _original, count: seed_of_time(now(), count))


def _id() -> None:
    """The random bits of an id and the seed that is drawn next are the same ones."""
    from pasyans.server import clock

    last = [UUID(int=0)]

    def new_id(original: Any, at: int) -> UUID:
        last[0] = original(at)
        return last[0]

    _replace("id", clock, "new_id", new_id)
    _replace("id", clock, "random_bytes", lambda _original, count: seed_of_id(last[0])[:count])


def seed_of_time(at: int, count: int = 16) -> bytes:
    """The bytes of a seed that was made of the time alone."""
    return random.Random(at).randbytes(count)


def seed_of_id(id_: UUID) -> bytes:
    """The bytes of a seed that was made of an id alone."""
    return hashlib.sha256(id_.bytes).digest()[:16]


GUARDS: Final[dict[str, Callable[[], None]]] = {
    "admin": _admin,
    "batch": _batch,
    "chance": _chance,
    "changes": _changes,
    "counts": _counts,
    "dry-run": _dry_run,
    "face-down": _face_down,
    "finished": _finished,
    "id": _id,
    "judged": _judged,
    "kind": _kind,
    "look": _look,
    "open": _open,
    "over": _over,
    "owner": _owner,
    "ranking": _ranking,
    "result-open": _result_open,
    "result-order": _result_order,
    "result-seed": _result_seed,
    "running": _running,
    "scope": _scope,
    "seed": _seed,
    "seen": _seen,
    "stock": _stock,
    "time": _time,
    "turn": _turn,
    "verify": _verify,
}
"""What can be taken out, by name."""


def create_app() -> object:
    """The application of a worker whose guards can be taken out, on the clock that the environment names."""
    # Most tests that import this module do not serve.
    from pasyans.server import asgi

    for prepare in GUARDS.values():
        prepare()
    return asgi.build(Clock(Path(os.environ[_CLOCK])).now)


if __name__ == "__main__":
    from pasyans.server import command

    sys.exit(not command.serve_application("tests.support.unguarded:create_app"))
