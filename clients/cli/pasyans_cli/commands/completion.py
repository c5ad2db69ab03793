"""Shells that complete commands, options and the names of variants."""

import click
from click.shell_completion import get_completion_class

from pasyans_cli.options import Options, command

PROGRAM = "pasyans"
VARIABLE = "_PASYANS_COMPLETE"
"""What click looks for in the environment when a shell asks this program."""


@command("completion")
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def completion(ctx: click.Context, shell: str) -> None:
    """Print the script with which SHELL completes commands, options and variants when the tab key is pressed.

    \b
    bash  in ~/.bashrc:  eval "$(pasyans completion bash)"
    zsh   in ~/.zshrc, after compinit:  eval "$(pasyans completion zsh)"
    fish  once:  pasyans completion fish > ~/.config/fish/completions/pasyans.fish

    The shell asks this program, and no service is asked for anything.
    """
    maker = get_completion_class(shell)
    assert maker is not None  # noqa: S101
    script = maker(ctx.find_root().command, {}, PROGRAM, VARIABLE).source()
    if ctx.ensure_object(Options).json:
        import msgspec

        script = msgspec.json.encode({"shell": shell, "script": script}).decode()
    click.echo(script)
