"""One game: shown, played on, taken back, ended, written out."""

import click
from pasyans_client import PasyansError
from pasyans_client.models import Played

from pasyans_cli.board.draw import marks
from pasyans_cli.board.status import result
from pasyans_cli.failures import PartlyPlayed
from pasyans_cli.options import command
from pasyans_cli.parameters import GAME
from pasyans_cli.saying import say
from pasyans_cli.session import Session
from pasyans_cli.typed import batches, reveals

if_version = click.option("--if-version", type=int, metavar="N", help="Only if the game still stands at version N.")


@command("show")
@click.argument("game", type=GAME)
@click.option("--at", type=click.IntRange(min=1), metavar="N", help="As it stood at version N.")
@click.pass_context
def show(ctx: click.Context, game: str, at: int | None) -> None:
    """Show GAME: its board, how it stands, and its legal moves."""
    session = Session.of(ctx)
    found = session.client.game(session.game_id(game), at=at)
    if session.out.json:
        session.out.answer(session.body())
        return
    session.out.game(session.variant(found.variant), found)
    if found.legal_moves:
        session.out.data(f"\nlegal: {' '.join(found.legal_moves)}")


@command("move")
@click.argument("game", type=GAME)
@click.argument("moves", nargs=-1, required=True)
@if_version
@click.pass_context
def move(ctx: click.Context, game: str, moves: tuple[str, ...], if_version: int | None) -> None:
    """Play MOVES (such as `draw`, `w-t3`, `t3-f`) in GAME, all or none.

    While a deal is sealed, the service takes nothing after a move that may turn up a card (`draw`, `redeal`, `r-...`).
    Moves are then sent up to each of these, and what was played before a refused one stays played.
    """
    session = Session.of(ctx)
    session.require_login()
    game_id = session.game_id(game)
    sealed = any(reveals(m) for m in moves[:-1]) and session.client.game(game_id).deal.seed is None
    played = 0
    answer: Played | None = None
    for batch in batches(moves, sealed=sealed):
        try:
            answer = session.client.move(game_id, batch, if_version=if_version)
        except PasyansError as error:
            if played:
                raise PartlyPlayed(error, played, moves) from error
            raise
        played += len(batch)
        if_version = None if if_version is None else answer.version
        if session.out.json:
            session.out.answer(session.body())
    if answer is not None and not session.out.json:
        _show(session, answer)


@command("undo")
@click.argument("game", type=GAME)
@click.argument("count", type=click.IntRange(min=1), default=1)
@if_version
@click.pass_context
def undo(ctx: click.Context, game: str, count: int, if_version: int | None) -> None:
    """Take back the last move of GAME, or the last COUNT."""
    session = Session.of(ctx)
    session.require_login()
    _report(session, session.client.undo(session.game_id(game), count, if_version=if_version))


@command("redo")
@click.argument("game", type=GAME)
@click.argument("count", type=click.IntRange(min=1), default=1)
@if_version
@click.pass_context
def redo(ctx: click.Context, game: str, count: int, if_version: int | None) -> None:
    """Play the move of GAME again that was taken back last, or COUNT of them."""
    session = Session.of(ctx)
    session.require_login()
    _report(session, session.client.redo(session.game_id(game), count, if_version=if_version))


@command("resign")
@click.argument("game", type=GAME)
@if_version
@click.pass_context
def resign(ctx: click.Context, game: str, if_version: int | None) -> None:
    """End GAME as lost, or as abandoned where no move was made. There is no way back."""
    session = Session.of(ctx)
    session.require_login()
    _report(session, session.client.resign(session.game_id(game), if_version=if_version))


@command("record")
@click.argument("game", type=GAME)
@click.pass_context
def record(ctx: click.Context, game: str) -> None:
    """Print the text record of GAME, which `pasyans replay` reads.

    With --json it is the body that POST /v1/records/verify takes.
    """
    session = Session.of(ctx)
    text = session.client.record(session.game_id(game))
    if session.out.json:
        import msgspec

        session.out.answer(msgspec.json.encode({"record": text}))
    else:
        session.out.data(text.removesuffix("\n"))


def _report(session: Session, answer: Played) -> None:
    if session.out.json:
        session.out.answer(session.body())
    else:
        _show(session, answer)


def _show(session: Session, answer: Played) -> None:
    variant = session.variant(answer.variant)
    session.out.game(variant, answer, marks(answer.events))
    if not answer.running:
        say(result(variant, answer))
