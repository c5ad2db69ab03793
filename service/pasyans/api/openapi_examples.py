"""The examples in the OpenAPI document, taken from where they lie beside the operations and the problems."""

from collections.abc import Iterator
from typing import Any
from urllib.parse import parse_qsl, unquote

from litestar.handlers import HTTPRouteHandler

from pasyans.api import examples
from pasyans.api.examples import LEFT_OUT, Example
from pasyans.api.plan import Input
from pasyans.api.problems import Problem
from pasyans.api.validation import from_text


def of_body(handler: HTTPRouteHandler) -> dict[str, Any]:
    """Return the bodies that the examples of an operation send with success."""
    good = [each for each in examples.of(handler) if each.request.body and each.code is None]
    return {each.name: {"summary": each.title, "value": each.sent} for each in good}


def of_answer(handler: HTTPRouteHandler, status: int, form: str) -> dict[str, Any]:
    """Return the answers of a status, in a form, that the examples of an operation show."""
    found = [each for each in examples.of(handler) if (each.status, each.form) == (status, form)]
    return {each.name: _shown(each) for each in found if each.answer is not None and each.answer.body != LEFT_OUT}


def of_problem(problem: type[Problem]) -> dict[str, Any]:
    """Return the examples of a problem that any request may meet."""
    return {each.name: _shown(each) for each in examples.shared() if each.code == problem.code}


def of_parameter(handler: HTTPRouteHandler, given: Input) -> list[Any]:
    """Return the values that the examples of an operation give to a parameter where they succeed."""
    good = [each for each in examples.of(handler) if each.code is None]
    found = (text for each in good for name, text in _given(handler, each, given.location) if name == given.name)
    return list(dict.fromkeys(from_text(given.kind, text) for text in found))


def _given(handler: HTTPRouteHandler, example: Example, location: str) -> Iterator[tuple[str, str]]:
    path, _, query = example.target.partition("?")
    match location:
        case "query":
            yield from parse_qsl(query, keep_blank_values=True)
        case "header":
            yield from example.request.headers.items()
        case "path":
            (template,) = handler.paths
            for part, text in zip(template.split("/"), path.split("/"), strict=True):
                if part.startswith("{"):
                    yield part.strip("{}").partition(":")[0], unquote(text)


def _shown(example: Example) -> dict[str, Any]:
    asked = f"Answers `{example.request.line}`."
    description = f"{example.given} {asked}" if example.given else asked
    return {"summary": example.title, "description": description, "value": example.value}
