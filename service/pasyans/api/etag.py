"""Entity tags of games, and the conditions that requests put on them.

A game's tag begins with its version. What may follow it tells apart answers that differ without a new event: ``r``
that the seed of a daily has opened (``17r``), ``.1`` that the owner's name has changed once (``17.1``, ``17r.1``). It
plays no part in If-Match, which asks only whether the game has moved on. Weak forms count as the strong ones: proxies
that compress make them.
"""

import re
from collections.abc import Iterable

TAG_LIST_PATTERN = r'^[ \t]*(\*|(W/)?"[^"]*"([ \t]*,[ \t]*(W/)?"[^"]*")*)[ \t]*$'
"""What If-Match and If-None-Match must look like: ``*``, or a list of quoted tags."""

_TAG = re.compile(r'"([^"]*)"')
_VERSION = re.compile(r"([1-9][0-9]{0,8})r?(?:\.[1-9][0-9]*)?", re.ASCII)


def game_tag(version: int, name_changes: int = 0, *, has_opened: bool = False) -> str:
    """Return the tag of a game at its ``version``, whose owner's name has changed so often, as ETag has it.

    ``has_opened`` tells that its deal is a daily's whose seed has opened.
    """
    opened = "r" if has_opened else ""
    renamed = f".{name_changes}" if name_changes else ""
    return f'"{version}{opened}{renamed}"'


def unchanged(tag: str, if_none_match: str | None) -> bool:
    """Tell whether If-None-Match names ``tag``, so that the answer is 304."""
    return if_none_match is not None and (_is_any(if_none_match) or tag.strip('"') in _tags(if_none_match))


def moved_on(version: int, if_match: str | None) -> bool:
    """Tell whether If-Match names only versions other than ``version``, so that the answer is 412."""
    if if_match is None or _is_any(if_match):
        return False
    versions = (_VERSION.fullmatch(tag) for tag in _tags(if_match))
    return all(named is None or int(named[1]) != version for named in versions)


def _is_any(header: str) -> bool:
    return header.strip(" \t") == "*"


def _tags(header: str) -> Iterable[str]:
    return _TAG.findall(header)
