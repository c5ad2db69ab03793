"""What an operation takes, read from the signature of its handler.

A handler declares its parameters as Litestar does (`PathParameter`, `QueryParameter`, `HeaderParameter`, `JSONBody`)
with their bounds as `msgspec.Meta`. The same plan serves the reading of requests and the OpenAPI document, so that
the two cannot differ.
"""

from collections.abc import Callable
from functools import cache
from inspect import Parameter, signature
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

import msgspec
from litestar.params import BodyKwarg, HeaderParameter, ParameterKwarg, PathParameter, QueryParameter
from msgspec import inspect

Location = Literal["path", "query", "header", "body"]

_LOCATIONS: dict[type, Location] = {
    PathParameter: "path",
    QueryParameter: "query",
    HeaderParameter: "header",
    BodyKwarg: "body",
}


class Input(msgspec.Struct, frozen=True):
    """One thing that a handler takes from a request.

    ``argument`` is its name in Python, ``name`` the one in the request, ``key`` the same as a header has it, ``place``
    the same as faults name it; ``annotation`` its msgspec type. ``converts`` tells that its value in Python is another
    than in JSON.
    """

    argument: str
    name: str
    key: bytes
    place: str
    location: Location
    annotation: Any
    kind: inspect.Type
    converts: bool
    required: bool
    default: Any


class Plan(msgspec.Struct, frozen=True):
    """All that a handler takes from a request, by the name in the request; header names are in lower case.

    ``inputs`` are all of them, ``parameters`` all but the body.
    """

    path: dict[str, Input]
    query: dict[str, Input]
    headers: dict[str, Input]
    inputs: list[Input]
    parameters: list[Input]
    body: Input | None


@cache
def plan_of(handler: Callable[..., Any]) -> Plan:
    """Return the plan of a handler function. Arguments without a location, such as the request, are left out."""
    hints = get_type_hints(handler, include_extras=True)
    parameters = signature(handler).parameters.values()
    found = [each for parameter in parameters if (each := _input(parameter, hints[parameter.name])) is not None]
    return Plan(
        inputs=found,
        parameters=[each for each in found if each.location != "body"],
        path={each.name: each for each in found if each.location == "path"},
        query={each.name: each for each in found if each.location == "query"},
        headers={each.name.lower(): each for each in found if each.location == "header"},
        body=next((each for each in found if each.location == "body"), None),
    )


def _input(parameter: Parameter, hint: object) -> Input | None:
    if get_origin(hint) is not Annotated:
        return None
    base, *extras = get_args(hint)
    marker = next((extra for extra in extras if isinstance(extra, ParameterKwarg | BodyKwarg)), None)
    if marker is None:
        return None
    annotation = base
    for meta in extras:
        if isinstance(meta, msgspec.Meta):
            annotation = Annotated[annotation, meta]
    required = parameter.default is Parameter.empty
    name = (marker.name if isinstance(marker, ParameterKwarg) else None) or parameter.name
    location = _LOCATIONS[type(marker)]
    kind = inspect.type_info(annotation)
    return Input(
        argument=parameter.name,
        name=name,
        key=name.lower().encode(),
        place=location if location == "body" else f"{location}.{name}",
        location=location,
        annotation=annotation,
        kind=kind,
        converts=_converts(kind),
        required=required,
        default=None if required else parameter.default,
    )


def _converts(kind: inspect.Type) -> bool:
    """Tell whether a value of a type is another in Python than in JSON."""
    if isinstance(kind, inspect.Metadata):
        return _converts(kind.type)
    if isinstance(kind, inspect.UnionType):
        return any(_converts(each) for each in kind.types)
    return not isinstance(kind, inspect.StrType | inspect.IntType | inspect.BoolType | inspect.NoneType)
