"""The options that say which results are meant."""

from collections.abc import Callable, Sequence
from datetime import datetime
from functools import wraps
from typing import Any

import click
from pasyans_client.admin import ResultFilters

from pasyans_cli.parameters import TIME, VARIANT

Function = Callable[..., None]


def filtered(statuses: Sequence[str], outcomes: Sequence[str]) -> Callable[[Function], Function]:
    """Give a command the filters of results, with these words to choose from; it gets them as `which`."""
    options = (
        click.option("--variant", type=VARIANT, metavar="VARIANT", help="Of one kind."),
        click.option("--player", metavar="NAME", help="Of one player."),
        click.option("--seed", metavar="SEED", help="On one deal."),
        click.option("--kind", type=click.Choice(["sealed", "shared", "daily"]), help="On deals of this kind."),
        click.option("--status", type=click.Choice(statuses), help="That stand so."),
        click.option("--outcome", type=click.Choice(outcomes), help="That ended so, which a voiding leaves as it is."),
        click.option("--rules", type=int, metavar="N", help="Under this number of the rules."),
        click.option(
            "--since",
            type=TIME,
            metavar="TIME",
            help="Finished at this time or later: a date, or 2026-11-29T10:00 (UTC).",
        ),
        click.option("--before", type=TIME, metavar="TIME", help="Finished before this time."),
        click.option("--fast/--slow", default=None, help="Played in less than 150 ms a move, or not."),
    )

    def decorate(function: Function) -> Function:
        @wraps(function)
        def command(
            *args: Any,  # noqa: ANN401
            variant: str | None,
            player: str | None,
            seed: str | None,
            kind: str | None,
            status: str | None,
            outcome: str | None,
            rules: int | None,
            since: datetime | None,
            before: datetime | None,
            fast: bool | None,
            **kwargs: Any,  # noqa: ANN401
        ) -> None:
            which: ResultFilters = {
                "variant": variant,
                "player": player,
                "seed": seed,
                "kind": kind,
                "status": status,
                "outcome": outcome,
                "rules": rules,
                "since": since,
                "before": before,
                "fast": fast,
            }
            function(*args, which=which, **kwargs)

        decorated: Function = command
        for option in reversed(options):
            decorated = option(decorated)
        return decorated

    return decorate
