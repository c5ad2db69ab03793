"""The OpenAPI document, generated from the handlers: their signatures, their answers and their errors.

``python -m pasyans.api.openapi openapi/v1.json`` writes the copy that is kept with the code.
"""

import json
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final, get_args, get_type_hints

import msgspec
from litestar.handlers import HTTPRouteHandler
from litestar.status_codes import HTTP_204_NO_CONTENT

from pasyans.api import openapi_examples as examples
from pasyans.api.openapi_parts import ALWAYS, HEADERS, INFO, SECURITY, TAGS, TEMPLATE, problem_types, without_none
from pasyans.api.plan import Input, Plan, plan_of
from pasyans.api.problems import (
    MEDIA_TYPE,
    Forbidden,
    Internal,
    InvalidRequest,
    NotAcceptable,
    Problem,
    RateLimited,
    TooLarge,
    Unauthenticated,
    Unavailable,
    UnsupportedMediaType,
)
from pasyans.api.v1.routes import HANDLERS

_JSON: Final = "application/json"
_ANYWHERE: Final = (
    InvalidRequest,
    Unauthenticated,
    Forbidden,
    NotAcceptable,
    TooLarge,
    UnsupportedMediaType,
    RateLimited,
    Internal,
    Unavailable,
)
"""What operations answer that do not name it as their own."""
_SUCCESSES: Final = {
    (200, False): "",
    (200, True): "The text that was asked for.",
    (201, False): "It was made.",
    (204, False): "It was done, and there is nothing to say.",
}
"""What an answer is, by its status and whether it is a text; of other contents, their own description follows."""


class _Schemas:
    """The schemas of all the types in the document: a reference or a schema for each, and the components."""

    def __init__(self) -> None:
        self._problems = problem_types()
        types = [*(each for handler in HANDLERS for each in _types(handler)), *self._problems.values()]
        unique = list(dict.fromkeys(types))
        found, components = msgspec.json.schema_components(unique, ref_template=TEMPLATE)
        self._found = dict(zip(unique, found, strict=True))
        self.components = {name: _plain(components[name]) for name in sorted(components)}

    def of(self, annotation: object) -> dict[str, Any]:
        """Return the schema of a type."""
        return dict(self._found[annotation])

    def of_problem(self, problem: type[Problem]) -> dict[str, Any]:
        """Return the schema of a problem."""
        return self.of(self._problems[problem])


def _types(handler: HTTPRouteHandler) -> Iterator[Any]:
    plan = plan_of(handler.fn)
    yield from (without_none(each.annotation) for each in plan.parameters)
    if plan.body is not None:
        yield plan.body.annotation
    if (content := content_type_of(handler)) is not None:
        yield content
    yield from handler.opt.get("types", {}).values()


def content_type_of(handler: HTTPRouteHandler) -> object:
    """Return the type of the body of a handler's answer, ``None`` where there is none."""
    (content,) = get_args(get_type_hints(handler.fn)["return"])
    return None if content is type(None) else content


def _plain(schema: dict[str, Any]) -> dict[str, Any]:
    """Return a schema without its discriminators, which some generators of TypeScript stumble over.

    Each member is described: one that may be null as what it is else, and one that is always the same, such as what
    tells the kinds of a union apart, as that.
    """
    plain: dict[str, Any] = json.loads(
        json.dumps(schema),
        object_hook=lambda each: {name: value for name, value in each.items() if name != "discriminator"},
    )
    for member in plain.get("properties", {}).values():
        described = [each["description"] for each in member.get("anyOf", ()) if "description" in each]
        if len(member.get("enum", ())) == 1:
            described = [f"Always `{member['enum'][0]}`."]
        if described:
            member.setdefault("description", described[0])
    return plain


@cache
def document() -> bytes:
    """Return the document as JSON."""
    schemas = _Schemas()
    paths: dict[str, dict[str, Any]] = {}
    for handler in HANDLERS:
        (path,) = handler.paths
        (method,) = handler.http_methods
        paths.setdefault(path.replace(":str}", "}"), {})[str(method).lower()] = _operation(handler, schemas)
    whole = {
        "openapi": "3.1.0",
        "info": INFO,
        "servers": [{"url": "/"}],
        "tags": TAGS,
        "paths": paths,
        "components": {
            "schemas": schemas.components,
            "responses": {problem.__name__: _refusal([problem], schemas) for problem in _ANYWHERE},
            "headers": HEADERS,
            "securitySchemes": SECURITY,
        },
    }
    return (json.dumps(whole, ensure_ascii=False, indent=2) + "\n").encode()


def _operation(handler: HTTPRouteHandler, schemas: _Schemas) -> dict[str, Any]:
    plan = plan_of(handler.fn)
    operation: dict[str, Any] = {
        "operationId": handler.operation_id,
        "summary": handler.summary,
        "description": _text(handler.fn.__doc__),
        "tags": list(handler.tags or ()),
        "security": list(handler.security or ()),
        "parameters": [_parameter(handler, each, schemas) for each in plan.parameters],
    }
    if plan.body is not None:
        content = {_JSON: {"schema": schemas.of(plan.body.annotation), "examples": examples.of_body(handler)}}
        operation["requestBody"] = {"required": plan.body.required, "content": content}
    operation["responses"] = _responses(handler, plan, schemas)
    return operation


def _text(doc: str | None) -> str:
    return " ".join((doc or "").split())


def _parameter(handler: HTTPRouteHandler, given: Input, schemas: _Schemas) -> dict[str, Any]:
    schema = schemas.of(without_none(given.annotation))
    description = schema.pop("description", "")
    if given.default is not None:
        schema["default"] = given.default
    schema["examples"] = examples.of_parameter(handler, given)
    # What has to be given is there already where the operation is tried.
    tried = {"example": schema["examples"][0]} if given.required else {}
    return {
        "name": given.name,
        "in": given.location,
        "required": given.required,
        "description": description,
        "schema": schema,
        **tried,
    }


def _responses(handler: HTTPRouteHandler, plan: Plan, schemas: _Schemas) -> dict[str, Any]:
    own = {header.name for header in handler.response_headers or ()}
    responses = {handler.status_code: _success(handler, schemas, _headers(own))}
    if "nothing" in handler.opt:
        responses[HTTP_204_NO_CONTENT] = {"description": handler.opt["nothing"], "headers": _headers({"Vary"} & own)}
    if "if-none-match" in plan.headers:
        headers = _headers({"ETag", "Vary"})
        responses[304] = {"description": "The client's copy is still good.", "headers": headers}
    by_status: dict[int, list[type[Problem]]] = {}
    for problem in _problems(handler, plan):
        by_status.setdefault(problem.status, []).append(problem)
    for status, problems in by_status.items():
        shown = {name: each for problem in problems for name, each in _shown(handler, problem).items()}
        is_shared = len(problems) == 1 and shown == examples.of_problem(problems[0])
        reference = {"$ref": f"#/components/responses/{problems[0].__name__}"}
        responses[status] = reference if is_shared else _refusal(problems, schemas, shown)
    return {str(status): responses[status] for status in sorted(responses)}


def _shown(handler: HTTPRouteHandler, problem: type[Problem]) -> dict[str, Any]:
    """Return examples of a problem, of the operation itself where there are any."""
    own = examples.of_answer(handler, problem.status, MEDIA_TYPE)
    return {name: each for name, each in own.items() if each["value"]["code"] == problem.code} or (
        examples.of_problem(problem)
    )


def _headers(names: set[str]) -> dict[str, Any]:
    """Return references to headers, and to those that every answer has."""
    return {name: {"$ref": f"#/components/headers/{name}"} for name in HEADERS if name in names | ALWAYS}


def _success(handler: HTTPRouteHandler, schemas: _Schemas, headers: dict[str, Any]) -> dict[str, Any]:
    content = content_type_of(handler)
    response: dict[str, Any] = {"description": _SUCCESSES[handler.status_code, content is str], "headers": headers}
    if isinstance(content, type) and issubclass(content, msgspec.Struct):
        response["description"] = " ".join(filter(None, [response["description"], _text(content.__doc__)]))
    if content is not None:
        forms = handler.opt.get("forms", (_JSON,))
        # What it is in a form of its own; of a stream of lines, what each line is.
        types = handler.opt.get("types", {})
        response["content"] = {
            form: {
                "schema": schemas.of(types.get(form, content)),
                "examples": examples.of_answer(handler, handler.status_code, form),
            }
            for form in forms
        }
    return response


def _problems(handler: HTTPRouteHandler, plan: Plan) -> list[type[Problem]]:
    """Return what an operation can answer beside success: its own errors, and those of the door and the edge."""
    found = [*handler.opt["errors"], InvalidRequest, Unauthenticated, RateLimited, Internal, Unavailable]
    if content_type_of(handler) is not None:
        found.append(NotAcceptable)
    if plan.body is not None:
        found += [TooLarge, UnsupportedMediaType]
    if handler.security:
        found.append(Forbidden)
    return sorted(set(found), key=lambda problem: (problem.status, problem.code))


def _refusal(
    problems: list[type[Problem]], schemas: _Schemas, shown: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """Return the answer of some problems of one status, with the examples that are given, else with the shared ones."""
    found = [schemas.of_problem(problem) for problem in problems]
    extra = {401: {"WWW-Authenticate"}, 429: {"Retry-After"}, 503: {"Retry-After"}}.get(problems[0].status, set())
    schema = found[0] if len(found) == 1 else {"oneOf": found}
    return {
        "description": " ".join(f"`{problem.code}`: {problem.__doc__}" for problem in problems),
        "headers": _headers(extra),
        "content": {MEDIA_TYPE: {"schema": schema, "examples": shown or examples.of_problem(problems[0])}},
    }


if __name__ == "__main__":
    Path(sys.argv[1]).write_bytes(document())
