"""Players and their tokens."""

import re
from typing import Annotated, Final
from uuid import UUID

import msgspec
from msgspec import Meta

from pasyans.api.schemas.common import Next, Time

# In any case; a pattern of JSON Schema has no flag for that.
_RESERVED: Final = "^([Mm][Ee]|[Aa][Dd][Mm][Ii][Nn])$|^([Gg][Uu][Ee][Ss][Tt]|[Dd][Ee][Ll][Ee][Tt][Ee][Dd])-"
# Controls, and what is invisible or turns the direction of writing.
_UNSHOWN: Final = r"[\x00-\x1f\x7f-\x9f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\uffff]"


def free_name(name: str) -> str | None:
    """Say what is wrong with a name that somebody would like to take."""
    return "is reserved: choose another name" if re.search(_RESERVED, name) else None


def printable(label: str) -> str | None:
    """Say what is wrong with a label."""
    return "contains characters that cannot be shown" if re.search(_UNSHOWN, label) else None


PRINTABLE: Final = {"not": {"pattern": _UNSHOWN}}
"""What `printable` says, as JSON Schema."""


NewName = Annotated[
    str,
    Meta(
        min_length=3,
        max_length=24,
        pattern="^([A-Za-z][A-Za-z0-9_-]{2,23}|[А-Яа-яЁё][А-Яа-яЁё0-9_-]{2,23})$",
        description="3–24 letters, digits, `_` and `-`, a letter first; Latin or Cyrillic, not mixed; unique whatever "
        "the case.",
        examples=["anna"],
        extra={"check": free_name},
        extra_json_schema={"not": {"pattern": _RESERVED}},
    ),
]
Label = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=64,
        description="What tells its owner which token this is.",
        examples=["phone"],
        extra={"check": printable},
        extra_json_schema=PRINTABLE,
    ),
]
TokenText = Annotated[
    str,
    Meta(
        description="The token, for `Authorization: Bearer …`. It is shown in this answer only.",
        examples=["pasyans_9xKX0f0mJmnXhXzAq1v1B0dQ2mB8qVb1n7YkXH5sT3E"],
    ),
]


PlayerName = Annotated[str, Meta(description="The name; a guest's begins with `guest-`.", examples=["anna"])]
Guest = Annotated[bool, Meta(description="Whether the player has taken no name yet.")]
Created = Annotated[Time, Meta(description="When it was made.")]
TokenId = Annotated[UUID, Meta(description="The id of the token.")]
TokenLabel = Annotated[str, Meta(description="What tells its owner which token this is.", examples=["phone"])]
LastUsed = Annotated[Time | None, Meta(description="When it was last used, to the minute or so; null: never yet.")]


class CreatePlayer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A player to be made. Without a name it is a guest, who may take a name later."""

    name: Annotated[NewName | None, Meta(description="The name; null or left out: a guest's is made up.")] = None


class TakeName(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A name that a guest takes, for good."""

    name: NewName


class Player(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A player, as everybody may see them."""

    name: PlayerName
    guest: Guest
    created_at: Created


class CreatedPlayer(Player, frozen=True, forbid_unknown_fields=True):
    """A player just made, with the only copy of its first token."""

    token: TokenText


class CreateToken(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A token to be made."""

    label: Label


class Token(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A token in force, without its text."""

    id: TokenId
    label: TokenLabel
    created_at: Created
    last_used_at: LastUsed


class CreatedToken(Token, frozen=True, forbid_unknown_fields=True):
    """A token just made, with the only copy of its text."""

    token: TokenText


class TokenPage(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A page of tokens."""

    items: Annotated[list[Token], Meta(description="The tokens of this page, the oldest first.")]
    next: Next
