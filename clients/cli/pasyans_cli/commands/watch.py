"""A game shown while it is played."""

from contextlib import closing

import click
from pasyans_client.models import Event, StreamMessage

from pasyans_cli.board.draw import marks
from pasyans_cli.board.status import result
from pasyans_cli.options import command
from pasyans_cli.parameters import GAME
from pasyans_cli.reel import caption
from pasyans_cli.saying import say
from pasyans_cli.session import Session

CAPTIONS = 5
"""How many of the last events are named below the board."""


@command("watch")
@click.argument("game", type=GAME)
@click.pass_context
def watch(ctx: click.Context, game: str) -> None:
    """Show GAME while it is played, until it is over; Ctrl-C leaves earlier.

    On a terminal each board takes the place of the one before; elsewhere they follow one another. With --json each
    message of the stream, the events and the game after them, is a line. A connection that breaks is made again, and
    no event is missed.
    """
    session = Session.of(ctx)
    messages = session.client.stream(session.game_id(game))
    latest: list[Event] = []
    with closing(messages):
        for number, message in enumerate(messages):
            latest = [*latest, *message.events][-CAPTIONS:]
            if session.out.json:
                session.out.answer(session.body())
            else:
                _show(session, message, latest, is_first=number == 0)


def _show(session: Session, message: StreamMessage, latest: list[Event], *, is_first: bool) -> None:
    out, game = session.out, message.game
    variant = session.variant(game.variant)
    is_terminal = out.console.is_terminal
    if is_terminal:
        out.console.clear()
    elif not is_first:
        out.data("")
    out.game(variant, game, marks(message.events))
    captions = "  ".join(caption(event) for event in (latest if is_terminal else message.events))
    out.data(f" {game.version}  {captions}".rstrip())
    if not game.running:
        say(result(variant, game))
    elif is_terminal:
        say("\nWatching; Ctrl-C leaves.")
