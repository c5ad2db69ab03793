"""Playing in the terminal."""

import click
from pasyans_client import AlreadyPlaying
from pasyans_client.models import Game

from pasyans_cli.config import PLAYERS, Login, make_ready
from pasyans_cli.exits import Exit, Failed
from pasyans_cli.options import command
from pasyans_cli.parameters import GAME, VARIANT
from pasyans_cli.saying import say
from pasyans_cli.session import Session
from pasyans_cli.table.prompt import Prompt, is_yes
from pasyans_cli.table.sitting import Sitting
from pasyans_cli.table.words import greeting


@command("play")
@click.argument("variant", type=VARIANT, required=False)
@click.option("--seed", metavar="SEED", help="On the public deal of SEED.")
@click.option("--daily", is_flag=True, help="On today's deal (UTC), the same for everybody.")
@click.option("--new", is_flag=True, help="Start a game even if one is unfinished.")
@click.option("--game", "game", type=GAME, metavar="GAME", help="Go on with this game.")
@click.pass_context
def play(ctx: click.Context, variant: str | None, seed: str | None, daily: bool, new: bool, game: str | None) -> None:
    """Play VARIANT: go on with an unfinished game of it, or start one.

    Without VARIANT the newest unfinished game of any kind goes on. A new game is on a sealed deal, unless a seed is
    given, or --daily: of that deal one game runs at a time, and it goes on. Type `help` at the prompt for what can be
    typed there.

    Moves may also be piped in: each line is played, boards go to stdout, and the first that is refused, also after the
    end of the game, ends it with an exit code (5 for a move). With --json every answer of the API is a line instead.
    """
    if game is not None and (variant or seed or daily or new):
        raise click.UsageError("--game says it all; leave out VARIANT, --seed, --daily and --new.")
    if daily and (seed or new):
        raise click.UsageError(
            "--daily goes on with the game of today's deal, if one runs; leave out --seed and --new."
        )
    session = Session.of(ctx)
    prompt = Prompt(interactive=session.out.interactive and not session.out.json)
    session = _logged_in(ctx, session, prompt)
    if variant is not None:
        session.variant(variant)  # a wrong name is told before anything else
    found = None if new or daily else _unfinished(session, variant, seed, game)
    is_new = found is None
    if found is None:
        variant = variant or _chosen(session, prompt)
        found, is_new = _started(session, variant, seed, daily=daily)
    if session.out.json:
        session.out.answer(session.body())
    Sitting(session, session.variant(found.variant), found, prompt).run(greeting(found, is_new=is_new))


def _logged_in(ctx: click.Context, session: Session, prompt: Prompt) -> Session:
    """A newcomer at a terminal may become a guest on the spot."""
    if session.login is None and prompt.interactive:
        say(f"Nobody is logged in at {session.server}.")
        if is_yes(prompt.ask("Play as a guest? [y/N]")):
            make_ready()
            guest = session.client.create_player()
            PLAYERS.save(session.server, Login(guest.name, guest.token))
            session = Session.of(ctx)
    session.require_login()
    return session


def _unfinished(session: Session, variant: str | None, seed: str | None, game: str | None) -> Game | None:
    if game is not None:
        return session.client.game(session.game_id(game))
    running = session.client.games(player=session.me(), variant=variant, status="playing", seed=seed, limit=1)
    summary = next(running, None)
    return None if summary is None else session.client.game(summary.id)


def _started(session: Session, variant: str, seed: str | None, *, daily: bool) -> tuple[Game, bool]:
    """A game that was started, and whether it is new: of a daily there may be one that runs."""
    try:
        return session.client.start_game(variant, seed=seed, daily=daily), True
    except AlreadyPlaying as error:
        if error.game is None:
            raise
        return session.client.game(error.game), False


def _chosen(session: Session, prompt: Prompt) -> str:
    """Ask which kind to play."""
    if not prompt.interactive:
        raise click.UsageError("Say which VARIANT to play (see `pasyans variants`).")
    variants = session.client.variants()
    session.out.table(
        ("", "id", "name", "summary"), [(str(n), v.id, v.name.en, v.summary.en) for n, v in enumerate(variants, 1)]
    )
    typed = prompt.ask("Which one?")
    if typed.isdecimal() and 1 <= int(typed) <= len(variants):
        return variants[int(typed) - 1].id
    if typed in [v.id for v in variants]:
        return typed
    raise Failed(f"{typed!r} is none of them.", Exit.NOT_FOUND)
