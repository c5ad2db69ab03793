"""Seeds: what names a deal, and the commitment to one that is still sealed."""

import re
from hashlib import sha256
from typing import Final

SEED_PATTERN: Final = r"(?!\.{1,2}$)[A-Za-z0-9._~-]{1,64}"
_SEED: Final = re.compile(SEED_PATTERN)
_DRAWN: Final = re.compile("[0-9a-f]{32}")


def is_seed(text: str) -> bool:
    """Tell whether ``text`` can name a deal.

    A seed is 1–64 characters of ``A–Z a–z 0–9 . _ ~ -``, but not ``.`` or ``..``, so that it is safe in a URL as it
    is. Case counts.
    """
    return _SEED.fullmatch(text) is not None


def is_drawn(seed: str) -> bool:
    """Tell whether ``seed`` looks as one that the service has drawn: 128 bits as lower-case hex digits."""
    return _DRAWN.fullmatch(seed) is not None


def commitment(seed: str) -> str:
    """Return the commitment to ``seed``: SHA-256(``pasyans-commit-1/{seed}``) in hex."""
    return sha256(f"pasyans-commit-1/{seed}".encode("ascii")).hexdigest()
