"""What the schemas of all resources share."""

from typing import Annotated, Final

import msgspec
from msgspec import Meta

from pasyans.deals.days import DAY_PATTERN, is_day
from pasyans.deals.seeds import SEED_PATTERN
from pasyans.games.catalogue import VARIANTS

VERSION_AT_MOST: Final = 2**31 - 1
YEARS: Final = ("1970", "9998")
"""The years in which times and dates may be given: the first and the last."""
OTHER_YEARS: Final = "^(0|1[0-8]|19[0-6]|9999)"
"""How a time or a date in other years begins."""


def known_variant(variant: str) -> str | None:
    """Say what is wrong with the id of a variant."""
    return None if variant in VARIANTS else f"is not a variant: those are {', '.join(VARIANTS)}"


def known_day(day: str) -> str | None:
    """Say what is wrong with a date that is written as one."""
    return None if is_day(day) else "is no day of the calendar"


Time = Annotated[
    str,
    Meta(
        description="A time: RFC 3339, UTC, with `Z`.",
        extra_json_schema={"format": "date-time"},
        examples=["2026-11-29T10:00:00.000Z"],
    ),
]
VariantId = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=40,
        pattern="^[a-z0-9-]+$",
        description="The id of a variant.",
        examples=["forty-thieves"],
    ),
]
KnownVariant = Annotated[VariantId, Meta(extra={"check": known_variant})]
Seed = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=64,
        pattern=f"^{SEED_PATTERN}$",
        description="What names a deal: 1–64 of A–Z a–z 0–9 . _ ~ -, but not . or .. alone; case counts.",
        examples=["hello"],
    ),
]
Day = Annotated[
    str,
    Meta(
        min_length=10,
        max_length=10,
        pattern=f"^{DAY_PATTERN}$",
        description="A UTC date.",
        extra_json_schema={"format": "date"},
        examples=["2026-11-29"],
    ),
]
KnownDay = Annotated[Day, Meta(extra={"check": known_day})]
RulesNumber = Annotated[
    int, Meta(ge=1, le=1000, description="The number of the rules; it rises when play changes.", examples=[1])
]
Move = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=32,
        description="A move: `draw`, `redeal`, `SOURCE-TARGET` or, for several cards, `SOURCE-TARGET*N`.",
        examples=["w-t3"],
    ),
]
Version = Annotated[int, Meta(ge=1, le=VERSION_AT_MOST, description="How many events the game has.", examples=[17])]


Commitment = Annotated[
    str,
    Meta(
        min_length=64,
        max_length=64,
        pattern="^[0-9a-f]{64}$",
        description="SHA-256 of `pasyans-commit-1/{seed}` in hex.",
    ),
]
Next = Annotated[str | None, Meta(description="The cursor of the next page; null: this is the last.")]


class Text(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A text in the languages of the service."""

    en: Annotated[str, Meta(description="The text in English.")]
    ru: Annotated[str, Meta(description="The text in Russian.")]
