"""Players, as admins see them."""

from datetime import datetime
from itertools import chain

import click
from pasyans_client.admin_models import AdminPlayer

from pasyans_cli.admin import AdminSession, grounds
from pasyans_cli.lists import Extent, listing, show
from pasyans_cli.options import command
from pasyans_cli.saying import say
from pasyans_cli.tables import NOTHING, Column

HEADER: tuple[str | Column, ...] = (
    Column("player", elastic=True),
    *(Column(title, number=True) for title in ("games", "running", "finished")),
    "banned (UTC)",
    Column("created (UTC)", spare=True),
    Column("guest", spare=True),
    Column("erased (UTC)", spare=True),
)


@command("players")
@click.argument("search", required=False, metavar="[TEXT]")
@click.option("--banned/--not-banned", default=None, help="Only those who are, or are not.")
@listing
@click.pass_context
def players(ctx: click.Context, search: str | None, banned: bool | None, extent: Extent) -> None:
    """List players by name, those with TEXT in it: their games, and since when they are banned."""
    session = AdminSession.of(ctx)

    def table(pages: list[list[AdminPlayer]]) -> None:
        rows = [_row(each) for each in chain.from_iterable(pages)]
        if not rows:
            say("No players.")
        session.out.table(HEADER, rows)

    show(session, session.client.player_pages(search=search, banned=banned, **extent.paging), table)


@command("ban")
@click.argument("player")
@grounds
@click.pass_context
def ban(ctx: click.Context, player: str, reason: str, note: str | None) -> None:
    """Take PLAYER off all boards, now and later; who is banned may play on. `pasyans admin unban` takes that back."""
    session = AdminSession.of(ctx)
    found = session.client.ban(player, reason, note=note)
    if session.out.json:
        session.out.answer(session.body())
    say(f"{found.name} is banned, since {_minute(found.banned_at)} UTC.")


@command("unban")
@click.argument("player")
@grounds
@click.pass_context
def unban(ctx: click.Context, player: str, reason: str, note: str | None) -> None:
    """Let PLAYER back on the boards, with all results, also those that came meanwhile."""
    session = AdminSession.of(ctx)
    found = session.client.unban(player, reason, note=note)
    if session.out.json:
        session.out.answer(session.body())
    say(f"{found.name} is not banned.")


def _row(player: AdminPlayer) -> tuple[str, ...]:
    return (
        player.name,
        *map(str, (player.games, player.running, player.finished)),
        _minute(player.banned_at),
        _minute(player.created_at),
        "yes" if player.guest else NOTHING,
        _minute(player.erased_at),
    )


def _minute(at: datetime | None) -> str:
    return NOTHING if at is None else f"{at:%Y-%m-%d %H:%M}"
