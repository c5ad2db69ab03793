"""Commands, and the options that every one of them takes, before or after its name."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import click
from click.shell_completion import CompletionItem

from pasyans_cli.parameters import TEXT

DEFAULT_URL = "http://127.0.0.1:8000"


@dataclass
class Options:
    """What the command line says for all commands."""

    server: str = DEFAULT_URL
    json: bool = False
    ascii: bool = False
    four_colours: bool = False
    advice: str = "Log in with: pasyans login"
    """What to do where a token is missing or no good."""


def shared_options(*, with_environment: bool) -> list[click.Option]:
    """The options anew; those of the command itself leave alone what was said before its name."""
    return [
        click.Option(
            ["--server"],
            metavar="URL",
            envvar="PASYANS_URL" if with_environment else None,
            callback=_keep,
            expose_value=False,
            help=f"Address of the service (PASYANS_URL, or else {DEFAULT_URL}).",
        ),
        _flag("--json", "Print what the API answers, as it is."),
        _flag("--ascii", "Letters for suits, and nothing outside ASCII."),
        _flag("--four-colours", "A colour of its own for each suit."),
    ]


def _flag(name: str, text: str) -> click.Option:
    return click.Option([name], is_flag=True, callback=_keep, expose_value=False, help=text)


def _keep(ctx: click.Context, param: click.Parameter, value: Any) -> None:  # noqa: ANN401
    options = ctx.ensure_object(Options)
    if value and param.name:
        setattr(options, param.name, value)


class Command(click.Command):
    """A command with the shared options, whose failures become a sentence and an exit code."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:  # noqa: ANN401
        super().__init__(*args, **kwargs)
        for param in self.params:
            if param.type is click.STRING:
                param.type = TEXT
        self.params.extend(shared_options(with_environment=False))

    def invoke(self, ctx: click.Context) -> Any:  # noqa: ANN401
        from pasyans_cli import streams
        from pasyans_cli.failures import told

        options = ctx.ensure_object(Options)
        with told(options):
            streams.make_present()
            if options.ascii:
                streams.make_ascii()
            return super().invoke(ctx)


class CommandGroup(click.Group):
    """A command that has commands of its own, each with the shared options."""

    command_class = Command

    def __init__(self, *args: Any, **kwargs: Any) -> None:  # noqa: ANN401
        super().__init__(*args, **kwargs)
        self.params.extend(shared_options(with_environment=False))


class LazyGroup(click.Group):
    """A group whose commands are loaded one by one, when they are run: help and completion know them by name.

    `modules` has, by name, the module of a command in `package` and its line of help.
    """

    def __init__(self, *args: Any, package: str, modules: Mapping[str, tuple[str, str]], **kwargs: Any) -> None:  # noqa: ANN401
        super().__init__(*args, **kwargs)
        self._package = package
        self.modules = modules

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.modules)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self.modules:
            return None
        module = import_module(f"{self._package}.{self.modules[cmd_name][0]}")
        found = getattr(module, cmd_name.replace("-", "_"))
        assert isinstance(found, Command | CommandGroup | LazyGroup)  # noqa: S101
        return found

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_, line) in self.modules.items()])

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem[str]]:
        named = [
            CompletionItem(name, help=line) for name, (_, line) in self.modules.items() if name.startswith(incomplete)
        ]
        return named + click.Command.shell_complete(self, ctx, incomplete)


def command(name: str) -> Callable[[Callable[..., Any]], click.Command]:
    """Make a function a `Command`; its docstring is the help."""
    return click.command(name, cls=Command)
