"""The player that one is: a name, statistics, everything to take along, and the end."""

import sys

import click
from pasyans_client.results import VariantStats

from pasyans_cli import config
from pasyans_cli.board.status import duration
from pasyans_cli.config import Login
from pasyans_cli.exits import Exit, Failed
from pasyans_cli.options import command
from pasyans_cli.saying import say
from pasyans_cli.session import Session
from pasyans_cli.tables import NOTHING, Column

NUMBERS = ("played", "won", "streak", "longest", "best score", "moves", "time", "median")
HEADER: tuple[str | Column, ...] = ("variant", *(Column(title, number=True) for title in NUMBERS))


@command("name")
@click.argument("name")
@click.pass_context
def name(ctx: click.Context, name: str) -> None:
    """Take NAME, as a guest; it stays for good.

    3 to 24 letters, digits, _ and -, a letter first; Latin or Cyrillic letters, not both.
    """
    session = Session.of(ctx)
    session.require_login()
    assert session.login is not None  # noqa: S101
    player = session.client.take_name(name)
    config.PLAYERS.save(session.server, Login(player.name, session.login.token))
    say(f"You are called {player.name} at {session.server}.")
    if session.out.json:
        session.out.answer(session.body())


@command("stats")
@click.argument("player", required=False)
@click.pass_context
def stats(ctx: click.Context, player: str | None) -> None:
    """Show what the games of PLAYER (you, unless told) came to, for each kind that was played.

    Sealed games count, and first attempts at daily deals that ended before the day did.
    """
    session = Session.of(ctx)
    found = session.client.stats(session.me() if player is None else player)
    if session.out.json:
        session.out.answer(session.body())
        return
    rows = [_row(each) for each in found.variants if each.played]
    if not rows:
        say(f"{found.player} has finished no game that counts.")
    session.out.table(HEADER, rows)


@command("export")
@click.pass_context
def export(ctx: click.Context) -> None:
    """Print everything that the service keeps of you, as JSON: `pasyans export > pasyans.json`.

    When the connection breaks, what was printed is not whole, and the exit code says so.
    """
    session = Session.of(ctx)
    session.require_login()
    for piece in session.client.export():
        sys.stdout.buffer.write(piece)
    sys.stdout.flush()


@command("erase")
@click.option("--yes", "confirmed", metavar="NAME", help="Do not ask; NAME is the player to be erased.")
@click.pass_context
def erase(ctx: click.Context, confirmed: str | None) -> None:
    """Erase the player that you are, for good: the name and all tokens go, and running games end as abandoned.

    Games stay, under a name that says nothing. `pasyans export` prints everything first.
    """
    session = Session.of(ctx)
    player = session.me()
    if confirmed is None:
        if not session.out.interactive:
            raise click.UsageError(f"There is no way back. Say --yes {player} to erase {player}.")
        say(f"This erases {player} at {session.server}. There is no way back.")
        confirmed = click.prompt("Type the name to go on", default="", show_default=False, err=True)
    if confirmed != player:
        raise Failed(f"You are {player}, not {confirmed or 'nobody'}: nothing was erased.", Exit.CONFLICT)
    session.client.erase()
    config.PLAYERS.forget(session.server)
    say(f"Erased {player} at {session.server}.")


def _row(stats: VariantStats) -> tuple[str, ...]:
    best = stats.best
    return (
        stats.variant,
        str(stats.played),
        str(stats.won),
        str(stats.streak),
        str(stats.best_streak),
        *(
            (NOTHING, NOTHING, NOTHING)
            if best is None
            else (str(best.score), str(best.moves), duration(best.elapsed_ms))
        ),
        NOTHING if stats.median_elapsed_ms is None else duration(stats.median_elapsed_ms),
    )
