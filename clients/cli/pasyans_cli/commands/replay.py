"""Games and records shown move by move."""

import time
from pathlib import Path

import click
from pasyans_client.models import Frame, RecordFrame

from pasyans_cli.board.draw import marks
from pasyans_cli.board.status import result
from pasyans_cli.exits import Exit, Failed
from pasyans_cli.files import read_text
from pasyans_cli.keys import keys
from pasyans_cli.options import command
from pasyans_cli.output import Output
from pasyans_cli.parameters import FILE
from pasyans_cli.reel import GameReel, RecordReel, Reel, caption
from pasyans_cli.saying import say
from pasyans_cli.session import Session, may_name_a_game

BACK = ("b", "p", "\x1b[D", "\x1bOD", "\x7f")
LEAVE = ("q", "\x1b", "\x04", "")


@command("replay")
@click.argument("source", type=FILE, metavar="GAME|FILE")
@click.option("--speed", type=click.FloatRange(0.01, 1000), metavar="N", help="N moves a second, by itself.")
@click.pass_context
def replay(ctx: click.Context, source: str, speed: float | None) -> None:
    """Show GAME, or the record in FILE (`-` for stdin), move by move.

    On a terminal a key leads on and `b` back; with --speed, and where there is no terminal, it runs by itself. A
    record is verified first: one that cannot be ends with exit code 9. What names a file that is there is a file.
    """
    session = Session.of(ctx)
    reel: Reel
    if source == "-" or Path(source).is_file():
        reel = RecordReel(session, read_text(source, "record"))
    elif not may_name_a_game(source):
        raise Failed(f"{source!r} is neither a file that is there nor a game.", Exit.NOT_FOUND)
    else:
        reel = GameReel(session, session.game_id(source))
    if session.out.json:
        for answer in reel.answers():
            session.out.answer(answer)
    elif session.out.interactive and speed is None:
        _step(session, reel)
    else:
        _run(session, reel, speed)


def _run(session: Session, reel: Reel, speed: float | None) -> None:
    terminal = session.out.console.is_terminal
    # At a person's pace a stream would be open for long.
    frames = reel if speed is None else map(reel.__getitem__, range(len(reel)))
    for place, frame in enumerate(frames):
        if terminal:
            session.out.console.clear()
        _show(session.out, reel, place, frame)
        if terminal and speed is not None:
            time.sleep(1 / speed)
        elif place < len(reel) - 1:
            session.out.data("")


def _step(session: Session, reel: Reel) -> None:
    place, last = 0, len(reel) - 1
    with keys() as next_key:
        while place <= last:
            session.out.console.clear()
            _show(session.out, reel, place, reel[place])
            say("\nspace: on   b: back   g, e: first, last   q: leave")
            key = next_key()
            if key in LEAVE:
                return
            if key == "g":
                place = 0
            elif key == "e":
                place = last
            elif key in BACK:
                place = max(0, place - 1)
            else:
                place += 1


def _show(out: Output, reel: Reel, place: int, frame: Frame | RecordFrame) -> None:
    out.game(reel.variant, frame.game, marks([frame.event]))
    out.data(f" {place + 1}/{len(reel)}  {caption(frame.event)}")
    if place == len(reel) - 1 and not frame.game.running:
        say(result(reel.variant, frame.game))
