"""The words around a board: which game it is, how it stands, how it ended."""

from pasyans_client.models import Game, RecordedGame, Standing, Variant

from pasyans_cli.board.canvas import Line, Segment


def title(variant: Variant, game: Game | RecordedGame) -> Line:
    """One line above the board: the name, the deal, and the game's id or who played the record."""
    deal = game.deal
    if deal.kind == "shared":
        about = f"seed {deal.seed}"
    else:
        about = f"{deal.kind} deal" + (f" of {deal.date}" if deal.date else "")
    if isinstance(game, Game):
        about = f"{about}  game {game.id}"
    elif game.player is not None:
        about = f"{about}  played by {game.player}"
    return (Segment(f" {variant.name.en}", "label"), Segment(f"  {about}", "faint"))


def standing(variant: Variant, game: Standing) -> Line:
    """One line below the board: score, moves, redeals, what can be undone, and whether it counts, is over or stuck."""
    parts = [f"score {game.score}/{variant.cards}", counted(game.moves, "move")]
    if game.undos:
        parts.append(f"{game.undos} undone")
    if game.redeals_left is None:
        parts.append(counted(game.redeals, "redeal"))
    elif game.redeals or game.redeals_left:
        parts.append(f"{counted(game.redeals, 'redeal')}, {game.redeals_left} left")
    if game.redo_available:
        parts.append(f"{game.redo_available} to redo")
    if game.deal.kind == "daily" and not game.ranked:
        parts.append("not ranked")
    line = Segment(" " + "   ".join(parts), "faint")
    if not game.running:
        return (line, Segment(f"   {game.status.upper()}", "mark"))
    return (line, Segment("   STUCK", "mark")) if game.stuck else (line,)


def result(variant: Variant, game: Standing) -> str:
    """How a game that is over ended, as a sentence."""
    ending = {"won": "Won", "lost": "Lost", "abandoned": "Abandoned", "void": "Declared void"}
    facts = [counted(game.moves, "move")]
    if game.undos:
        facts.append(f"{game.undos} undone")
    if game.redeals:
        facts.append(counted(game.redeals, "redeal"))
    facts.append(duration(game.elapsed_ms))
    head = ending.get(game.status, game.status.capitalize())
    return f"{head}: {variant.name.en}, score {game.score} of {variant.cards}, {', '.join(facts)}."


def counted(number: int, thing: str) -> str:
    """`1 move`, `2 moves`."""
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


def duration(ms: int) -> str:
    """Milliseconds as `0:05`, `12:34` or `1:02:03`."""
    minutes, seconds = divmod(ms // 1000, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"
