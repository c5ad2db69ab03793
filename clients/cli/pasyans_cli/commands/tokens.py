"""The tokens of the player that one is: one for each device, say."""

from itertools import chain

import click
from pasyans_client import Unauthenticated
from pasyans_client.models import Token

from pasyans_cli import config
from pasyans_cli.exits import Exit, Failed
from pasyans_cli.lists import Extent, listing, show
from pasyans_cli.options import CommandGroup
from pasyans_cli.saying import say
from pasyans_cli.session import Session
from pasyans_cli.tables import NOTHING

HEADER = ("token", "created (UTC)", "last used (UTC)", "label")


@click.group("token", cls=CommandGroup, no_args_is_help=True)
def token() -> None:
    """List your tokens, make one more, or revoke one."""


@token.command("list")
@listing
@click.pass_context
def listed(ctx: click.Context, extent: Extent) -> None:
    """List your tokens in force, the oldest first, without their text. With --json each page is a line."""
    session = Session.of(ctx)
    session.require_login()

    def table(pages: list[list[Token]]) -> None:
        session.out.table(HEADER, [_row(each) for each in chain.from_iterable(pages)])

    show(session, session.client.token_pages(**extent.paging), table)


@token.command("new")
@click.argument("label")
@click.pass_context
def new(ctx: click.Context, label: str) -> None:
    """Make one more token, for another device, and print it, this once. LABEL is to know it by."""
    session = Session.of(ctx)
    session.require_login()
    made = session.client.create_token(label)
    if session.out.json:
        session.out.answer(session.body())
        return
    say(f"A new token, labelled {made.label!r}; it is shown here only. It is used with: pasyans login --token-stdin")
    session.out.data(made.token)


@token.command("revoke")
@click.argument("token_id", metavar="TOKEN")
@click.pass_context
def revoke(ctx: click.Context, token_id: str) -> None:
    """Revoke TOKEN: its id in `pasyans token list`, or the beginning of it. It ends at once."""
    session = Session.of(ctx)
    session.require_login()
    found = [each for each in session.client.tokens() if token_id and each.id.startswith(token_id.lower())]
    if not found:
        raise Failed(f"No token of yours begins with {token_id}.", Exit.NOT_FOUND)
    if len(found) > 1:
        raise Failed(f"{len(found)} tokens of yours begin with {token_id}: give more of it.", Exit.NOT_FOUND)
    session.client.revoke_token(found[0].id)
    say(f"Revoked {found[0].label!r}.")
    try:
        session.me()
    except Unauthenticated:
        config.PLAYERS.forget(session.server)
        say(f"It was the token kept here: you are logged out at {session.server}.")


def _row(token: Token) -> tuple[str, ...]:
    used = NOTHING if token.last_used_at is None else f"{token.last_used_at:%Y-%m-%d %H:%M}"
    return (token.id, f"{token.created_at:%Y-%m-%d %H:%M}", used, token.label or NOTHING)
