"""The audit."""

from datetime import datetime
from itertools import chain

import click
from pasyans_client.admin_models import AuditDetails, AuditEntry

from pasyans_cli.admin import AdminSession
from pasyans_cli.lists import Extent, listing, show
from pasyans_cli.options import command
from pasyans_cli.parameters import TIME, Words
from pasyans_cli.saying import say
from pasyans_cli.tables import NOTHING, Column

ACTION = Words("action", "voided", "restored", "results-voided", "banned", "unbanned", "token-made", "token-revoked")
HEADER: tuple[str | Column, ...] = (
    "at (UTC)",
    Column("actor", elastic=True),
    "action",
    Column("player", elastic=True),
    "reason",
    Column("note", elastic=True),
    Column("details", elastic=True),
    Column("game", spare=True),
    Column("entry", spare=True),
)
OPERATOR = "(operator)"


@command("audit")
@click.option("--actor", metavar="NAME", help="Done with the admin token of this name.")
@click.option("--action", type=ACTION, metavar="ACTION", help="Only this.")
@click.option("--game", metavar="GAME", help="Done to this game.")
@click.option("--player", metavar="NAME", help="Done to this player, or a game of theirs.")
@click.option("--since", type=TIME, metavar="TIME", help="At this time or later: a date, or 2026-11-29T10:00 (UTC).")
@click.option("--before", type=TIME, metavar="TIME", help="Before this time.")
@listing
@click.pass_context
def audit(
    ctx: click.Context,
    actor: str | None,
    action: str | None,
    game: str | None,
    player: str | None,
    since: datetime | None,
    before: datetime | None,
    extent: Extent,
) -> None:
    """List what admins did, and the operator with their tokens, newest first: who, when and why.

    On a terminal what has no room is left out; a pipe and --json have all of it.
    """
    session = AdminSession.of(ctx)

    def table(pages: list[list[AuditEntry]]) -> None:
        rows = [_row(each) for each in chain.from_iterable(pages)]
        if not rows:
            say("No entries.")
        session.out.table(HEADER, rows)

    if player is not None:
        session.client.player(player)  # a list would only be empty where there is no such player
    pages = session.client.audit_pages(
        actor=actor, action=action, game=game, player=player, since=since, before=before, **extent.paging
    )
    show(session, pages, table)


def _row(entry: AuditEntry) -> tuple[str, ...]:
    return (
        f"{entry.at:%Y-%m-%d %H:%M}",
        entry.actor or OPERATOR,
        entry.action,
        entry.player or NOTHING,
        entry.reason or NOTHING,
        entry.note or NOTHING,
        NOTHING if entry.details is None else _told(entry.details),
        entry.game or NOTHING,
        entry.id,
    )


def _told(details: AuditDetails) -> str:
    """`olga`, or `12 of 13: variant=court fast=true`."""
    if details.matched is None:
        return details.name or NOTHING
    named = {name: value for name, value in (details.filter or {}).items() if value is not None}
    which = " ".join(
        f"{name}={str(value).lower() if value in (True, False) else value}" for name, value in named.items()
    )
    return f"{details.voided} of {details.matched}: {which}"
