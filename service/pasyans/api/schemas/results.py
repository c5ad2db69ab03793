"""Results of finished games as admins see them, and which of them are meant."""

import re
from typing import Annotated, Literal
from uuid import UUID

import msgspec
from msgspec import Meta

from pasyans.api.schemas.admin import Grounds
from pasyans.api.schemas.common import OTHER_YEARS, YEARS, Day, KnownVariant, Next, RulesNumber, Seed, Time, VariantId
from pasyans.record.times import parse_time

Kind = Annotated[
    Literal["sealed", "shared", "daily"],
    Meta(description="The kind of its deal: drawn for this game, chosen by the caller, or the one of a UTC day."),
]
FinishedStatus = Annotated[
    Literal["won", "lost", "abandoned", "void"], Meta(description="How the game stands, which is over.")
]
FinishedOutcome = Annotated[
    Literal["won", "lost", "abandoned"], Meta(description="How the game ended, which a voiding leaves as it is.")
]
Sort = Literal[
    "game", "-game", "player", "-player", "variant", "-variant", "rules", "-rules", "kind", "-kind", "seed", "-seed",
    "date", "-date", "attempt", "-attempt", "status", "-status", "outcome", "-outcome", "score", "-score",
    "redeals", "-redeals", "moves", "-moves", "undos", "-undos", "elapsed_ms", "-elapsed_ms",
    "ms_per_move", "-ms_per_move", "started_at", "-started_at", "finished_at", "-finished_at",
]  # fmt: skip
"""A column by which results are sorted; with a minus, the other way round."""


def known_time(text: str) -> str | None:
    """Say what is wrong with a time."""
    try:
        parse_time(text)
    except ValueError:
        return "is no time such as 2026-11-29T10:00:00Z"
    return f"is not in the years {YEARS[0]} to {YEARS[1]}" if re.match(OTHER_YEARS, text) else None


Moment = Annotated[
    str,
    Meta(
        min_length=20,
        max_length=40,
        description="A time: RFC 3339, with `Z` or an offset.",
        extra_json_schema={"format": "date-time", "not": {"pattern": OTHER_YEARS}},
        examples=["2026-11-29T10:00:00Z"],
        extra={"check": known_time},
    ),
]
Since = Annotated[Moment, Meta(description="Only what happened at this time (RFC 3339) or later.")]
Before = Annotated[Moment, Meta(description="Only what happened before this time (RFC 3339).")]
OfPlayer = Annotated[
    str, Meta(min_length=1, max_length=64, description="Only what is about the player of this name, in any case.")
]
OfSeed = Annotated[
    Seed, Meta(description="Only games on this seed. That of a daily is found when its day is over, and no earlier.")
]
Fast = Annotated[
    bool,
    Meta(description="`true`: only games played in less than 150 ms a move; `false`: only the others."),
]


class FinishedResult(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What a finished game came to, whatever it counts for. Its fields are the columns of the CSV."""

    game: Annotated[UUID, Meta(description="The id of the game.")]
    player: Annotated[str, Meta(description="The owner's present name.", examples=["anna"])]
    variant: VariantId
    rules: RulesNumber
    kind: Kind
    seed: Annotated[Seed | None, Meta(description="The seed of the deal; null until the day of a daily is over.")]
    date: Annotated[Day | None, Meta(description="The UTC date of a daily deal, else null.")]
    attempt: Annotated[int, Meta(ge=1, description="Which game of this player on this deal it is.", examples=[1])]
    status: FinishedStatus
    outcome: FinishedOutcome
    score: Annotated[int, Meta(ge=0, description="The score at its end.", examples=[52])]
    redeals: Annotated[int, Meta(ge=0, description="The redeals on the line as it stands.", examples=[0])]
    moves: Annotated[int, Meta(ge=0, description="The moves on the line as it stands.", examples=[120])]
    undos: Annotated[int, Meta(ge=0, description="The moves ever undone.", examples=[3])]
    elapsed_ms: Annotated[int, Meta(ge=0, description="From the first event to the last, in milliseconds.")]
    ms_per_move: Annotated[
        Annotated[int, Meta(ge=0)] | None,
        Meta(description="`elapsed_ms` by `moves`, rounded down; null: there are no moves.", examples=[2500]),
    ]
    started_at: Annotated[Time, Meta(description="When the game began.")]
    finished_at: Annotated[Time, Meta(description="When the game ended.")]


class ResultPage(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A page of results, in the order that was asked for."""

    items: Annotated[list[FinishedResult], Meta(description="The results.")]
    next: Next


class VoidableResults(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which results are to be voided: what is null or left out does not count, the rest counts all together."""

    variant: Annotated[KnownVariant | None, Meta(description="Only games of this variant.")] = None
    player: OfPlayer | None = None
    seed: OfSeed | None = None
    kind: Kind | None = None
    status: Annotated[
        Annotated[Literal["won", "lost"], Meta(description="Only games that stand so.")] | None,
        Meta(description="Only games that stand so. No others can be voided."),
    ] = None
    outcome: Annotated[
        Annotated[Literal["won", "lost"], Meta(description="Only games that ended so.")] | None,
        Meta(description="Only games that ended so. No others can be voided."),
    ] = None
    rules: RulesNumber | None = None
    since: Since | None = None
    before: Before | None = None
    fast: Fast | None = None


def _names_something(which: dict[str, object]) -> str | None:
    """Say what is wrong with a filter that names nothing, and so would mean everything."""
    if all(value is None for value in which.values()):
        return f"names nothing: give at least one of {', '.join(VoidableResults.__struct_fields__)}"
    return None


class VoidResults(Grounds, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Results to be voided by a filter, and why."""

    filter: Annotated[
        VoidableResults,
        Meta(description="Which results are meant. At least one field is given.", extra={"check": _names_something}),
    ]
    dry_run: Annotated[bool, Meta(description="`true`: they are only counted, and nothing is written.")] = False


class VoidedResults(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How many results a filter was about."""

    dry_run: Annotated[bool, Meta(description="Whether they were only counted.")]
    matched: Annotated[int, Meta(ge=0, description="How many results fitted the filter and stood.", examples=[12])]
    voided: Annotated[int, Meta(ge=0, description="How many of them this request has voided.", examples=[12])]
