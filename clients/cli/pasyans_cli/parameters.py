"""What parameters take, and how a shell completes it: from what is known here, without asking the service."""

import os
import re
from datetime import UTC, datetime
from typing import Any

import click
from click.shell_completion import CompletionItem
from click.types import StringParamType

_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


class Text(StringParamType):
    """A text. What the command line has may be none: bytes that are not of the encoding of this machine."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:  # noqa: ANN401
        text = super().convert(value, param, ctx)
        try:
            text.encode()
        except UnicodeEncodeError:
            self.fail(f"'{os.fsencode(text).decode(errors='backslashreplace')}' is not UTF-8 text.", param, ctx)
        return text


class Words(Text):
    """A text that a few known words complete; the service knows which others there are."""

    def __init__(self, name: str, *words: str) -> None:
        self.name = name
        self._words = words

    def words(self) -> tuple[str, ...]:
        """The words."""
        return self._words

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem[str]]:
        return [CompletionItem(word) for word in self.words() if word.startswith(incomplete)]


class _Variants(Words):
    """The variants whose deals the client knows, which are those of a service of its version."""

    def words(self) -> tuple[str, ...]:
        from pasyans_client.deals import DEALINGS

        return tuple(DEALINGS)


class _Day(Words):
    """A date. It is looked at here where an option has it or not, and might take what follows for it."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:  # noqa: ANN401
        if value not in self.words() and _DAY.fullmatch(value) is None:
            self.fail(f"{value!r} is no date such as 2026-11-29. What is no date comes before the option.", param, ctx)
        return str(value)


class _File(StringParamType):
    """A file, whether or not it is there. Its name need not be text."""

    name = "file"

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem[str]]:
        return [CompletionItem(incomplete, type="file")]


def _moment(text: str) -> datetime:
    """A time: a date, which begins at midnight, or both; in UTC where it does not say its zone."""
    try:
        at = datetime.fromisoformat(text)
        return at.replace(tzinfo=UTC) if at.tzinfo is None else at
    except ValueError as error:
        raise click.BadParameter(f"{text!r} is no time such as 2026-11-29 or 2026-11-29T10:00Z.") from error


TEXT = Text()
VARIANT = _Variants("variant")
GAME = Words("game", "last")
PLAYER_OR_ME = Words("name", "me")
DAY = Words("date", "today")
DAY_OR_TODAY = _Day("date", "today")
FILE = _File()
TIME = _moment
