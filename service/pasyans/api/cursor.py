"""Cursors: opaque texts that say after which key a page begins.

A cursor holds the kind of list and the unique key of the last row shown, so that rows added meanwhile move nothing.
"""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable
from typing import Final
from uuid import UUID

import msgspec

_DECODER: Final = msgspec.json.Decoder(tuple[str, str])


class BadCursor(ValueError):
    """A text that is no cursor of the list."""


def encode(kind: str, key: str) -> str:
    """Return the cursor of the page that begins after ``key`` in a list of ``kind``."""
    return urlsafe_b64encode(msgspec.json.encode((kind, key))).decode().rstrip("=")


def decode(kind: str, cursor: str) -> str:
    """Return the key in ``cursor``.

    Raises:
        BadCursor: this is no cursor of such a list.
    """
    try:
        found, key = _DECODER.decode(urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)))
    except (ValueError, msgspec.MsgspecError) as error:
        raise BadCursor(cursor) from error
    if found != kind:
        raise BadCursor(cursor)
    return key


def decode_id(kind: str, cursor: str) -> UUID:
    """Return the id in ``cursor``, where the key of such a list is one.

    Raises:
        BadCursor: this is no cursor of such a list.
    """
    try:
        return UUID(decode(kind, cursor))
    except ValueError as error:
        raise BadCursor(cursor) from error


def checked(kind: str, decoder: Callable[[str, str], object]) -> Callable[[str], str | None]:
    """Return what says what is wrong with a cursor of a list of ``kind``, which ``decoder`` reads."""

    def check(cursor: str) -> str | None:
        try:
            decoder(kind, cursor)
        except BadCursor:
            return "is not a cursor of this list: take it from `next`, or leave it out"
        return None

    return check
