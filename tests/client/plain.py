"""Answers and what the client makes of them, in one form, so that nothing can be lost between the two unseen."""

import json
from datetime import datetime
from typing import Any

import msgspec
from pasyans_client.calls import Caller


def sent(client: Caller) -> Any:
    """The JSON of the last answer, its empty members left out."""
    assert client.last_answer is not None
    return bare(json.loads(client.last_answer.body))


def got(struct: Any) -> Any:
    """What the client made of it, as JSON, its empty members left out."""
    return bare(msgspec.to_builtins(struct))


def bare(value: Any) -> Any:
    """JSON without what is null, its times read."""
    match value:
        case dict():
            return {key: bare(each) for key, each in value.items() if each is not None}
        case list() | tuple():
            return [bare(each) for each in value]
        case str() if value[:2] == "20" and value.endswith("Z"):
            return datetime.fromisoformat(value)
        case _:
            return value
