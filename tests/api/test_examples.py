"""The examples of the document are what the service answers, and there is one of everything."""

import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema_rs
import msgspec
import pytest
from litestar.handlers import HTTPRouteHandler
from pasyans.api import examples, openapi
from pasyans.api.examples import LEFT_OUT, BadExample, Example, Part
from pasyans.api.openapi_parts import problem_types
from pasyans.api.plan import plan_of
from pasyans.api.problems import PROBLEMS
from pasyans.api.v1.routes import HANDLERS

from tests.examples.story import files, fits, pretty, stage, story

STORY = story()
DOCUMENT: dict[str, Any] = json.loads(openapi.document())
PROBLEM_TYPES = {problem.code: kind for problem, kind in problem_types().items()}
LIMITS = {"RateLimit", "RateLimit-Policy"}
ALWAYS = {"X-Request-Id"} | LIMITS


def titled(example: Example) -> str:
    return f"{example.at} {example.title}"


@pytest.fixture(scope="module")
def answers() -> Iterator[dict[str, Part]]:
    """What the service answers to every example, by its time."""
    with stage() as played:
        yield {example.at: played.play(example) for example in STORY}


@pytest.mark.parametrize("example", STORY, ids=titled)
def test_the_service_answers_as_the_example_says(answers: dict[str, Part], example: Example) -> None:
    assert example.answer is not None, "run `python -m tests.examples`"
    answer = answers[example.at]
    assert (answer.line, answer.headers) == (example.answer.line, example.answer.headers)
    assert fits(answer, example.answer), f"The answer is:\n{answer.body}\nand the example has:\n{example.answer.body}"


def test_the_files_are_written_as_they_would_be_written() -> None:
    for path, found in files().items():
        assert path.read_text("utf-8") == "\n\n\n".join(map(str, found)) + "\n", path.name
        assert [each.at for each in found] == sorted(each.at for each in found), path.name
        for each in found:
            for part in filter(None, (each.request, each.answer)):
                if "json" in part.headers.get("Content-Type", "") and part.body not in ("", LEFT_OUT):
                    is_lines = part.headers["Content-Type"] == "application/x-ndjson"
                    assert is_lines or part.body == pretty(json.loads(part.body)), each.title


def test_times_are_told_once_and_titles_once_in_an_operation() -> None:
    assert max(Counter(each.at for each in STORY).values()) == 1
    assert {str(examples.operation_of(each)) for each in STORY} >= {str(handler) for handler in HANDLERS}
    for handler in HANDLERS:
        names = Counter(each.name for each in examples.of(handler))
        assert max(names.values()) == 1, names


def test_an_example_lies_beside_the_operation_that_it_asks_for() -> None:
    for path, found in files().items():
        for each in found:
            operation = examples.operation_of(each)
            assert path.stem == "problems" or (operation is not None and examples.path_of(operation) == path), each


# ---- there is one of everything


def keyed(handler: HTTPRouteHandler) -> str:
    return str(handler.operation_id)


def documented(handler: HTTPRouteHandler) -> dict[str, Any]:
    """The operation in the document."""
    ((path,), (method,)) = handler.paths, handler.http_methods
    found: dict[str, Any] = DOCUMENT["paths"][path.replace(":str}", "}")][str(method).lower()]
    return found


def followed(node: dict[str, Any]) -> dict[str, Any]:
    """What a reference leads to."""
    if "$ref" not in node:
        return node
    kind, name = node["$ref"].split("/")[-2:]
    found: dict[str, Any] = DOCUMENT["components"][kind][name]
    return found


@pytest.mark.parametrize("handler", HANDLERS, ids=keyed)
def test_every_answer_of_an_operation_has_an_example_in_the_document(handler: HTTPRouteHandler) -> None:
    responses = documented(handler)["responses"]
    for status, response in responses.items():
        for form, content in followed(response).get("content", {}).items():
            assert content["examples"], (status, form)
            if form == "application/problem+json":
                shown = {each["value"]["code"] for each in content["examples"].values()}
                assert shown == codes(content["schema"]), status
    seen = {str(each.status) for each in examples.of(handler)}
    assert {status for status, response in responses.items() if status < "400"} <= seen
    assert seen <= set(responses)


@pytest.mark.parametrize("handler", HANDLERS, ids=keyed)
def test_every_error_that_an_operation_names_as_its_own_is_seen(handler: HTTPRouteHandler) -> None:
    seen = {each.code for each in examples.of(handler) if each.code is not None}
    assert {problem.code for problem in handler.opt["errors"]} <= seen


@pytest.mark.parametrize("handler", HANDLERS, ids=keyed)
def test_every_parameter_and_body_has_an_example(handler: HTTPRouteHandler) -> None:
    operation = documented(handler)
    for parameter in operation["parameters"]:
        assert parameter["schema"]["examples"], parameter["name"]
    if "requestBody" in operation:
        assert operation["requestBody"]["content"]["application/json"]["examples"]
    members = {name for each in examples.of(handler) if each.code is None and each.request.body for name in sent(each)}
    body = plan_of(handler.fn).body
    assert members == (set() if body is None else {field.encode_name for field in fields(body.kind)})


def sent(example: Example) -> dict[str, Any]:
    assert isinstance(example.sent, dict)
    return example.sent


def fields(kind: Any) -> Any:
    return kind.fields


@pytest.mark.parametrize("handler", HANDLERS, ids=keyed)
def test_the_headers_of_an_operation_are_those_that_are_seen(handler: HTTPRouteHandler) -> None:
    seen: dict[str, set[str]] = {}
    for each in examples.of(handler):
        assert each.answer is not None
        seen.setdefault(str(each.status), set()).update(each.answer.headers)
    for status, response in documented(handler)["responses"].items():
        if status in seen:
            assert set(followed(response)["headers"]) - ALWAYS == seen[status] - {"Content-Type"}, status
        assert set(followed(response)["headers"]) >= ALWAYS


def codes(schema: dict[str, Any]) -> set[str]:
    problems = [followed(each) for each in schema.get("oneOf", [schema])]
    return {problem["properties"]["code"]["enum"][0] for problem in problems}


def test_every_problem_is_seen() -> None:
    assert {each.code for each in STORY if each.code is not None} == set(PROBLEMS)


def test_the_problems_that_any_request_may_meet_have_an_example_each() -> None:
    for name, response in DOCUMENT["components"]["responses"].items():
        content = response["content"]["application/problem+json"]
        assert {each["value"]["code"] for each in content["examples"].values()} == codes(content["schema"]), name


# ---- examples are what the document describes


def schema_of(node: dict[str, Any]) -> Any:
    """What checks a value against a schema of the document."""
    whole = {"$schema": "https://json-schema.org/draft/2020-12/schema", "components": DOCUMENT["components"], **node}
    return jsonschema_rs.Draft202012Validator(whole, validate_formats=True)


def shown(node: Any, path: str = "") -> Iterator[tuple[str, dict[str, Any], Any]]:
    """Every example of the document, with the schema that it is to fit."""
    if isinstance(node, dict):
        if "schema" in node:
            yield from (
                (f"{path}/{name}", node["schema"], each["value"]) for name, each in node.get("examples", {}).items()
            )
        elif isinstance(node.get("examples"), list):
            yield from ((path, node, each) for each in node["examples"])
        for name, value in node.items():
            if name not in ("examples", "value"):
                yield from shown(value, f"{path}/{name}")
    elif isinstance(node, list):
        for number, value in enumerate(node):
            yield from shown(value, f"{path}/{number}")


def test_every_example_fits_its_schema() -> None:
    found = list(shown(DOCUMENT))
    assert len(found) > 300
    for path, schema, value in found:
        errors = [each.message for each in schema_of(schema).iter_errors(value)]
        assert not errors, (path, errors)


@pytest.mark.parametrize("handler", HANDLERS, ids=keyed)
def test_an_answer_is_of_the_type_of_its_operation(handler: HTTPRouteHandler) -> None:
    """The types refuse unknown members and what is out of bounds, and know of each line of a stream."""
    decoded = 0
    for each in examples.of(handler):
        assert each.answer is not None
        for line, kind in said(handler, each, each.answer.body):
            msgspec.json.decode(line, type=kind)
            decoded += 1
    assert decoded or openapi.content_type_of(handler) in (None, str)


def said(handler: HTTPRouteHandler, example: Example, body: str) -> Iterator[tuple[str, Any]]:
    """What an answer says in JSON, piece by piece, and the type of each piece."""
    content = openapi.content_type_of(handler)
    if body == LEFT_OUT:
        return
    match example.form:
        case "application/problem+json":
            yield body, PROBLEM_TYPES[str(example.code)]
        case "application/json":
            yield body, content
        case "application/x-ndjson":
            yield from ((line, handler.opt["types"]["application/x-ndjson"]) for line in body.splitlines())
        case "text/event-stream":
            yield from ((message, content) for message in re.findall(r"^event: game\ndata: (.+)$", body, re.MULTILINE))
        case form:
            assert form is None or handler.opt.get("types", {}).get(form, content) is str


# ---- the files


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("GET /", "Before the first title"),
        ("### A title without a time\nGET /", "Not a time and a title"),
        ("### 2026-11-28T10:00:00Z A title\nGET /\nno header", "Not a header"),
    ],
)
def test_a_text_that_is_no_example(text: str, wrong: str) -> None:
    with pytest.raises(BadExample, match=wrong):
        examples.parse(text)


def test_what_is_left_out_is_not_compared_and_all_else_is() -> None:
    answer = Part("HTTP/1.1 200 OK", {"Content-Type": "text/plain"}, "a\nb (c)\nd")
    for body, is_fit in {
        "a\nb (c)\nd": True,
        "a\n…\nd": True,
        "…": True,
        "a…": True,
        "a\nb (c)": False,
        "b…": False,
    }.items():
        assert fits(answer, Part(answer.line, answer.headers, body)) is is_fit, body
    assert not fits(answer, Part(answer.line, {}, "…"))
    assert not fits(answer, Part("HTTP/1.1 201 Created", answer.headers, "…"))
    json_ = Part(answer.line, {"Content-Type": "application/json"}, '{"a": "…"}')
    assert not fits(Part(answer.line, json_.headers, '{"a": "b"}'), json_)


def test_json_is_on_one_line_where_it_fits() -> None:
    assert pretty({"a": [1, 2]}) == '{"a": [1, 2]}'
    long = {"a": ["x" * 60, "y" * 60], "b": {}}
    assert pretty(long) == '{\n  "a": [\n    "' + "x" * 60 + '",\n    "' + "y" * 60 + '"\n  ],\n  "b": {}\n}'
    assert json.loads(pretty(long)) == long


def test_the_files_have_no_example_for_a_path_that_has_gone() -> None:
    assert set(Path(examples.__file__).parent.rglob("*.http")) == set(files())
