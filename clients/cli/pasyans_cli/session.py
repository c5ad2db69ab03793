"""One run of a command: the service it talks to, the player it talks for, the games it names."""

import re
import uuid
from collections.abc import Callable
from typing import Generic, Self, TypeVar

import click
from pasyans_client import Client, ConnectionFailed, Wait, http_address
from pasyans_client.calls import Caller
from pasyans_client.models import Variant

from pasyans_cli.config import PLAYERS
from pasyans_cli.exits import Exit, Failed
from pasyans_cli.options import Options
from pasyans_cli.output import Output
from pasyans_cli.saying import say

C = TypeVar("C", bound=Caller)

LAST = "last"
_ID_START = re.compile(r"[0-9a-f][0-9a-f-]*")


def may_name_a_game(text: str) -> bool:
    """Whether a text could be `last`, an id or the beginning of one."""
    return text == LAST or _ID_START.fullmatch(text.lower()) is not None


def server_of(options: Options) -> str:
    """The address of the service that the command line names."""
    try:
        return http_address(options.server)
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="--server") from error


class Connection(Generic[C]):
    """A client of the service that the command line names, and the output."""

    def __init__(self, options: Options, client: Callable[..., C], token: str | None) -> None:
        self.server = server_of(options)
        self.out = Output(options)
        try:
            self.client = client(self.server, token, on_wait=self._waiting)
        except ValueError as error:
            raise Failed(f"That is no token: {error}.", Exit.UNAUTHENTICATED) from error

    def body(self) -> bytes:
        """The API's last answer, as it came."""
        answer = self.client.last_answer
        assert answer is not None  # noqa: S101
        return answer.body

    def _waiting(self, wait: Wait) -> None:
        what = "cannot be reached" if isinstance(wait.failure, ConnectionFailed) else "is busy"
        left = wait.attempts - wait.attempt
        say(f"{self.server} {what}; trying again in {wait.seconds:.1f} s ({left} more).")


class Session(Connection[Client]):
    """A player's connection, who is logged in where a token is kept."""

    def __init__(self, options: Options, *, token: str | None = None) -> None:
        self.login = PLAYERS.load(server_of(options)) if token is None else None
        super().__init__(options, Client, token if self.login is None else self.login.token)
        self._variants: dict[str, Variant] = {}

    @classmethod
    def of(cls, ctx: click.Context) -> Self:
        """The session of a command, closed when the command ends."""
        session = cls(ctx.ensure_object(Options))
        ctx.call_on_close(session.client.close)
        return session

    def require_login(self) -> None:
        """Raise unless a token is kept for this service."""
        if self.login is None:
            raise Failed(f"Not logged in at {self.server}. Log in with: pasyans login", Exit.UNAUTHENTICATED)

    def me(self) -> str:
        """The name of the player who is logged in; a guest may have taken one elsewhere."""
        self.require_login()
        return self.client.me().name

    def variant(self, name: str) -> Variant:
        """A variant, asked for once."""
        if name not in self._variants:
            self._variants[name] = self.client.variant(name)
        return self._variants[name]

    def game_id(self, text: str) -> str:
        """The id that is meant by a whole id, the beginning of one of the player's own, or `last`."""
        try:
            return str(uuid.UUID(text)) if len(text) >= 32 else self._own_game(text.lower())
        except ValueError:
            return self._own_game(text.lower())

    def _own_game(self, text: str) -> str:
        if not may_name_a_game(text):
            raise Failed(f"{text!r} is no game: give an id, the beginning of one, or `last`.", Exit.NOT_FOUND)
        if self.login is None:
            raise Failed(
                "Only your own games can be named by `last` or the beginning of an id, and nobody is logged in.",
                Exit.UNAUTHENTICATED,
            )
        found: list[str] = []
        for game in self.client.games(player=self.me(), limit=1 if text == LAST else 200):
            if text == LAST:
                return game.id
            if game.id.startswith(text):
                found.append(game.id)
            elif game.id < text:
                break  # newest first is also by id, and those that begin so lie together
        if not found:
            raise Failed(
                "You have no game yet." if text == LAST else f"No game of yours begins with {text}.",
                Exit.NOT_FOUND,
            )
        if len(found) > 1:
            raise Failed(
                f"{len(found)} games of yours begin with {text}, such as {found[0]} and {found[1]}: give more of it.",
                Exit.NOT_FOUND,
            )
        return found[0]
