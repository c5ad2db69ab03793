"""Games, as admins judge them."""

import click

from pasyans_cli.admin import AdminSession, game_id, grounds
from pasyans_cli.commands.games import if_version
from pasyans_cli.exits import Exit, Failed
from pasyans_cli.options import command
from pasyans_cli.saying import say


@command("void")
@click.argument("game")
@grounds
@if_version
@click.pass_context
def void(ctx: click.Context, game: str, reason: str, note: str | None, if_version: int | None) -> None:
    """Void GAME, which was won or lost: it leaves all boards at once. `pasyans admin restore` takes that back.

    GAME is a whole id. The reason is an event of the game, for everybody to see.
    """
    session = AdminSession.of(ctx)
    found = session.client.void(game_id(game), reason, note=note, if_version=if_version)
    if session.out.json:
        session.out.answer(session.body())
    say(f"Void: {found.player}'s game {found.id}.")


@command("restore")
@click.argument("game")
@grounds
@if_version
@click.pass_context
def restore(ctx: click.Context, game: str, reason: str, note: str | None, if_version: int | None) -> None:
    """Give GAME, which is void, the status back that it had, and its place on the boards. GAME is a whole id."""
    session = AdminSession.of(ctx)
    found = session.client.restore(game_id(game), reason, note=note, if_version=if_version)
    if session.out.json:
        session.out.answer(session.body())
    say(f"Restored as {found.status}: {found.player}'s game {found.id}.")


@command("verify")
@click.argument("game")
@click.pass_context
def verify(ctx: click.Context, game: str) -> None:
    """Have GAME replayed from nothing by the service, and compared with what it has stored. GAME is a whole id.

    Ends with exit code 12 where they differ. Nothing is changed.
    """
    session = AdminSession.of(ctx)
    check = session.client.verify(game_id(game))
    if session.out.json:
        session.out.answer(session.body())
    if not check.ok:
        raise Failed(f"The game {check.game} is not what its log says. {check.difference}", Exit.UNFAIR)
    say(f"The game {check.game} is what its log says, up to version {check.version}.")
