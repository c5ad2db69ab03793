"""Who one is at a service."""

import sys

import click

from pasyans_cli import config
from pasyans_cli.config import Login
from pasyans_cli.exits import Exit, Failed
from pasyans_cli.options import Options, command
from pasyans_cli.saying import say
from pasyans_cli.session import Session


@command("login")
@click.argument("name", required=False)
@click.option("--guest", is_flag=True, help="Make a player without a name of their own.")
@click.option("--token-stdin", is_flag=True, help="Take the token of a player from stdin.")
@click.option("--print-token", is_flag=True, help="Also print the token on stdout.")
@click.pass_context
def login(ctx: click.Context, name: str | None, guest: bool, token_stdin: bool, print_token: bool) -> None:
    """Make a player called NAME, or a guest, or take the token of a player there is.

    The token is kept in the user's configuration directory, in a file that only its owner can read, and is sent to
    this service alone. There is no password: who loses the token loses the player.
    """
    session = Session.of(ctx)
    if session.login is not None:
        raise Failed(
            f"Logged in as {session.login.player} at {session.server} already; log out first. (A guest takes a name "
            "with: pasyans name NAME)",
            Exit.CONFLICT,
        )
    if (name is not None) + guest + token_stdin > 1:
        raise click.UsageError("Give a NAME, --guest or --token-stdin, and only one of them.")
    if token_stdin:
        token = sys.stdin.readline().strip()
        if not token:
            raise click.UsageError("There is no token on stdin.")
        session = _session_with(ctx, token)
        player = session.client.me().name
        answer = session.body()
    else:
        if name is None and not guest:
            name = _ask_for_name(session)
        config.make_ready()
        made = session.client.create_player(name)
        player, token = made.name, made.token
        answer = session.body()
    config.PLAYERS.save(session.server, Login(player, token))
    say(f"Logged in as {player} at {session.server}.")
    if session.out.json:
        if not (print_token or token_stdin):
            session = _session_with(ctx, token)
            session.client.me()
            answer = session.body()
        session.out.answer(answer)
    elif print_token:
        session.out.data(token)


@command("logout")
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.pass_context
def logout(ctx: click.Context, yes: bool) -> None:
    """Forget the token kept for this service.

    The token stays valid; without a copy of it (`pasyans whoami --token`) the player is lost.
    """
    session = Session.of(ctx)
    session.require_login()
    assert session.login is not None  # noqa: S101
    player = session.login.player
    if not yes:
        if not session.out.interactive:
            raise click.UsageError(f"Without its token {player} is lost. Say --yes to log out all the same.")
        say(f"Without its token {player} is lost; `pasyans whoami --token` shows it.")
        click.confirm("Log out?", abort=True, err=True)
    config.PLAYERS.forget(session.server)
    say(f"Logged out {player} at {session.server}.")


@command("whoami")
@click.option("--token", is_flag=True, help="Print the token instead of the name.")
@click.pass_context
def whoami(ctx: click.Context, token: bool) -> None:
    """Print the name of the player who is logged in at this service."""
    session = Session.of(ctx)
    session.require_login()
    assert session.login is not None  # noqa: S101
    if token:
        session.out.data(session.login.token)
        return
    name = session.me()
    if session.out.json:
        session.out.answer(session.body())
    else:
        session.out.data(name)


def _ask_for_name(session: Session) -> str | None:
    if not session.out.interactive:
        raise click.UsageError("Give a NAME, --guest or --token-stdin.")
    name: str = click.prompt("Name (empty for a guest)", default="", show_default=False, err=True)
    return name.strip() or None


def _session_with(ctx: click.Context, token: str) -> Session:
    session = Session(ctx.ensure_object(Options), token=token)
    ctx.call_on_close(session.client.close)
    return session
