"""Lists of games."""

import sys
from itertools import chain, islice, pairwise, takewhile

import click
from pasyans_client.models import GameSummary

from pasyans_cli.options import command
from pasyans_cli.saying import say
from pasyans_cli.session import Session

STATUSES = ["playing", "won", "lost", "abandoned", "void"]
SHORTEST_ID = 8
HEADER = ("game", "variant", "status", "score", "moves", "started (UTC)", "deal", "player")


@command("games")
@click.option("--player", metavar="NAME", help="Of this player (you, unless told or not logged in).")
@click.option("--everyone", is_flag=True, help="Of all players.")
@click.option("--variant", metavar="VARIANT", help="Of one kind.")
@click.option("--status", type=click.Choice(STATUSES), help="That stand so.")
@click.option("--seed", metavar="SEED", help="On one deal.")
@click.option("--limit", type=click.IntRange(1, 200), default=20, show_default=True, help="How many, at most.")
@click.option("--all", "everything", is_flag=True, help="All of them, however many.")
@click.pass_context
def games(
    ctx: click.Context,
    player: str | None,
    everyone: bool,
    variant: str | None,
    status: str | None,
    seed: str | None,
    limit: int,
    everything: bool,
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
    pages = session.client.game_pages(
        player=player, variant=variant, status=status, seed=seed, limit=200 if everything else limit
    )
    if not everything:
        pages = islice(pages, 1)
    if session.out.json:
        for _ in pages:
            session.out.answer(session.body())
        return
    found = list(chain.from_iterable(pages))
    if not found:
        say("No games.")
    rows = [_row(game) for game in found]
    if sys.stdout.isatty() and player is not None:
        # One player's games: the name says nothing, and one's own can be named by the beginning of the id.
        own = session.login is not None and player == session.login.player
        length = _id_length([game.id for game in found]) if own else None
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
