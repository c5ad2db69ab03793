"""The commands of admins."""

from pasyans_cli.options import LazyGroup, shared_options

COMMANDS: dict[str, tuple[str, str]] = {
    "login": ("account", "Take an admin token from stdin, and keep it."),
    "logout": ("account", "Forget the admin token."),
    "results": ("results", "List games that are over, or write them as CSV."),
    "void-results": ("results", "Void all games that match."),
    "void": ("games", "Void a game."),
    "restore": ("games", "Take the voiding of a game back."),
    "verify": ("games", "Check what is stored of a game."),
    "players": ("players", "List players."),
    "ban": ("players", "Take a player off all boards."),
    "unban": ("players", "Let a player back on the boards."),
    "audit": ("audit", "List who did what, when and why."),
}

admin = LazyGroup(
    name="admin",
    package=__name__,
    modules=COMMANDS,
    params=[*shared_options(with_environment=False)],
    help="""Judge results and players, with an admin token.

    The operator of the service makes one for each admin: `pasyansd admin-token new NAME`. It is given to `pasyans admin
    login`, or in PASYANS_ADMIN_TOKEN. All that is done with it is in the audit, under its name.""",
    no_args_is_help=True,
)
