"""Results, as admins look for them, and void many at once."""

import sys
from datetime import datetime
from itertools import chain
from pathlib import Path

import click
from pasyans_client import ConnectionFailed, Unavailable
from pasyans_client.admin import ResultFilters
from pasyans_client.admin_models import AdminResult, VoidedResults

from pasyans_cli.admin import AdminSession, grounds
from pasyans_cli.board.status import counted, duration
from pasyans_cli.commands.admin.filters import filtered
from pasyans_cli.files import replaced
from pasyans_cli.lists import Extent, listing, show
from pasyans_cli.options import command
from pasyans_cli.parameters import FILE, Words
from pasyans_cli.saying import say
from pasyans_cli.tables import NOTHING, Column

COLUMNS = {
    "game": Column("game"),
    "player": Column("player", elastic=True),
    "variant": Column("variant", spare=True),
    "rules": Column("rules", number=True, spare=True),
    "kind": Column("kind", spare=True),
    "seed": Column("seed", spare=True),
    "date": Column("date", spare=True),
    "attempt": Column("attempt", number=True, spare=True),
    "status": Column("status"),
    "outcome": Column("outcome", spare=True),
    "score": Column("score", number=True, spare=True),
    "redeals": Column("redeals", number=True, spare=True),
    "moves": Column("moves", number=True, spare=True),
    "undos": Column("undos", number=True, spare=True),
    "elapsed_ms": Column("time", number=True, spare=True),
    "ms_per_move": Column("ms/move", number=True, spare=True),
    "started_at": Column("started (UTC)", spare=True),
    "finished_at": Column("finished (UTC)", spare=True),
}
"""By field, in the order of the API."""
FIRST = ("status", "moves", "ms_per_move", "variant", "score", "finished_at", "elapsed_ms", "undos", "redeals", "kind")
"""The fields that a terminal has room for before others."""
SORT = Words("column", *(f"{sign}{name}" for sign in ("", "-") for name in COLUMNS))
UNSORTED = "-finished_at"


@command("results")
@filtered(statuses=["won", "lost", "abandoned", "void"], outcomes=["won", "lost", "abandoned"])
@click.option(
    "--sort", type=SORT, metavar="COLUMN", help=f"By a field of --json; a minus before it turns it round. {UNSORTED}"
)
@click.option("--csv", "as_csv", is_flag=True, help="As CSV, all of them.")
@click.option("--output", type=FILE, metavar="FILE", help="With --csv: into FILE, once it is whole.")
@listing
@click.pass_context
def results(
    ctx: click.Context, which: ResultFilters, sort: str | None, as_csv: bool, output: str | None, extent: Extent
) -> None:
    """List games that are over, the last one first.

    On a terminal what has no room is left out, and what is the same in all rows; a pipe and --json have all of it.

    With --csv the exit code tells whether all of it came; what a spreadsheet would run has an apostrophe before it.
    """
    session = AdminSession.of(ctx)
    if output is not None and not as_csv:
        raise click.UsageError("--output goes with --csv.")
    if as_csv and session.out.json:
        raise click.UsageError("Give --csv or --json, not both.")
    if as_csv and extent.most is not None and extent.told:
        raise click.UsageError("--csv has all results; leave out --limit.")
    if (player := which.get("player")) is not None:
        session.client.player(player)  # a list would only be empty where there is no such player
    if as_csv:
        _write(session, which, sort, None if output == "-" else output)
    else:
        pages = session.client.result_pages(sort=sort, **extent.paging, **which)
        show(session, pages, lambda found: _table(session, list(chain.from_iterable(found)), which, sort or UNSORTED))


@command("void-results")
@filtered(statuses=["won", "lost"], outcomes=["won", "lost"])
@grounds
@click.option("--dry-run", is_flag=True, help="Only count them.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.pass_context
def void_results(
    ctx: click.Context, which: ResultFilters, reason: str, note: str | None, dry_run: bool, yes: bool
) -> None:
    """Void all games that are won or lost and match all filters; at least one is needed.

    They are counted first, and then it asks. `pasyans admin results` lists what the same filters match.
    """
    if all(value is None for value in which.values()):
        raise click.UsageError("Say which results: give at least one of the filters.")
    session = AdminSession.of(ctx)
    if not yes:
        counting = session.client.void_results(reason, note=note, dry_run=True, **which)
        if dry_run or not counting.matched:
            _tell(session, counting)
            return
        matching = f"{counted(counting.matched, 'result')} at {session.server} would be void"
        if not session.out.interactive:
            raise click.UsageError(f"{matching}. Say --yes to void them, or --dry-run to count only.")
        say(f"{matching}.")
        click.confirm("Void them?", abort=True, err=True)
    try:
        _tell(session, session.client.void_results(reason, note=note, dry_run=dry_run, **which))
    except (ConnectionFailed, Unavailable):
        say("Some may be void by now. The same command goes on with the rest.")
        raise


def _tell(session: AdminSession, done: VoidedResults) -> None:
    if session.out.json:
        session.out.answer(session.body())
    else:
        session.out.data(f"matched  {done.matched}\nvoided   {done.voided}")


def _table(session: AdminSession, found: list[AdminResult], which: ResultFilters, sort: str) -> None:
    if not found:
        say("No results.")
    names, columns = list(COLUMNS), COLUMNS
    if session.out.terminal:
        by = sort.removeprefix("-") if sort.removeprefix("-") in COLUMNS else UNSORTED[1:]
        columns = {**COLUMNS, by: COLUMNS[by]._replace(spare=False)}
        same = {name for name, value in which.items() if value is not None} - {by}
        names = [name for name in dict.fromkeys(("game", "player", by, *FIRST, *COLUMNS)) if name not in same]
    session.out.table([columns[name] for name in names], [[_cell(each, name) for name in names] for each in found])


def _cell(result: AdminResult, name: str) -> str:
    match getattr(result, name):
        case None:
            return NOTHING
        case datetime() as at:
            return f"{at:%Y-%m-%d %H:%M}"
        case value:
            return duration(value) if name == "elapsed_ms" else str(value)


def _write(session: AdminSession, which: ResultFilters, sort: str | None, output: str | None) -> None:
    try:
        if output is None:
            for piece in session.client.results_csv(sort=sort, **which):
                sys.stdout.buffer.write(piece)
            sys.stdout.flush()
        else:
            with replaced(Path(output)) as target:
                session.client.write_results(target, sort=sort, **which)
            say(f"Wrote {output}.")
    except ConnectionFailed as error:
        state = "What was printed is not whole." if output is None else f"{output} is as it was."
        raise ConnectionFailed(f"{error} {state}", sent=error.sent) from error
