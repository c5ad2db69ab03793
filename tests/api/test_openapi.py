"""The OpenAPI document: committed, complete, and true."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
from pasyans.api import openapi, operations
from pasyans.api.problems import PROBLEMS
from pasyans.api.v1.routes import HANDLERS

NDJSON = "application/x-ndjson"
EVENTS = "text/event-stream"
COMMITTED = Path(__file__).parents[2] / "openapi" / "v1.json"
DOCUMENT: dict[str, Any] = json.loads(openapi.document())


def operations_of() -> Iterator[tuple[str, str, dict[str, Any]]]:
    for path, item in DOCUMENT["paths"].items():
        for method, operation in item.items():
            yield method, path, operation


OPERATIONS = list(operations_of())


def objects(node: object) -> Iterator[dict[str, Any]]:
    """Every JSON object within."""
    if isinstance(node, dict):
        yield node
        for value in node.values():
            yield from objects(value)
    elif isinstance(node, list):
        for value in node:
            yield from objects(value)


def test_the_committed_document_is_the_one_that_the_code_generates() -> None:
    assert COMMITTED.read_bytes() == openapi.document(), (
        "The API has changed: run `python -m pasyans.api.openapi openapi/v1.json` and look at the difference."
    )


def test_the_document_does_not_depend_on_the_run(tmp_path: Path) -> None:
    written = []
    for seed in ("1", "2"):
        out = tmp_path / seed
        command = [sys.executable, "-W", "error", "-m", "pasyans.api.openapi", str(out)]
        subprocess.run(command, env=os.environ | {"PYTHONHASHSEED": seed}, check=True)
        written.append(out.read_bytes())
    assert written[0] == written[1]


def test_the_service_gives_the_document(http: httpx.Client) -> None:
    answer = http.get("/v1/openapi.json")
    assert answer.headers["content-type"] == "application/json"
    assert answer.content == COMMITTED.read_bytes()


def test_every_operation_is_described() -> None:
    assert len(OPERATIONS) == len(HANDLERS)
    ids = [operation["operationId"] for _, _, operation in OPERATIONS]
    assert len(set(ids)) == len(ids)
    tags = {tag["name"] for tag in DOCUMENT["tags"]}
    for _, _, operation in OPERATIONS:
        assert operation["summary"]
        assert operation["description"].endswith(".")
        assert set(operation["tags"]) <= tags


def test_every_parameter_is_described_and_bounded() -> None:
    for _, path, operation in OPERATIONS:
        for parameter in operation["parameters"]:
            assert parameter["description"], (path, parameter["name"])
            schema = parameter["schema"]
            assert "null" not in json.dumps(schema)
            if schema.get("type") == "integer":
                assert {"minimum", "maximum"} <= set(schema)
            elif "enum" not in schema and schema.get("format") != "uuid" and schema.get("type") != "boolean":
                assert {"pattern", "maxLength"} & set(schema), (path, parameter["name"])


def test_path_parameters_are_those_of_the_path() -> None:
    for _, path, operation in OPERATIONS:
        named = {f"{{{each['name']}}}" for each in operation["parameters"] if each["in"] == "path"}
        assert named == {part for part in path.split("/") if part.startswith("{")}


def test_objects_take_no_unknown_members_and_describe_their_own() -> None:
    found = [each for each in objects(DOCUMENT["components"]["schemas"]) if each.get("type") == "object"]
    assert len(found) > 40
    for each in found:
        assert each["additionalProperties"] is False, each["title"]
        assert is_sentence(each["description"]), each["title"]
        for name, member in each["properties"].items():
            assert is_sentence(member["description"]), (each["title"], name)


def is_sentence(text: str) -> bool:
    """Whether a text begins and ends as sentences do."""
    return text.endswith(".") and (text[0].isupper() or not text[0].isalpha())


def test_what_the_document_says_is_said_in_sentences() -> None:
    said = [each["description"] for each in objects(DOCUMENT) if isinstance(each.get("description"), str)]
    assert len(said) > 300
    assert [text for text in said if not is_sentence(text)] == []


def test_the_document_is_openapi() -> None:
    for kind, name in re.findall(r'"\$ref": "#/components/([a-zA-Z]+)/([A-Za-z-]+)"', COMMITTED.read_text()):
        assert name in DOCUMENT["components"][kind]
    for _, path, operation in OPERATIONS:
        assert re.fullmatch(r"[a-z][A-Za-z]+", operation["operationId"]), path
        for response in map(resolved, operation["responses"].values()):
            assert response["description"]


def test_every_integer_of_a_request_is_bounded() -> None:
    for _, _, operation in OPERATIONS:
        for each in objects(resolved(operation.get("requestBody", {}))):
            if each.get("type") == "integer":
                assert {"minimum", "maximum"} <= set(each)
            if each.get("type") == "string" and "enum" not in each:
                assert "maxLength" in each


def resolved(node: Any) -> Any:
    """The node with its references followed."""
    if isinstance(node, dict):
        if "$ref" in node:
            kind, name = node["$ref"].split("/")[-2:]
            return resolved(DOCUMENT["components"][kind][name])
        return {name: resolved(value) for name, value in node.items()}
    return [resolved(value) for value in node] if isinstance(node, list) else node


def test_there_are_no_discriminators() -> None:
    assert not [each for each in objects(DOCUMENT) if "discriminator" in each]


def codes(operation: dict[str, Any]) -> set[str]:
    found: set[str] = set()
    for status, response in operation["responses"].items():
        for schema in objects(resolved(response).get("content", {}).get("application/problem+json", {})):
            if "code" in schema.get("properties", {}):
                (code,) = schema["properties"]["code"]["enum"]
                assert str(PROBLEMS[code].status) == status
                found.add(code)
    return found


def test_every_operation_lists_the_errors_that_it_can_give() -> None:
    always = {"invalid-request", "unauthenticated", "rate-limited", "internal", "unavailable"}
    for _, path, operation in OPERATIONS:
        assert always <= codes(operation), path
        if "requestBody" in operation:
            assert {"too-large", "unsupported-media-type"} <= codes(operation)
    by_id = {operation["operationId"]: operation for _, _, operation in OPERATIONS}
    assert codes(by_id["playMoves"]) - always == {
        "forbidden",
        "not-found",
        "not-acceptable",
        "game-over",
        "stale-version",
        "too-large",
        "unsupported-media-type",
        "unreadable-move",
        "illegal-move",
        "idempotency-mismatch",
    }
    assert "deal-sealed" in codes(by_id["verifyRecord"])


def test_what_needs_a_token_says_so() -> None:
    needing = {operation["operationId"] for _, _, operation in OPERATIONS if operation["security"] == [{"token": []}]}
    assert needing == {
        "startGame",
        "playMoves",
        "undoMoves",
        "redoMoves",
        "resignGame",
        "getMe",
        "takeName",
        "exportMe",
        "eraseMe",
        "createToken",
        "listTokens",
        "revokeToken",
    }


def test_what_needs_an_admin_token_says_so() -> None:
    needing = {each["operationId"] for _, _, each in OPERATIONS if each["security"] == [{"adminToken": []}]}
    assert needing == {
        "listResults",
        "voidResults",
        "voidGame",
        "restoreGame",
        "verifyGame",
        "listPlayers",
        "banPlayer",
        "unbanPlayer",
        "listAudit",
    }
    assert needing == {each["operationId"] for _, path, each in OPERATIONS if path.startswith("/v1/admin/")}
    assert set(DOCUMENT["components"]["securitySchemes"]) == {"token", "adminToken"}


def test_what_needs_a_token_refuses_those_of_another_kind() -> None:
    for _, path, operation in OPERATIONS:
        assert not operation["security"] or "forbidden" in codes(operation), path
    by_id = {operation["operationId"]: operation for _, _, operation in OPERATIONS}
    assert {"not-finished", "stale-version", "idempotency-mismatch"} <= codes(by_id["voidGame"])
    assert {"not-void", "stale-version", "idempotency-mismatch"} <= codes(by_id["restoreGame"])


def test_everything_else_that_is_served_is_no_part_of_the_contract() -> None:
    paths = {path for handler in operations.HANDLERS for path in handler.paths}
    assert paths == {
        "/",
        "/docs",
        "/docs/{version:str}/{name:str}",
        "/fair",
        "/healthz",
        "/problems",
        "/problems/{code:str}",
        "/readyz",
        "/v1/openapi.json",
    }
