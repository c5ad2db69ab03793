"""Lists of games."""

from itertools import chain, pairwise, takewhile

import click
from pasyans_client.models import GameSummary

from pasyans_cli.lists import Extent, listing, show
from pasyans_cli.options import command
from pasyans_cli.parameters import VARIANT
from pasyans_cli.saying import say
from pasyans_cli.session import Session
from pasyans_cli.tables import Column

STATUSES = ["playing", "won", "lost", "abandoned", "void"]
SHORTEST_ID = 8
SCORE, MOVES = Column("score", number=True), Column("moves", number=True)
HEADER = ("game", "variant", "status", SCORE, MOVES, "started (UTC)", "deal", "player")


@command("games")
@click.option("--player", metavar="NAME", help="Of this player (you, unless told or not logged in).")
@click.option("--everyone", is_flag=True, help="Of all players.")
@click.option("--variant", type=VARIANT, metavar="VARIANT", help="Of one kind.")
@click.option("--status", type=click.Choice(STATUSES), help="That stand so.")
@click.option("--seed", metavar="SEED", help="On one deal.")
@listing
@click.pass_context
def games(
    ctx: click.Context,
    player: str | None,
    everyone: bool,
    variant: str | None,
    status: str | None,
    seed: str | None,
    extent: Extent,
) -> None:
    """List games, newest first.

    On a terminal the ids of your own games are shortened as far as they stay apart in the list. With --json each page
    of the list is a line.
    """
    if everyone and player is not None:
        raise click.UsageError("Give --player or --everyone, not both.")
    session = Session.of(ctx)
    if player is None and not everyone and session.login is not None:
        player = session.me()
    elif player is not None:
        player = session.client.player(player).name  # a list would only be empty where there is no such player
    pages = session.client.game_pages(player=player, variant=variant, status=status, seed=seed, **extent.paging)
    show(session, pages, lambda found: _table(session, list(chain.from_iterable(found)), player))


def _table(session: Session, games: list[GameSummary], player: str | None) -> None:
    if not games:
        say("No games.")
    rows = [_row(game) for game in games]
    if session.out.terminal and player is not None:
        # One player's games: the name says nothing, and one's own can be named by the beginning of the id.
        own = session.login is not None and player == session.login.player
        length = _id_length([game.id for game in games]) if own else None
        session.out.table(HEADER[:-1], [(row[0][:length], *row[1:-1]) for row in rows])
    else:
        session.out.table(HEADER, rows)


def _row(game: GameSummary) -> tuple[str, ...]:
    status = "stuck" if game.running and game.stuck else game.status
    return (
        game.id,
        game.variant,
        status,
        str(game.score),
        str(game.moves),
        f"{game.started_at:%Y-%m-%d %H:%M}",
        game.deal.seed if game.deal.kind == "shared" and game.deal.seed else game.deal.kind,
        game.player,
    )


def _id_length(ids: list[str]) -> int:
    """As many characters as tell the ids apart; they are sorted, so that neighbours are the closest."""
    common = max((_alike(*pair) for pair in pairwise(ids)), default=0)
    return max(SHORTEST_ID, common + 1)


def _alike(one: str, other: str) -> int:
    """How many characters two ids have in common before they differ."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=True)))
