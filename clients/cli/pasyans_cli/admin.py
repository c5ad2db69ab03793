"""What the commands of admins share: who asks, and why something is done."""

import os
import uuid
from collections.abc import Callable
from typing import Self

import click
from pasyans_client import Admin

from pasyans_cli.config import ADMINS
from pasyans_cli.exits import Exit, Failed
from pasyans_cli.options import Options
from pasyans_cli.session import Connection, server_of

VARIABLE = "PASYANS_ADMIN_TOKEN"
REASONS = ["cheating", "error", "test", "other"]


class AdminSession(Connection[Admin]):
    """The connection of an admin: with the token in the environment, else the one that is kept for this service."""

    def __init__(self, options: Options, *, token: str | None = None) -> None:
        token = token or os.environ.get(VARIABLE)
        if token:
            options.advice = f"It is the admin token in {VARIABLE}."
        else:
            login = ADMINS.load(server_of(options))
            if login is None:
                raise Failed(
                    f"There is no admin token for {server_of(options)}. Give one with: pasyans admin login (or in "
                    f"{VARIABLE})",
                    Exit.UNAUTHENTICATED,
                )
            token = login.token
            options.advice = "Give another with: pasyans admin logout; pasyans admin login"
        super().__init__(options, Admin, token)

    @classmethod
    def of(cls, ctx: click.Context, *, token: str | None = None) -> Self:
        """The connection of a command, closed when the command ends; `token` goes before those that are kept."""
        session = cls(ctx.ensure_object(Options), token=token)
        ctx.call_on_close(session.client.close)
        return session


def grounds(function: Callable[..., None]) -> Callable[..., None]:
    """Give a command --reason and --note."""
    function = click.option("--note", metavar="TEXT", help="Why, in words for admins alone.")(function)
    reason = click.option("--reason", type=click.Choice(REASONS), required=True, help="Why, as everybody may know.")
    return reason(function)


def game_id(text: str) -> str:
    """The whole id of a game."""
    try:
        return str(uuid.UUID(text))
    except ValueError as error:
        raise Failed(
            f"{text!r} is no id of a game: give a whole one, as `pasyans admin results` lists them.", Exit.NOT_FOUND
        ) from error
