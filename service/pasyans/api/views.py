"""From games and their events to the JSON of the API."""

from typing import Any, TypeVar, cast
from uuid import UUID

from pasyans.api.schemas import events as event_schemas
from pasyans.api.schemas.admin import JudgedGame
from pasyans.api.schemas.events import Change, Event
from pasyans.api.schemas.games import Game, GameSummary, PlayedGame
from pasyans.api.schemas.records import RecordedGame
from pasyans.api.schemas.variants import Daily as DailyDeal
from pasyans.api.schemas.variants import Pile
from pasyans.api.visibility import Sight, daily_seed, deal_seen
from pasyans.deals.days import closes_at, opens_at
from pasyans.deals.seeds import commitment
from pasyans.engine import view as engine
from pasyans.engine.view import PileView
from pasyans.record import events as record
from pasyans.record import game as record_game
from pasyans.record.frames import Frame
from pasyans.record.text import Replay
from pasyans.record.times import format_time
from pasyans.store.values import Daily, Head

T = TypeVar("T", bound=GameSummary | RecordedGame)


def summary(head: Head, game: record_game.Game, sight: Sight) -> GameSummary:
    """Return ``game`` without its cards."""
    return _owned(GameSummary, head, game, sight)


def full(head: Head, game: record_game.Game, sight: Sight) -> Game:
    """Return ``game``, which may be an earlier state of what is in ``sight``, with its cards."""
    return _owned(Game, head, game, sight, **_cards(game))


def played(head: Head, game: record_game.Game, sight: Sight, events: list[Event]) -> PlayedGame:
    """Return ``game`` with the events that a write added."""
    return _owned(PlayedGame, head, game, sight, events=events, **_cards(game))


def judged(head: Head, game: record_game.Game, sight: Sight) -> JudgedGame:
    """Return ``game``, which an admin has voided or restored, as anybody may see it."""
    cards = _cards(game)
    if sight.is_private:
        cards["piles"] = []
    return _owned(JudgedGame, head, game, sight, **cards)


def recorded(game: record_game.Game, replay: Replay) -> RecordedGame:
    """Return ``game``, a state of the one that a record tells of."""
    player = replay.tags.get("Player")
    # A record with a seed hides nothing.
    return _standing(
        RecordedGame, game, is_open=True, id=None, player=player, attempt=None, ranked=False, **_cards(game)
    )


def _owned(kind: type[T], head: Head, game: record_game.Game, sight: Sight, **cards: Any) -> T:  # noqa: ANN401
    return _standing(
        kind,
        game,
        is_open=sight.is_open,
        id=head.game_id,
        player=head.player,
        attempt=head.attempt,
        ranked=sight.is_ranked,
        **cards,
    )


def _cards(game: record_game.Game) -> dict[str, Any]:
    return {"piles": piles(game.piles), "legal_moves": game.legal_moves, "finish": game.finish}


def _standing(kind: type[T], game: record_game.Game, *, is_open: bool, **more: Any) -> T:  # noqa: ANN401
    return kind(
        variant=game.start.variant,
        rules=game.start.rules,
        deal=deal_seen(game, is_open=is_open),
        version=game.version,
        status=game.status,
        stuck=game.stuck,
        score=game.score,
        moves=game.moves,
        undos=game.undos,
        redeals=game.redeals,
        redeals_left=game.redeals_left,
        undo_available=game.undo_available,
        redo_available=game.redo_available,
        started_at=format_time(game.started_at),
        updated_at=format_time(game.updated_at),
        finished_at=None if game.finished_at is None else format_time(game.finished_at),
        elapsed_ms=game.elapsed_ms,
        **more,
    )


def piles(views: list[PileView]) -> list[Pile]:
    """Return what a player may see of the piles.

    They are the engine's own, which have the fields of a `Pile`, and so its JSON: a copy would be for nothing.
    """
    return cast("list[Pile]", views)


def event(seq: int, what: record.Event, at: int, changes: list[engine.Change]) -> Event:
    """Return the event numbered ``seq``, which happened at ``at``, with its net effect."""
    common: dict[str, Any] = {"seq": seq, "at": format_time(at), "changes": [_change(each) for each in changes]}
    match what:
        case record.Moved(move):
            return event_schemas.MovedEvent(move=move, **common)
        case record.Undone(count):
            return event_schemas.UndoneEvent(count=count, **common)
        case record.Redone(count):
            return event_schemas.RedoneEvent(count=count, **common)
        case record.Finished(outcome):
            return event_schemas.FinishedEvent(outcome=outcome, **common)
        case record.Voided(reason):
            return event_schemas.VoidedEvent(reason=reason, **common)
        case record.Restored(reason):
            return event_schemas.RestoredEvent(reason=reason, **common)
        case record.Started():
            return event_schemas.StartedEvent(**common)


def framed(frame: Frame) -> Event:
    """Return the event of a frame."""
    return event(frame.seq, frame.event, frame.at, frame.changes)


def daily(deal: Daily, now: int) -> DailyDeal:
    """Return the deal of a day as everybody sees it at the time ``now``."""
    return DailyDeal(
        deal.variant,
        deal.date,
        commitment(deal.seed),
        format_time(opens_at(deal.date)),
        format_time(closes_at(deal.date)),
        daily_seed(deal, now),
    )


def _change(change: engine.Change) -> Change:
    return Change(change.card, change.source, change.source_index, change.target, change.target_index, change.turned)


def game_path(game_id: UUID) -> str:
    """Return where a game is."""
    return f"/v1/games/{game_id}"
