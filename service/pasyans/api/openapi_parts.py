"""The parts of the OpenAPI document that no handler has: what it is, its headers, and the types of problems."""

from types import NoneType, UnionType
from typing import Annotated, Any, Final, Literal, Union, get_args, get_origin

import msgspec
from msgspec import Meta

from pasyans.api.problems import PROBLEMS, Problem

TEMPLATE: Final = "#/components/schemas/{name}"

INFO: Final = {
    "title": "Pasyans",
    "version": "1",
    "description": "Solitaire as a service: every game is an append-only log of events. Errors are RFC 9457 problem "
    "details with a stable `code`. Unknown fields and parameters are errors, and no text holds a NUL character. Every "
    "POST that writes takes an `Idempotency-Key`, and writes on a game take `If-Match`. Clients must bear new fields "
    "in answers.",
    "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
}
TAGS: Final = [
    {"name": "Variants and deals", "description": "What can be played."},
    {"name": "Games", "description": "One player's play of one deal."},
    {"name": "Replays", "description": "What happened in a game, and records that anybody can check."},
    {"name": "Players", "description": "Players and their tokens."},
    {"name": "Leaderboards", "description": "Who did best: one row a player."},
    {"name": "Admin", "description": "For who runs the service: results, voiding, bans. No sealed deal is shown here."},
]
SECURITY: Final = {
    "token": {
        "type": "http",
        "scheme": "bearer",
        "description": "The token of a player. It is shown once, by the operation that makes it.",
    },
    "adminToken": {
        "type": "http",
        "scheme": "bearer",
        "description": "The token of an admin, who is no player. It is made on the server's command line.",
    },
}


def _header(description: str, **schema: object) -> dict[str, Any]:
    return {"description": description, "schema": {"type": "string", **schema}}


HEADERS: Final = {
    "X-Request-Id": _header("The id of the request: the client's own if it sent a sane one."),
    "Cache-Control": _header("How long the answer may be kept, and by whom.", examples=["private, no-cache"]),
    "Vary": _header("The headers of the request that the answer hangs on.", examples=["Authorization"]),
    "Location": _header("Where the new resource is.", format="uri-reference", examples=["/v1/players/anna"]),
    "ETag": _header("The version of the game, as a strong tag.", examples=['"17"', '"17r"', '"17.1"']),
    "Link": _header('The next page, `rel="next"`; absent on the last.'),
    "Idempotency-Replayed": _header("Present where the request had been done before.", enum=["true"]),
    "Retry-After": {"description": "Seconds to wait.", "schema": {"type": "integer", "minimum": 0}},
    "RateLimit-Policy": _header("The limit; absent where there is none.", examples=['"requests";q=600;w=60']),
    "RateLimit": _header(
        "What is left of it, and the seconds until it begins anew.", examples=['"requests";r=599;t=60']
    ),
    "WWW-Authenticate": _header("How to authenticate.", examples=['Bearer realm="pasyans"']),
    "Content-Language": _header("The language of the text.", enum=["en", "ru"]),
    "Content-Disposition": _header("That the answer is a file to keep, and its name."),
    "Content-Security-Policy": _header("That a picture opened by itself loads nothing and runs nothing."),
    "X-Accel-Buffering": _header("That a proxy is to pass each message on at once.", enum=["no"]),
}


ALWAYS: Final = {"X-Request-Id", "RateLimit-Policy", "RateLimit", "Cache-Control"}
"""The headers that every answer of an operation has, the limits where there are any."""


def problem_types() -> dict[type[Problem], type[msgspec.Struct]]:
    """Return, for each problem, a struct with the members of its JSON."""
    return {problem: _problem_type(problem) for problem in PROBLEMS.values()}


def _problem_type(problem: type[Problem]) -> type[msgspec.Struct]:
    members = msgspec.structs.fields(problem.members_type)
    return msgspec.defstruct(
        f"{problem.__name__}Problem",
        [
            ("type", Annotated[Literal[f"/problems/{problem.code}"], Meta(description="The page that explains it.")]),
            ("title", Annotated[str, Meta(description="A short English name of the problem.")]),
            ("status", Literal[problem.status]),
            ("detail", Annotated[str, Meta(description="What went wrong and what to do: an English sentence.")]),
            ("code", Annotated[Literal[problem.code], Meta(description="Stable; clients translate it.")]),
            ("instance", Annotated[str, Meta(description="The path of the request.")]),
            *((member.encode_name, member.type) for member in members),
        ],
        namespace={"__doc__": problem.__doc__},
        frozen=True,
        forbid_unknown_fields=True,
    )


def without_none(annotation: object) -> object:
    """Return a type without ``None``, which stands for the absence of a parameter."""
    if get_origin(annotation) not in (Union, UnionType):
        return annotation
    (only,) = (each for each in get_args(annotation) if each is not NoneType)
    return only
