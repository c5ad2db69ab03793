"""What schemathesis is told of the service, as its module of hooks: tokens, what there is, and what no schema can say.

`WORLD_FILE` names a file with a `World`, as JSON.
"""

import os
from collections.abc import Callable
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any, Final, TypeAlias

import httpx
import msgspec
import schemathesis
from schemathesis.core.deserialization import DeserializationContext

Case: TypeAlias = "schemathesis.Case[Any]"

FILE: Final = "WORLD_FILE"
# Nobody makes these up: the document says only how they look.
_ONLY_KNOWN: Final = {"cursor", "Last-Event-ID"}
# What is unknown in a filter is refused.
_KNOWN: Final = {"variant", "player"}
_LINES: Final = "application/x-ndjson"


class World(msgspec.Struct):
    """What there is: a service, tokens, and values of parameters, by operation and name, or by name alone for all."""

    url: str
    player: str
    admin: str
    values: dict[str, list[Any]]


@cache
def world() -> World:
    """What there is, by the file that the environment names."""
    return msgspec.json.decode(Path(os.environ[FILE]).read_bytes(), type=World)


# ---- what there is


@schemathesis.hook
def before_load_schema(_context: schemathesis.HookContext, raw_schema: dict[str, Any]) -> None:
    """Offer what there is beside what the document describes, and describe a stream as all of its messages."""
    for item in raw_schema["paths"].values():
        for operation in item.values():
            for parameter in operation["parameters"]:
                _offer(operation["operationId"], parameter)
            content = operation["responses"].get("200", {}).get("content", {})
            if _LINES in content:
                content[_LINES] = {"schema": {"type": "array", "items": content[_LINES]["schema"]}}
    schemas = raw_schema["components"]["schemas"]
    schemas["StartGame"]["properties"]["variant"]["enum"] = world().values["variant"]
    # A copy, for answers have filters too, and those of others.
    filters = schemas["VoidResults"]["properties"]["filter"] = deepcopy(schemas["VoidableResults"])
    for name in _KNOWN:
        filters["properties"][name]["anyOf"][0]["enum"] = world().values[name]
    moves = schemas["PlayMoves"]["properties"]["moves"]
    moves["items"] = {"anyOf": [{"enum": ["draw", "redeal"]}, moves["items"]]}


def _offer(operation: str, parameter: dict[str, Any]) -> None:
    name, values = parameter["name"], world().values
    known = values.get(f"{operation} {name}", values.get(name))
    if known is None:
        return
    own = {key: value for key, value in parameter["schema"].items() if key not in ("examples", "default")}
    is_closed = name in _ONLY_KNOWN or (name == "variant" and parameter["in"] == "query")
    parameter.pop("example", None)
    parameter["schema"] = {"anyOf": [{"enum": known}] if is_closed else [{"enum": known}, own]}


@schemathesis.auth(refresh_interval=None)
class Tokens:
    """A token of the kind that an operation takes; of a new player where the player does not outlive the request."""

    def get(self, case: Case, _context: schemathesis.AuthContext) -> str | None:
        """Return the token for a request."""
        raw = case.operation.definition.raw
        if not raw["security"]:
            return None
        if "adminToken" in raw["security"][0]:
            return world().admin
        if raw["operationId"] in ("eraseMe", "takeName"):
            return str(httpx.post(f"{world().url}/v1/players", json={}).json()["token"])
        return world().player

    def set(self, case: Case, data: str | None, _context: schemathesis.AuthContext) -> None:
        """Send it."""
        if data is not None:
            case.headers["Authorization"] = f"Bearer {data}"


# ---- what no schema can say


def _board(case: Case) -> None:
    """A cursor is of one board. A board is of a seed or of a daily, and a date says nothing without a window."""
    if "cursor" in case.query:
        for name in case.query.keys() - {"cursor", "limit"}:
            del case.query[name]
        case.query["seed"] = world().values["seed"][0]
        case.path_parameters["variant"] = world().values["variant"][0]
    if "seed" in case.query:
        case.query.pop("daily", None)
    if case.query.get("window", "all") == "all":
        case.query.pop("at", None)


def _daily(case: Case) -> None:
    """A cursor is of one day."""
    if "cursor" in case.query:
        case.query.pop("date", None)


def _times(case: Case) -> None:
    """A time is not before itself; a cursor is of one order."""
    if "since" in case.query:
        case.query.pop("before", None)
    if "cursor" in case.query:
        case.query.pop("sort", None)


def _filter(case: Case) -> None:
    """A filter names something. This one is kept from what the other operations need."""
    body: Any = case.body
    if isinstance(body, dict) and isinstance(body.get("filter"), dict):
        body["filter"] |= {"seed": world().values["voidable"][0], "before": None}


def _revoked(case: Case) -> None:
    """The token that is sent is to be good for what follows; a list of tokens has it too."""
    if case.path_parameters.get("id") in world().values["sent"]:
        case.path_parameters["id"] = world().values["revokeToken id"][0]


def _streamed(case: Case) -> None:
    """The stream of a game that goes on goes on."""
    case.path_parameters["id"] = world().values["streamGame id"][0]


REPAIRS: Final[dict[str, Callable[[Case], None]]] = {
    "getLeaderboard": _board,
    "getLeaderboardAround": _board,
    "listDailies": _daily,
    "listResults": _times,
    "listAudit": _times,
    "voidResults": _filter,
    "revokeToken": _revoked,
    "streamGame": _streamed,
}
"""What makes a request valid, or harmless, by operation, where its schemas can't."""


@schemathesis.hook
def before_call(_context: schemathesis.HookContext, case: Case, kwargs: dict[str, Any]) -> None:  # noqa: ARG001
    """Repair a request that is meant to be valid."""
    repair = REPAIRS.get(case.operation.definition.raw["operationId"])
    if repair is not None and case.meta is not None and case.meta.generation.mode.is_positive:
        repair(case)


# ---- what streams say


@schemathesis.deserializer(_LINES)
def lines(_context: DeserializationContext, response: schemathesis.Response) -> list[Any]:
    """Return what each line says."""
    return [msgspec.json.decode(line) for line in response.content.splitlines()]


@schemathesis.deserializer("text/event-stream")
def messages(_context: DeserializationContext, response: schemathesis.Response) -> list[Any]:
    """Return what each message about the game says."""
    found = response.content.decode().split("\n\n")
    return [msgspec.json.decode(each.partition("\ndata: ")[2]) for each in found if "event: game\n" in each]
