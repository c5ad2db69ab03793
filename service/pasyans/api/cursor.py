"""Cursors: opaque texts that say after which key a page begins.

A cursor holds the kind of list and the unique key of the last row shown, so that rows added meanwhile move nothing.
"""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error
from uuid import UUID

import msgspec

from pasyans.api.problems import InvalidRequest, fault

_DECODER = msgspec.json.Decoder(tuple[str, str])


def encode(kind: str, key: str) -> str:
    """Return the cursor of the page that begins after ``key`` in a list of ``kind``."""
    return urlsafe_b64encode(msgspec.json.encode((kind, key))).decode().rstrip("=")


def decode(kind: str, cursor: str) -> str:
    """Return the key in ``cursor``.

    Raises:
        InvalidRequest: this is no cursor of such a list.
    """
    try:
        found, key = _DECODER.decode(urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)))
    except (Error, ValueError, msgspec.MsgspecError):
        raise invalid() from None
    if found != kind:
        raise invalid()
    return key


def invalid() -> InvalidRequest:
    """Return the problem of a cursor that this list never gave."""
    return fault("query.cursor", "is not a cursor of this list: take it from `next`, or leave it out")


def decode_id(kind: str, cursor: str) -> UUID:
    """Return the id in ``cursor``, where the key of such a list is one.

    Raises:
        InvalidRequest: this is no cursor of such a list.
    """
    try:
        return UUID(decode(kind, cursor))
    except ValueError:
        raise invalid() from None
