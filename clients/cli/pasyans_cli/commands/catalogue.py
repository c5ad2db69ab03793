"""The games there are, their rules, and deals."""

from itertools import chain

import click
from pasyans_client.models import Daily, Variant

from pasyans_cli.lists import Extent, listing, show
from pasyans_cli.options import command
from pasyans_cli.parameters import DAY, VARIANT
from pasyans_cli.session import Session
from pasyans_cli.tables import Column

VARIANTS = ("id", Column("cards", number=True), Column("redeals", number=True), "name", "summary")
DAILIES = ("variant", "date", "until (UTC)", "seed", "commitment")


@command("variants")
@listing
@click.pass_context
def variants(ctx: click.Context, extent: Extent) -> None:
    """List the games there are: id, cards, redeals, name and what they are about."""
    session = Session.of(ctx)

    def table(pages: list[list[Variant]]) -> None:
        rows = [
            (v.id, str(v.cards), "any" if v.redeals is None else str(v.redeals), v.name.en, v.summary.en)
            for v in chain.from_iterable(pages)
        ]
        session.out.table(VARIANTS, rows)

    show(session, session.client.variant_pages(**extent.paging), table)


@command("rules")
@click.argument("variant", type=VARIANT)
@click.option("--lang", type=click.Choice(["en", "ru"]), default="en", show_default=True, help="The language.")
@click.pass_context
def rules(ctx: click.Context, variant: str, lang: str) -> None:
    """Show the rules of VARIANT: as a page on a terminal, else as Markdown."""
    session = Session.of(ctx)
    session.out.rules(variant, lang, session.client.rules_page(variant, lang))


@command("deal")
@click.argument("variant", type=VARIANT)
@click.argument("seed")
@click.pass_context
def deal(ctx: click.Context, variant: str, seed: str) -> None:
    """Show the opening of VARIANT that SEED gives, and its legal moves."""
    session = Session.of(ctx)
    opening = session.client.deal(variant, seed)
    if session.out.json:
        session.out.answer(session.body())
        return
    session.out.deal(session.variant(variant), opening)
    session.out.data(f"\nlegal: {' '.join(opening.legal_moves)}")


@command("daily")
@click.option(
    "--date",
    type=DAY,
    default="today",
    metavar="DATE",
    help="The day, such as 2026-11-29, up to a week ahead, or today.",
)
@listing
@click.pass_context
def daily(ctx: click.Context, date: str, extent: Extent) -> None:
    """List the deals of a day (UTC): for each game the seed, once the day is over, and the commitment to it.

    Everybody plays the same deal, and its cards are not known before the day is over: `pasyans play VARIANT --daily`.
    """
    session = Session.of(ctx)

    def table(pages: list[list[Daily]]) -> None:
        rows = [
            (d.variant, d.date, f"{d.closes_at:%Y-%m-%d %H:%M}", d.seed or "sealed", d.commitment)
            for d in chain.from_iterable(pages)
        ]
        session.out.table(DAILIES, rows)

    show(session, session.client.daily_pages(None if date == "today" else date, **extent.paging), table)
