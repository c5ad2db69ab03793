"""The `pasyans` command. Only click is imported here: a command's own module is loaded when it is run."""

from typing import Any

import click

from pasyans_cli.exits import MEANINGS
from pasyans_cli.options import LazyGroup, shared_options
from pasyans_cli.streams import make_readable, make_writable

COMMANDS: dict[str, tuple[str, str]] = {
    "login": ("account", "Make a player, or take a token."),
    "logout": ("account", "Forget the token."),
    "whoami": ("account", "Tell who is logged in."),
    "name": ("player", "Take a name, as a guest."),
    "token": ("tokens", "List, make and revoke tokens."),
    "variants": ("catalogue", "List the games there are."),
    "rules": ("catalogue", "Show the rules of a game."),
    "deal": ("catalogue", "Show the opening of a deal."),
    "daily": ("catalogue", "List the deals of a day."),
    "play": ("play", "Play in the terminal."),
    "show": ("games", "Show a game as it stands."),
    "move": ("games", "Play moves."),
    "undo": ("games", "Take moves back."),
    "redo": ("games", "Play moves again that were taken back."),
    "resign": ("games", "End a game as lost."),
    "games": ("listing", "List games."),
    "record": ("games", "Print the text record of a game."),
    "replay": ("replay", "Show a game, or a saved record, move by move."),
    "watch": ("watch", "Show a game while it is played."),
    "leaderboard": ("leaderboard", "Show who played best."),
    "stats": ("player", "Show what a player's games came to."),
    "verify-deal": ("fairness", "Check that a game was dealt as it was promised."),
    "export": ("player", "Print everything that is kept of you."),
    "erase": ("player", "Erase the player that you are."),
    "admin": ("admin", "Judge results and players, with an admin token."),
    "completion": ("completion", "Print the script that lets a shell complete commands."),
}


class Main(LazyGroup):
    """All commands; help ends with the exit codes."""

    def main(self, *args: Any, **kwargs: Any) -> Any:  # noqa: ANN401
        make_readable()
        make_writable()
        return super().main(*args, **kwargs)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Exit codes"):
            formatter.write_dl([(str(int(code)), meaning) for code, meaning in MEANINGS.items()])


main = Main(
    name="pasyans",
    package="pasyans_cli.commands",
    modules=COMMANDS,
    params=[*shared_options(with_environment=True)],
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    help="""Solitaire in the terminal.

    Start with `pasyans login` and `pasyans play`. A GAME is the id of a game, the beginning of the id of one of your
    games, or `last`, your newest one. Data goes to stdout and all else to stderr. Colours go by NO_COLOR and by
    whether stdout is a terminal.""",
    no_args_is_help=True,
)
click.version_option(package_name="pasyans", prog_name="pasyans")(main)
