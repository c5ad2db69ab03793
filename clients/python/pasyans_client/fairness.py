"""Whether a game was dealt as it was promised, worked out on this machine.

    findings = verify_deal(from_service(client, game.id), from_text(saved_at_the_start))
    findings.verdict        # "verified", "mismatch", "sealed" or "unchecked"
    findings.checks         # what was checked, and what could not be and why

A commitment proves that a deal was not changed, not how it was chosen.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

import msgspec

from pasyans_client.boards import difference, impossibility
from pasyans_client.deals import DEALINGS, GAP, RULES, Piles, commitment, opening
from pasyans_client.errors import BadEvidence
from pasyans_client.evidence import Evidence
from pasyans_client.models import Event, Game, GameDeal
from pasyans_client.tracing import CannotBe, Trace

Result = Literal["passed", "failed", "skipped"]
Verdict = Literal["verified", "mismatch", "sealed", "unchecked"]


class Check(msgspec.Struct, frozen=True):
    """One thing looked at.

    `name` is `commitment` (what was published is the commitment to the seed), `noted` (so is what was noted before the
    seed was known), `opening` (the cards of the opening are those that the seed deals), `events` (so are those that
    each event named) or `boards` (so are those of later boards). `detail` is a sentence.
    """

    name: str
    result: Result
    detail: str


class Findings(msgspec.Struct, frozen=True):
    """What became of all checks of one game; `game` is its id, `None` where only its record was given."""

    game: str | None
    variant: str
    rules: int
    deal: GameDeal
    checks: tuple[Check, ...]

    @property
    def verdict(self) -> Verdict:
        """`mismatch` where any check failed, `sealed` where the seed is not known yet, `unchecked` where nothing could
        be checked, else `verified`.
        """
        results = {check.result for check in self.checks}
        if "failed" in results:
            return "mismatch"
        if self.deal.seed is None:
            return "sealed"
        return "verified" if "passed" in results else "unchecked"


def verify_deal(evidence: Evidence, earlier: Evidence | None = None, noted: str | None = None) -> Findings:
    """Check a game against its seed; without one, only that nothing promised has changed.

    `earlier` is the same game as it was saved before, `noted` a commitment written down before: with either, nobody has
    to be believed about what was published at the start.

    Raises:
        BadEvidence: `earlier` is of another game, or a commitment was noted of a shared deal, which has none.
    """
    if earlier is not None:
        _be_of_one_game(evidence, earlier)
    if noted is not None and evidence.deal.kind == "shared":
        raise BadEvidence("A shared deal has no commitment that could have been noted.")
    checks = [_commitment(evidence), _noted(evidence, earlier, noted)]
    every = [evidence] if earlier is None else [earlier, evidence]
    return Findings(
        evidence.game,
        evidence.variant,
        evidence.rules,
        evidence.deal,
        (*checks, *_cards(evidence, [b for each in every for b in each.boards], [e for x in every for e in x.events])),
    )


def _be_of_one_game(evidence: Evidence, earlier: Evidence) -> None:
    if None not in (evidence.game, earlier.game):
        same = evidence.game == earlier.game
    else:
        same = evidence.variant == earlier.variant and evidence.started_at == earlier.started_at
    if not same:
        raise BadEvidence("What was saved before is of another game.")


def _commitment(evidence: Evidence) -> Check:
    deal = evidence.deal
    if deal.kind == "shared":
        return Check("commitment", "skipped", "A shared deal has none: its seed is public from the start.")
    if deal.seed is None:
        return Check("commitment", "skipped", "The seed is not told yet.")
    told = [each.commitment for each in evidence.deals if each.commitment is not None]
    seeds = {each.seed for each in evidence.deals if each.seed is not None}
    if len(seeds) > 1:
        return Check("commitment", "failed", f"Different seeds were told: {' and '.join(sorted(seeds))}.")
    if not told:
        return Check("commitment", "skipped", "What was given tells of none.")
    return _hashed("commitment", deal.seed, told, "published")


def _noted(evidence: Evidence, earlier: Evidence | None, noted: str | None) -> Check:
    deal = evidence.deal
    # What was saved while the seed was a secret needs no belief either.
    secret = [each for each in evidence.deals if each.seed is None and each != deal]
    before = [*secret, *(earlier.deals if earlier is not None else ())]
    for each in before:
        if (each.kind, each.date) != (deal.kind, deal.date) or each.seed not in (None, deal.seed):
            return Check("noted", "failed", f"Before, it was {_told(each)}; now it is {_told(deal)}.")
    if earlier is not None and (earlier.variant, earlier.rules) != (evidence.variant, evidence.rules):
        return Check("noted", "failed", f"Before, it was a game of {earlier.variant}, rules {earlier.rules}.")
    promises = [each.commitment for each in before if each.commitment is not None]
    promises += [] if noted is None else [noted.lower()]
    if deal.kind == "shared":
        if not before:
            return Check("noted", "skipped", "A shared deal promises nothing.")
        return Check("noted", "passed", "The seed is the one that was told before.")
    if not promises:
        return Check("noted", "skipped", "Nothing noted earlier was given, so what is published now is believed.")
    if deal.seed is not None:
        return _hashed("noted", deal.seed, promises, "noted before the seed was told")
    changed = [each for each in promises if each != deal.commitment]
    if changed:
        return Check("noted", "failed", f"{changed[0]} was noted before, and {deal.commitment} is published now.")
    return Check("noted", "passed", f"{deal.commitment} is published now as it was before.")


def _hashed(name: str, seed: str, promises: Iterable[str], how: str) -> Check:
    true = commitment(seed)
    wrong = [each for each in promises if each != true]
    if wrong:
        return Check(name, "failed", f"The commitment to the seed is {true}, and {wrong[0]} was {how}.")
    return Check(name, "passed", f"The commitment to the seed is {true}, as was {how}.")


def _told(deal: GameDeal) -> str:
    return f"a {deal.kind} deal" + "".join(f", {part}" for part in (deal.date, deal.seed) if part is not None)


def _cards(evidence: Evidence, boards: Sequence[Game], events: Sequence[Event]) -> list[Check]:
    seed, reason = evidence.deal.seed, None
    if seed is None:
        reason = "The seed is not told yet."
    elif evidence.variant not in DEALINGS or evidence.rules != RULES:
        reason = f"This version does not know how {evidence.variant} is dealt under rules {evidence.rules}."
    elif not boards and not events:
        reason = "What was given shows no card."
    if seed is None or reason is not None:
        return [Check(name, "skipped", str(reason)) for name in ("opening", "events", "boards")]
    later = [board for board in boards if board.version > 1]
    traced, check = _follow(Trace(evidence.variant, seed), events, {board.version for board in later})
    dealt = opening(evidence.variant, seed)
    return [_opening(dealt, [board for board in boards if board.version == 1]), check, _later(dealt, later, traced)]


def _opening(dealt: Piles, boards: Sequence[Game]) -> Check:
    if not boards:
        return Check("opening", "skipped", "The board at the start was not given.")
    for board in boards:
        wrong = difference(dealt, board.piles)
        if wrong is not None:
            return Check("opening", "failed", wrong)
    return Check("opening", "passed", f"The {_shown(boards[0])} cards shown at the start lie as the seed deals them.")


def _follow(trace: Trace, events: Sequence[Event], wanted: set[int]) -> tuple[Mapping[int, Piles], Check]:
    """Where the cards lay at the versions wanted, as far as events tell of it without a gap, and what they showed."""
    known: dict[int, Event] = {}
    for event in events:
        if known.setdefault(event.seq, event) != event:
            return {}, Check("events", "failed", f"Event {event.seq} was told in two different ways.")
    lay: dict[int, Piles] = {}
    version, named = 1, 0
    while version + 1 in known:
        version += 1
        event = known[version]
        try:
            named += trace.follow(event)
        except CannotBe as wrong:
            return lay, Check("events", "failed", f"Event {version} ({event.move or event.type}): {wrong}")
        if version in wanted:
            lay[version] = trace.piles
    if version == 1:
        return lay, Check("events", "skipped", "What happened after the start was not given.")
    rest = f" What follows event {version} was not given in full." if max(known) > version else ""
    if not named:
        return lay, Check("events", "skipped", f"Nothing that happened after the start showed a card.{rest}")
    text = f"Up to event {version} they named {_counted(named, 'card')}, and those are what the seed deals.{rest}"
    return lay, Check("events", "passed", text)


def _later(dealt: Piles, boards: Sequence[Game], traced: Mapping[int, Piles]) -> Check:
    exact, possible = 0, 0
    for board in boards:
        if board.version in traced:
            wrong = difference(traced[board.version], board.piles)
            exact += 1
        elif "s" in dealt:
            wrong = impossibility(dealt, board)
            possible += 1
        else:
            continue
        if wrong is not None:
            return Check("boards", "failed", f"Version {board.version}: {wrong}")
    if not boards:
        return Check("boards", "skipped", "No later board was given.")
    told = {
        "What the events make of the deal": exact,
        "Without events, of cards that the seed deals by then": possible,
        "Rows without events, which tell nothing of the deal": len(boards) - exact - possible,
    }
    detail = " ".join(f"{what}: {_counted(number, 'later board')}." for what, number in told.items() if number)
    return Check("boards", "passed" if exact + possible else "skipped", detail)


def _shown(board: Game) -> int:
    return sum(card != GAP for pile in board.piles for card in pile.cards)


def _counted(number: int, thing: str) -> str:
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"
