"""Who played best."""

from collections.abc import Sequence
from functools import partial

import click
from pasyans_client.leaderboards import BoardFilters
from pasyans_client.results import BoardRow, Leaderboard, Neighbourhood

from pasyans_cli.board.status import counted, duration
from pasyans_cli.lists import Extent, listing, show
from pasyans_cli.options import command
from pasyans_cli.parameters import DAY_OR_TODAY, PLAYER_OR_ME, VARIANT
from pasyans_cli.saying import say
from pasyans_cli.session import Session
from pasyans_cli.tables import Column

WINDOWS = ["all", "day", "week", "month"]
HEADER: tuple[str | Column, ...] = (
    Column("rank", number=True),
    Column("player", elastic=True),
    "won",
    *(Column(title, number=True) for title in ("score", "redeals", "moves", "undos", "time")),
    Column("finished", spare=True),
    Column("attempt", number=True, spare=True),
    Column("game", spare=True),
)


@command("leaderboard")
@click.argument("variant", type=VARIANT)
@click.option("--seed", metavar="SEED", help="Of the public deal of SEED.")
@click.option(
    "--daily",
    type=DAY_OR_TODAY,
    is_flag=False,
    flag_value="today",
    metavar="[DATE]",
    help="Of the daily deal of a date, such as 2026-11-29; of today's unless told.",
)
@click.option("--window", type=click.Choice(WINDOWS), help="Of games that ended in this day, week or month (UTC).")
@click.option("--at", metavar="DATE", help="With --window: that of another date.")
@click.option(
    "--attempts",
    type=click.Choice(["best", "first"]),
    help="Of a player's best game, or of first attempts alone, as on a daily deal.",
)
@click.option("--undo", type=click.Choice(["any", "none"]), help="none: of games in which nothing was taken back.")
@click.option("--rules", type=int, metavar="N", help="Under rules that were in force before.")
@click.option("--around", type=PLAYER_OR_ME, metavar="me|NAME", help="A player's row among its neighbours.")
@click.option("--neighbours", type=click.IntRange(0, 100), metavar="N", help="With --around: N above and N below; 5.")
@listing
@click.pass_context
def leaderboard(
    ctx: click.Context,
    variant: str,
    seed: str | None,
    daily: str | None,
    window: str | None,
    at: str | None,
    attempts: str | None,
    undo: str | None,
    rules: int | None,
    around: str | None,
    neighbours: int | None,
    extent: Extent,
) -> None:
    """Show the leaderboard of VARIANT, a row a player, the best first.

    Without --seed and --daily sealed games count, and first attempts at daily deals that ended before the day did. On
    a terminal your own row is marked; what has no room on a narrow one is in a pipe and in --json.
    """
    if around is None and neighbours is not None:
        raise click.UsageError("--neighbours goes with --around.")
    if around is not None and extent.told:
        raise click.UsageError("--around shows a row and its --neighbours; leave out --limit and --all.")
    session = Session.of(ctx)
    which: BoardFilters = {
        "seed": seed,
        "daily": session.client.dailies()[0].date if daily == "today" else daily,
        "window": window,
        "at": at,
        "attempts": attempts,
        "undo": undo,
        "rules": rules,
    }
    if around is None:
        show(session, session.client.leaderboard_pages(variant, **extent.paging, **which), partial(_top, session))
        return
    name = session.me() if around == "me" else around
    found = session.client.leaderboard_around(variant, name, around=neighbours, **which)
    if session.out.json:
        session.out.answer(session.body())
    else:
        _table(session, found.items, found.row.player)
        _tell(found)


def _top(session: Session, pages: list[Leaderboard]) -> None:
    _table(session, [row for page in pages for row in page.items])
    _tell(pages[-1])


def _table(session: Session, rows: Sequence[BoardRow], *players: str) -> None:
    """Print rows, those of oneself and of these players marked."""
    if session.out.terminal and session.login is not None:
        players += (session.me(),)
    marked = [place for place, row in enumerate(rows) if row.player in players]
    session.out.table(HEADER, [_cells(row) for row in rows], marked=marked)


def _cells(row: BoardRow) -> tuple[str, ...]:
    return (
        str(row.rank),
        row.player,
        "yes" if row.won else "no",
        *map(str, (row.score, row.redeals, row.moves, row.undos)),
        duration(row.elapsed_ms),
        f"{row.finished_at:%Y-%m-%d}",
        str(row.attempt),
        row.game,
    )


def _tell(board: Leaderboard | Neighbourhood) -> None:
    has = counted(board.total, "player") if board.total else "nobody"
    end = "" if board.resets_at is None else f", and resets at {board.resets_at:%Y-%m-%d %H:%M} UTC"
    say(f"This board has {has}{end}.")
