"""The admin token that is kept here."""

import sys

import click

from pasyans_cli.admin import AdminSession
from pasyans_cli.config import ADMINS, AdminLogin
from pasyans_cli.exits import Exit, Failed
from pasyans_cli.options import Options, command
from pasyans_cli.saying import say
from pasyans_cli.session import server_of


@command("login")
@click.pass_context
def login(ctx: click.Context) -> None:
    """Take an admin token from stdin, try it, and keep it.

    It is kept in the user's configuration directory, in a file that only its owner can read, and is sent to this
    service alone. A token in PASYANS_ADMIN_TOKEN goes before it.
    """
    server = server_of(ctx.ensure_object(Options))
    if ADMINS.load(server) is not None:
        raise Failed(
            f"An admin token is kept for {server} already; forget it first, with: pasyans admin logout", Exit.CONFLICT
        )
    token = _from_stdin()
    session = AdminSession.of(ctx, token=token)
    next(session.client.audit_pages(limit=1))
    ADMINS.save(server, AdminLogin(token))
    say(f"Kept the admin token for {server}.")


@command("logout")
@click.pass_context
def logout(ctx: click.Context) -> None:
    """Forget the admin token kept for this service.

    It stays valid until the operator revokes it: `pasyansd admin-token revoke NAME`.
    """
    server = server_of(ctx.ensure_object(Options))
    if ADMINS.load(server) is None:
        raise Failed(f"No admin token is kept for {server}.", Exit.UNAUTHENTICATED)
    ADMINS.forget(server)
    say(f"Forgot the admin token for {server}.")


def _from_stdin() -> str:
    if sys.stdin.isatty():
        try:
            typed: str = click.prompt("Admin token (not shown)", hide_input=True, err=True)
        except UnicodeDecodeError:  # it is read from the terminal itself, and not as stdin is
            return "\N{REPLACEMENT CHARACTER}"
        return typed.strip()
    token = sys.stdin.readline().strip()
    if not token:
        raise click.UsageError("There is no token on stdin.")
    return token
