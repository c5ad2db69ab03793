"""Whether a deal was fair."""

import re
from pathlib import Path

import click
import msgspec
from pasyans_client import BadEvidence, fairness
from pasyans_client.evidence import Evidence, from_service, from_text
from pasyans_client.fairness import Findings
from pasyans_client.models import GameDeal

from pasyans_cli.exits import Exit, Failed
from pasyans_cli.files import read_text
from pasyans_cli.options import Options, command
from pasyans_cli.output import Output
from pasyans_cli.parameters import FILE
from pasyans_cli.saying import say
from pasyans_cli.session import Session, may_name_a_game

_COMMITMENT = re.compile(r"[0-9a-fA-F]{64}")
_WORDS = {"passed": "right", "failed": "WRONG", "skipped": "unchecked"}


@command("verify-deal")
@click.argument("source", type=FILE, metavar="GAME|FILE")
@click.option("--before", type=FILE, metavar="FILE", help="The same game as it was saved earlier.")
@click.option("--commitment", metavar="HEX", help="The commitment as it was noted earlier.")
@click.pass_context
def verify_deal(ctx: click.Context, source: str, before: str | None, commitment: str | None) -> None:
    """Check that GAME was dealt from the seed that was committed to, and showed the cards of that seed.

    It is worked out on this machine, from the seed alone. FILE (`-` for stdin) is the game as `show --json`,
    `move --json`, `play --json` or `replay --json` printed it, or its text record; then no service is asked for
    anything. The more of the game a file holds, the more is checked; a record names no cards.

    What is asked of the service now is what it says now. --before, with the game saved at its start, or --commitment,
    noted then, shows that it said the same at the time.

    Ends with exit code 12 where something is not as promised, and with 8 while the seed is a secret. With --json the
    findings are one object: `verdict` (`verified`, `mismatch`, `sealed` or `unchecked`), the game, and `checks`.
    """
    if commitment is not None and _COMMITMENT.fullmatch(commitment) is None:
        raise click.BadParameter("A commitment is 64 hexadecimal digits.", param_hint="--commitment")
    if source == before == "-":
        raise click.UsageError("Only one of the two can be read from stdin.")
    earlier = None if before is None else _saved(before)
    if source == "-" or Path(source).is_file():
        evidence = _saved(source)
    elif not may_name_a_game(source):
        raise Failed(f"{source!r} is neither a file that is there nor a game.", Exit.NOT_FOUND)
    else:
        session = Session.of(ctx)
        evidence = from_service(session.client, session.game_id(source))
    findings = fairness.verify_deal(evidence, earlier, commitment)
    _print(Output(ctx.ensure_object(Options)), findings)
    _judge(findings)


def _saved(file: str) -> Evidence:
    try:
        return from_text(read_text(file, "saved game"))
    except BadEvidence as error:
        raise BadEvidence(f"{'stdin' if file == '-' else file}: {error}") from error


def _print(out: Output, findings: Findings) -> None:
    if out.json:
        fields = {"verdict": findings.verdict, **msgspec.to_builtins(findings)}
        out.answer(msgspec.json.encode(fields))
        return
    deal = findings.deal
    about = {"game": findings.game, "deal": deal.kind, "date": deal.date, "seed": deal.seed}
    out.data(findings.variant + "".join(f", {name} {value}" for name, value in about.items() if value is not None))
    for check in findings.checks:
        out.data(f"{_WORDS[check.result]:9}  {check.name:10}  {out.with_cards(check.detail)}")


def _judge(findings: Findings) -> None:
    match findings.verdict:
        case "mismatch":
            wrong = " and ".join(check.name for check in findings.checks if check.result == "failed")
            raise Failed(f"The deal is not as promised: {wrong}.", Exit.UNFAIR)
        case "sealed":
            raise Failed(f"The deal is still sealed: its seed is told {_opening(findings.deal)}.", Exit.FORBIDDEN)
        case "unchecked":
            raise Failed(
                "Nothing could be checked. Give the game itself, or with --before what was saved of it.", Exit.USAGE
            )
        case "verified":
            left = [check.name for check in findings.checks if check.result == "skipped"]
            say("What could be checked is right." if left else "The deal is as promised.")


def _opening(deal: GameDeal) -> str:
    return "when the game ends" if deal.date is None else f"when the UTC day {deal.date} is over"
