"""`pasyansd`: serve, migrate, rebuild, verify, player-token, admin-token, config."""

from __future__ import annotations

import contextlib
import re
import signal
import sys
from collections.abc import Callable, Coroutine, Iterator
from contextlib import AbstractContextManager
from types import FrameType
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

import click

if TYPE_CHECKING:
    from pasyans.server.database import Database
    from pasyans.server.metrics.endpoint import Endpoint
    from pasyans.server.settings import Settings

T = TypeVar("T")
STOPPED, FAILED, WRONG_SETTINGS, IN_USE, NO_DATABASE, NOT_FOUND, DIFFERENT, TAKEN = 0, 1, 3, 4, 5, 6, 7, 8

_EXIT_CODES = """\b
Exit codes:
  0  done, or stopped on request
  1  the service could not go on; the log says why
  2  the command line is wrong
  3  a setting is wrong
  4  the data or the address are in use
  5  the database could not be started, reached or migrated
  6  there is no such player or token
  7  what is stored is not what the log says
  8  the name is taken
"""


@click.group(epilog=_EXIT_CODES, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="pasyans", message="%(version)s")
def main() -> None:
    """Run the Pasyans service. It is set up by environment variables; `pasyansd config` shows them all."""


@main.command(epilog=_EXIT_CODES)
def serve() -> None:
    """Serve the API until a signal (SIGTERM, Ctrl-C) says stop.

    Starts the embedded PostgreSQL unless DATABASE_URL is set, brings the database up to date, and prints one
    line with the address on stdout when requests are answered. The log goes to stderr.
    """
    sys.exit(STOPPED if serve_application("pasyans.server.asgi:create_app") else FAILED)


def serve_application(application: str) -> bool:
    """Serve what `application` names, as in `serving.run`; true when a signal stopped it.

    Ends the process with an exit code where there is nothing to serve with.
    """
    from pasyans.server import serving, settings, shared

    config = _settings()
    with (
        _database(config) as database,
        _address(config) as port,
        _metrics(config) as metrics,
        shared.made(config.workers) as memory,
    ):
        settings.hand_down(port=port, database_url=database.service_url, shared=memory)

        def spawned(running: Callable[[], list[int]]) -> None:
            if metrics is not None:
                metrics.start(shared.Shared(memory, config.workers), running)

        def ready(where: str) -> None:
            database.announce(where)
            click.echo(f"Pasyans is ready at {where}")

        return serving.run(config, port, application, spawned=spawned, ready=ready, lost=database.lost)


@main.command(epilog=_EXIT_CODES)
def migrate() -> None:
    """Bring the database up to date, and make it when there is none."""
    with _database(_settings()):
        click.echo("The database is up to date.")


@main.command("player-token", epilog=_EXIT_CODES)
@click.argument("name")
def player_token(name: str) -> None:
    """Make a new token for the player called NAME, who has lost theirs.

    It is printed on stdout, this once, and stored as a hash. The player's other tokens stay as they are. This works
    beside a running service, and without one.
    """
    from pasyans.server import operator

    token = _operate(lambda url, config: operator.player_token(url, config, name))
    click.echo(f'A new token for {name}, labelled "{operator.LABEL}". It is shown here only.', err=True)
    click.echo(token)


def _checked_name(_context: click.Context, _parameter: click.Parameter, name: str) -> str:
    if re.fullmatch(r"[^\W_][\w.@-]{0,63}", name) is None:
        raise click.BadParameter("use 1 to 64 letters, digits, _, -, . and @, with a letter or digit first.")
    return name


@main.group("admin-token", epilog=_EXIT_CODES)
def admin_token() -> None:
    """Make, list and revoke the tokens of admins.

    Who has one sees every result and may void results and ban players, through the API; what they do is in the audit,
    under the token's name. So give each person a token of their own. All this works beside a running service, and
    without one.
    """


@admin_token.command("new", epilog=_EXIT_CODES)
@click.argument("name", callback=_checked_name)
def new_admin_token(name: str) -> None:
    """Make a token for the admin called NAME.

    It is printed on stdout, this once, and stored as a hash. No other token in force may have the name.
    """
    from pasyans.server import operator

    token = _operate(lambda url, config: operator.new_admin_token(url, config, name))
    click.echo(f"A new admin token called {name}. It is shown here only.", err=True)
    click.echo(token)


@admin_token.command("list", epilog=_EXIT_CODES)
def list_admin_tokens() -> None:
    """List every token there ever was, the oldest first: its name, and when it was made, last used and revoked."""
    from pasyans.record.times import format_time
    from pasyans.server import operator

    tokens = _operate(operator.admin_tokens)
    rows = [("NAME", "MADE", "LAST USED", "REVOKED")]
    for token in tokens:
        times = (token.created_at, token.last_used_at, token.revoked_at)
        made, used, revoked = ("-" if at is None else format_time(at) for at in times)
        rows.append((token.name, made, used, revoked))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        click.echo("  ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)).rstrip())


@admin_token.command("revoke", epilog=_EXIT_CODES)
@click.argument("name")
def revoke_admin_token(name: str) -> None:
    """End the token called NAME, at once."""
    from pasyans.server import operator

    _operate(lambda url, config: operator.revoke_admin_token(url, config, name))
    click.echo(f"The admin token called {name} is revoked.")


@main.command(epilog=_EXIT_CODES)
def rebuild() -> None:
    """Make the results and the leaderboards again from the log, while the service runs or not.

    Rows that are right stay as they are. Cut short, it has done no harm; the next one does what is left.
    """
    from pasyans.server import upkeep

    done = _upkeep(upkeep.rebuild)
    click.echo(
        f"Replayed {done.games:,} games with {done.events:,} events. "
        f"Put right {done.results:,} results, and the rows of {done.players:,} players."
    )
    for game_id, error in done.corrupt:
        click.echo(
            f"pasyansd: The log of game {game_id} can't be replayed; its result was left alone. {error}", err=True
        )
    sys.exit(DIFFERENT if done.corrupt else STOPPED)


@main.command(epilog=_EXIT_CODES)
def verify() -> None:
    """Replay everything that is stored, and compare it with the log, while the service runs or not.

    Checks each game's chain of hashes, every move by the rules, heads and snapshots, results and leaderboards, and
    names the first difference. Changes nothing.
    """
    from pasyans.server import upkeep

    done = _upkeep(upkeep.verify)
    if done.difference is not None:
        _fail(DIFFERENT, done.difference)
    click.echo(
        f"Verified {done.games:,} games with {done.events:,} events, and {done.rows:,} rows of leaderboards: "
        "all is as the log says."
    )


@main.command(epilog=_EXIT_CODES)
@click.option("--older-than", type=click.IntRange(0, 36_500), metavar="DAYS", help="Instead of PASYANS_PACK_AFTER.")
def pack(older_than: int | None) -> None:
    """Pack the logs of games that ended long ago, while the service runs or not.

    A packed log takes a small part of the room, and nobody who reads it sees a difference. Each is verified first, and
    again before what it replaces goes; a game that is not what its log says stays as it is. Cut short, it has done no
    harm; the next one does what is left. Run it once a day.
    """
    from pasyans.server import upkeep

    done = _upkeep(
        lambda url, config: upkeep.pack(url, config, config.pack_after if older_than is None else older_than),
        as_owner=True,
    )
    click.echo(f"Packed {done.games:,} games with {done.events:,} events into {done.bytes:,} bytes.")
    for fault in done.faults:
        click.echo(f"pasyansd: {fault}", err=True)
    sys.exit(DIFFERENT if done.faults else STOPPED)


@main.command(epilog=_EXIT_CODES)
@click.option("--json", "as_json", is_flag=True, help="Print a JSON array of objects.")
def config(as_json: bool) -> None:
    """Show every setting, its value and where that came from. Passwords and keys are masked."""
    from pasyans.server import settings

    rows = settings.show(_settings())
    if as_json:
        import msgspec

        click.echo(msgspec.json.format(msgspec.json.encode(rows), indent=2))
        return
    names, texts = (max(len(getattr(row, part)) for row in rows) for part in ("name", "value"))
    for row in rows:
        click.echo(f"{row.name:<{names}}  {row.value or '-':<{texts}}  {row.origin:<11}  {row.description}")


def _settings() -> Settings:
    from pasyans.server import settings

    try:
        return settings.load()
    except settings.SettingsError as error:
        _fail(WRONG_SETTINGS, str(error))


def _operate(work: Callable[[str, Settings], Coroutine[Any, Any, T]]) -> T:
    """What `work` of the operator's on the database comes to; where it can't be done, the process ends."""
    import asyncio

    from pasyans.server import operator

    try:
        return _upkeep(lambda url, config: asyncio.run(work(url, config)))
    except operator.NotFoundError as error:
        _fail(NOT_FOUND, str(error))
    except operator.InForceError as error:
        _fail(TAKEN, str(error))


def _upkeep(work: Callable[[str, Settings], T], *, as_owner: bool = False) -> T:
    """What `work` on the database, served or not, comes to."""
    from pasyans.server import database
    from pasyans.store.errors import StoreError

    config = _settings()
    with _at_hand(config, database.reached(config, as_owner=as_owner)) as url:
        try:
            return work(url, config)
        except StoreError as error:
            _fail(NO_DATABASE, str(error))


def _database(config: Settings) -> AbstractContextManager[Database]:
    """The database, up to date, for as long as the block runs."""
    from pasyans.server import database

    return _at_hand(config, database.opened(config))


@contextlib.contextmanager
def _at_hand(config: Settings, way: AbstractContextManager[T]) -> Iterator[T]:
    """What `way` gives of the database, for as long as the block runs."""
    from pasyans.server import database, logs

    logs.configure(config.log_level, config.log_format)
    # Until the workers run, and after them, a signal must still let the embedded server end in order.
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, _stop)
    with contextlib.ExitStack() as stack:
        try:
            opened = stack.enter_context(way)
        except database.DatabaseInUseError as error:
            _fail(IN_USE, str(error))
        except database.DatabaseError as error:
            _fail(NO_DATABASE, str(error))
        yield opened


@contextlib.contextmanager
def _address(config: Settings) -> Iterator[int]:
    """The port, held for as long as the block runs."""
    from pasyans.server import address

    with contextlib.ExitStack() as stack:
        try:
            port = stack.enter_context(address.hold(config.host, config.port))
        except address.AddressError as error:
            _fail(IN_USE, str(error))
        yield port


@contextlib.contextmanager
def _metrics(config: Settings) -> Iterator[Endpoint | None]:
    """The address of the metrics, held for as long as the block runs; None where there is to be none."""
    from pasyans.server import address

    with contextlib.ExitStack() as stack:
        endpoint = None
        if config.metrics_bind is not None:
            from pasyans.server.metrics import endpoint as served

            try:
                endpoint = stack.enter_context(served.bound(*config.metrics_bind))
            except address.AddressError as error:
                _fail(IN_USE, str(error))
        yield endpoint


def _stop(_number: int, _frame: FrameType | None) -> NoReturn:
    sys.exit(STOPPED)


def _fail(code: int, message: str) -> NoReturn:
    for line in message.splitlines():
        click.echo(f"pasyansd: {line}", err=True)
    sys.exit(code)
