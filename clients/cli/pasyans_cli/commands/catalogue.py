"""The games there are, their rules, and deals."""

import click

from pasyans_cli.options import command
from pasyans_cli.session import Session


@command("variants")
@click.pass_context
def variants(ctx: click.Context) -> None:
    """List the games there are: id, cards, redeals, name and what they are about."""
    session = Session.of(ctx)
    found = session.client.variants()
    if session.out.json:
        session.out.answer(session.body())
        return
    rows = [
        (v.id, str(v.cards), "any" if v.redeals is None else str(v.redeals), v.name.en, v.summary.en) for v in found
    ]
    session.out.table(("id", "cards", "redeals", "name", "summary"), rows)


@command("rules")
@click.argument("variant")
@click.option("--lang", type=click.Choice(["en", "ru"]), default="en", show_default=True, help="The language.")
@click.pass_context
def rules(ctx: click.Context, variant: str, lang: str) -> None:
    """Show the rules of VARIANT: as a page on a terminal, else as Markdown."""
    session = Session.of(ctx)
    page = session.client.rules_page(variant, lang)
    if session.out.json:
        import msgspec

        fields = {"variant": variant, "lang": lang, "markdown": page}
        session.out.answer(msgspec.json.encode(fields))
    else:
        session.out.page(page)


@command("deal")
@click.argument("variant")
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
@click.option("--date", metavar="DATE", help="The day, such as 2026-11-29, up to a week ahead; today unless told.")
@click.pass_context
def daily(ctx: click.Context, date: str | None) -> None:
    """List the deals of a day (UTC): for each game the seed, once the day is over, and the commitment to it.

    Everybody plays the same deal, and its cards are not known before the day is over: `pasyans play VARIANT --daily`.
    """
    session = Session.of(ctx)
    found = session.client.dailies(date)
    if session.out.json:
        session.out.answer(session.body())
        return
    rows = [(d.variant, d.date, f"{d.closes_at:%Y-%m-%d %H:%M}", d.seed or "sealed", d.commitment) for d in found]
    session.out.table(("variant", "date", "until (UTC)", "seed", "commitment"), rows)
