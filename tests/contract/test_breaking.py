"""Nothing that was released breaks: the present document against that of the last release; and the comparison."""

import json
import re
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from pasyans.api import openapi

from tests.contract.breaking import breaks

ROOT = Path(__file__).parents[2]
RELEASED = ROOT / "openapi" / "released"

Node = dict[str, Any]


def versions() -> list[str]:
    """The releases of which a document is kept, the oldest first."""
    return sorted((path.stem for path in RELEASED.glob("*.json")), key=lambda each: [*map(int, each.split("."))])


def test_no_client_of_the_last_release_is_broken() -> None:
    last = versions()[-1]
    old = json.loads((RELEASED / f"{last}.json").read_text())
    found = breaks(old, json.loads(openapi.document()))
    kept = RELEASED / f"{last}.accepted"
    lines = kept.read_text().splitlines() if kept.exists() else []
    accepted = [line for line in lines if not line.startswith("#")]
    assert [each for each in found if each not in accepted] == []
    assert [each for each in accepted if each not in found] == [], "these are accepted for nothing"


def test_the_document_of_each_release_is_kept() -> None:
    named = re.findall(r"^## (\d\S+)", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert named
    # The newest may be in the making.
    assert set(named[1:] or named) <= set(versions()) <= set(named)


# ---- the comparison

OLD: Node = {
    "paths": {
        "/things/{id}": {
            "get": {
                "operationId": "getThing",
                "security": [],
                "parameters": [
                    {"in": "path", "name": "id", "required": True, "schema": {"type": "string", "format": "uuid"}},
                    {"in": "query", "name": "at", "required": False, "schema": {"type": "integer", "minimum": 0}},
                    {"in": "query", "name": "by", "required": False, "schema": {"enum": ["a", "b"], "default": "a"}},
                ],
                "responses": {
                    "200": {
                        "headers": {"ETag": {"$ref": "#/components/headers/ETag"}},
                        "content": {
                            "application/json": {"schema": {"$ref": "#/components/schemas/Thing"}},
                            "text/plain": {"schema": {"type": "string"}},
                        },
                    },
                    "304": {"headers": {}},
                    "404": {"$ref": "#/components/responses/Refused"},
                },
            },
            "post": {
                "operationId": "makeThing",
                "security": [{"token": []}],
                "parameters": [],
                "requestBody": {
                    "required": False,
                    "content": {"application/json": {"schema": {"$ref": "#/components/schemas/NewThing"}}},
                },
                "responses": {"201": {"headers": {}}},
            },
        }
    },
    "components": {
        "headers": {"ETag": {}},
        "responses": {
            "Refused": {
                "content": {
                    "application/problem+json": {
                        "schema": {
                            "oneOf": [
                                {"$ref": "#/components/schemas/Missing"},
                                {"$ref": "#/components/schemas/Closed"},
                            ]
                        }
                    }
                }
            }
        },
        "schemas": {
            "Missing": {
                "type": "object",
                "required": ["code", "until"],
                "properties": {"code": {"enum": ["missing"]}, "until": {"type": "string"}},
            },
            "Closed": {"type": "object", "required": ["code"], "properties": {"code": {"enum": ["closed"]}}},
            "Thing": {
                "type": "object",
                "required": ["name", "size", "parts", "status", "end"],
                "properties": {
                    "name": {"type": "string", "maxLength": 9, "pattern": "^[a-z]+$"},
                    "size": {"type": "integer", "minimum": 1, "maximum": 9},
                    "status": {"enum": ["on", "off"]},
                    "end": {"anyOf": [{"type": "string"}, {"type": "null"}]},
                    "parts": {
                        "type": "array",
                        "items": {
                            "anyOf": [{"$ref": "#/components/schemas/Wheel"}, {"$ref": "#/components/schemas/Door"}]
                        },
                    },
                },
            },
            "Wheel": {"type": "object", "required": ["kind"], "properties": {"kind": {"enum": ["wheel"]}}},
            "Door": {"type": "object", "required": ["kind"], "properties": {"kind": {"enum": ["door"]}}},
            "NewThing": {
                "type": "object",
                "required": ["name"],
                "properties": {
                    "name": {"type": "string", "minLength": 1, "maxLength": 9},
                    "tags": {"type": "array", "maxItems": 3, "items": {"type": "string"}},
                    "count": {"type": "integer", "default": 1},
                    "mood": {"anyOf": [{"type": "string"}, {"type": "null"}]},
                },
            },
        },
    },
}

Change = Callable[[Node], object]


def get(document: Node) -> Node:
    found: Node = document["paths"]["/things/{id}"]["get"]
    return found


def post(document: Node) -> Node:
    found: Node = document["paths"]["/things/{id}"]["post"]
    return found


def members(document: Node, name: str) -> Node:
    found: Node = document["components"]["schemas"][name]["properties"]
    return found


def required(document: Node, name: str) -> list[str]:
    found: list[str] = document["components"]["schemas"][name]["required"]
    return found


def demand(document: Node, name: str) -> None:
    """Give a schema one more field, which is never left out."""
    members(document, name)["x"] = {"type": "string"}
    required(document, name).append("x")


def content(document: Node) -> Node:
    found: Node = get(document)["responses"]["200"]["content"]
    return found


def parameter(required: bool) -> Node:
    return {"in": "query", "name": "new", "required": required, "schema": {"type": "string"}}


PART: Node = {"type": "object", "required": ["kind"], "properties": {"kind": {"enum": ["roof"]}}}
GET, POST = "GET /things/{id}", "POST /things/{id}"

BREAKING: list[tuple[str, Change, str]] = [
    ("a path goes", lambda d: d["paths"].clear(), f"{GET}: the operation is gone"),
    ("an operation goes", lambda d: d["paths"]["/things/{id}"].pop("get"), f"{GET}: the operation is gone"),
    ("an id changes", lambda d: get(d).update(operationId="x"), f"{GET}: the operationId is another one"),
    ("a token is asked for", lambda d: get(d).update(security=[{"token": []}]), f"{GET}: it takes another token"),
    ("another one is", lambda d: post(d).update(security=[{"other": []}]), f"{POST}: it takes another token"),
    ("a parameter goes", lambda d: get(d)["parameters"].pop(1), f"{GET}: query at: the parameter is gone"),
    (
        "one moves",
        lambda d: get(d)["parameters"][1].update({"in": "header"}),
        f"{GET}: query at: the parameter is gone",
    ),
    (
        "a required one comes",
        lambda d: get(d)["parameters"].append(parameter(True)),
        f"{GET}: query new: the parameter is new and required",
    ),
    (
        "one is required now",
        lambda d: get(d)["parameters"][1].update(required=True),
        f"{GET}: query at: the parameter is required now",
    ),
    (
        "a bound of one narrows",
        lambda d: get(d)["parameters"][1]["schema"].update(minimum=1),
        f"{GET}: query at: minimum is 1 and was 0",
    ),
    (
        "a bound of one comes",
        lambda d: get(d)["parameters"][1]["schema"].update(maximum=9),
        f"{GET}: query at: maximum is 9 and was None",
    ),
    (
        "the type of one changes",
        lambda d: get(d)["parameters"][1].update(schema={"type": "string"}),
        f"{GET}: query at: it takes no integer any more",
    ),
    (
        "a value of one goes",
        lambda d: get(d)["parameters"][2]["schema"].update(enum=["a"]),
        f"{GET}: query by: it takes b no more",
    ),
    (
        "the default of one changes",
        lambda d: get(d)["parameters"][2]["schema"].update(default="b"),
        f"{GET}: query by: the default is another one",
    ),
    ("a format of one changes", lambda d: get(d)["parameters"][0]["schema"].update(format="date"), "format is another"),
    ("a body goes", lambda d: post(d).pop("requestBody"), f"{POST}: body: it is gone"),
    (
        "one is required now",
        lambda d: post(d)["requestBody"].update(required=True),
        f"{POST}: body: it is required now",
    ),
    (
        "a required one comes",
        lambda d: get(d).update(requestBody={"required": True, "content": {}}),
        f"{GET}: body: it is new and required",
    ),
    (
        "a form of it goes",
        lambda d: post(d)["requestBody"]["content"].clear(),
        "body: the form application/json is gone",
    ),
    ("a field of it goes", lambda d: members(d, "NewThing").pop("tags"), f"{POST}: body.tags: the field is gone"),
    (
        "a field of it is required now",
        lambda d: required(d, "NewThing").append("tags"),
        f"{POST}: body.tags: the field is required now",
    ),
    (
        "a required field comes",
        lambda d: demand(d, "NewThing"),
        f"{POST}: body.x: the field is new and required",
    ),
    (
        "a field of it is never null now",
        lambda d: members(d, "NewThing").update(mood={"type": "string"}),
        f"{POST}: body.mood: it takes no null any more",
    ),
    (
        "a bound of it narrows",
        lambda d: members(d, "NewThing")["tags"].update(maxItems=2),
        f"{POST}: body.tags: maxItems is 2 and was 3",
    ),
    (
        "an item of it is another",
        lambda d: members(d, "NewThing")["tags"].update(items={"type": "integer"}),
        f"{POST}: body.tags[]: it takes no string any more",
    ),
    ("a pattern comes", lambda d: members(d, "NewThing")["name"].update(pattern="^a"), "body.name: pattern is another"),
    (
        "a default of it changes",
        lambda d: members(d, "NewThing")["count"].update(default=2),
        f"{POST}: body.count: the default is another one",
    ),
    ("an answer goes", lambda d: get(d)["responses"].pop("304"), f"{GET}: 304: the answer is gone"),
    ("an answer comes", lambda d: get(d)["responses"].update({"202": {}}), f"{GET}: 202: the answer is new"),
    ("a form goes", lambda d: content(d).pop("text/plain"), f"{GET}: 200: the form text/plain is gone"),
    ("a header goes", lambda d: get(d)["responses"]["200"]["headers"].clear(), f"{GET}: 200: the header ETag is gone"),
    ("a field goes", lambda d: members(d, "Thing").pop("size"), f"{GET}: 200.size: the field is gone"),
    (
        "a field may be missing",
        lambda d: required(d, "Thing").remove("size"),
        f"{GET}: 200.size: the field may be missing now",
    ),
    (
        "a field changes its type",
        lambda d: members(d, "Thing").update(size={"type": "string"}),
        f"{GET}: 200.size: it may be string now",
    ),
    (
        "a field may be null",
        lambda d: members(d, "Thing").update(size={"anyOf": [members(d, "Thing")["size"], {"type": "null"}]}),
        f"{GET}: 200.size: it may be null now",
    ),
    (
        "a value comes",
        lambda d: members(d, "Thing")["status"]["enum"].append("broken"),
        f"{GET}: 200.status: it may be broken now",
    ),
    (
        "any value comes",
        lambda d: members(d, "Thing").update(status={"type": "string"}),
        f"{GET}: 200.status: it may be others now",
    ),
    (
        "a kind of part comes",
        lambda d: members(d, "Thing")["parts"]["items"]["anyOf"].append(PART),
        f"{GET}: 200.parts[]: it may be kind roof now",
    ),
    (
        "a bound widens",
        lambda d: members(d, "Thing")["size"].update(maximum=10),
        f"{GET}: 200.size: maximum is 10 and was 9",
    ),
    (
        "a bound goes",
        lambda d: members(d, "Thing")["size"].pop("minimum"),
        f"{GET}: 200.size: minimum is None and was 1",
    ),
    (
        "a pattern goes",
        lambda d: members(d, "Thing")["name"].pop("pattern"),
        f"{GET}: 200.name: pattern is another one",
    ),
    (
        "a problem loses a field",
        lambda d: members(d, "Missing").pop("until"),
        f"{GET}: 404.until: the field is gone",
    ),
]

ALLOWED: list[tuple[str, Change]] = [
    ("nothing", lambda d: d),
    ("words", lambda d: get(d).update(summary="x", description="y", tags=["z"])),
    ("an example", lambda d: members(d, "Thing")["name"].update(examples=["a"])),
    ("a new operation", lambda d: d["paths"].update({"/others": {"get": deepcopy(get(d))}})),
    ("a token less", lambda d: post(d).update(security=[])),
    ("a parameter that may be left out", lambda d: get(d)["parameters"].append(parameter(False))),
    ("a parameter no longer required", lambda d: get(d)["parameters"][0].update(required=False)),
    ("a wider bound of a parameter", lambda d: get(d)["parameters"][1]["schema"].update(minimum=-1)),
    ("a bound of a parameter less", lambda d: get(d)["parameters"][1]["schema"].pop("minimum")),
    ("a new value of a parameter", lambda d: get(d)["parameters"][2]["schema"].update(enum=["a", "b", "c"])),
    ("a field that may be sent", lambda d: members(d, "NewThing").update(x={"type": "string"})),
    ("a field no longer required", lambda d: required(d, "NewThing").remove("name")),
    ("a wider bound of a field", lambda d: members(d, "NewThing")["name"].update(minLength=0, maxLength=10)),
    ("a body that may be sent", lambda d: get(d).update(requestBody={"required": False, "content": {}})),
    ("a new form", lambda d: content(d).update({"text/html": {"schema": {"type": "string"}}})),
    ("a new header", lambda d: get(d)["responses"]["200"]["headers"].update(Vary={})),
    ("a new field of an answer", lambda d: demand(d, "Thing")),
    ("a narrower bound of an answer", lambda d: members(d, "Thing")["size"].update(minimum=2, maximum=8)),
    ("a value less in an answer", lambda d: members(d, "Thing")["status"].update(enum=["on"])),
    ("an answer never null now", lambda d: members(d, "Thing").update(end={"type": "string"})),
    ("a new problem", lambda d: get(d)["responses"].update({"409": {"$ref": "#/components/responses/Refused"}})),
    ("a problem less", lambda d: get(d)["responses"].pop("404")),
    (
        "a problem less of a status",
        lambda d: d["components"]["responses"]["Refused"]["content"]["application/problem+json"].update(
            schema={"$ref": "#/components/schemas/Closed"}
        ),
    ),
    (
        "a reference instead of the thing itself",
        lambda d: content(d)["application/json"].update(schema=d["components"]["schemas"]["Thing"]),
    ),
]


@pytest.mark.parametrize(("change", "told"), [each[1:] for each in BREAKING], ids=[each[0] for each in BREAKING])
def test_what_breaks_clients_is_told(change: Change, told: str) -> None:
    new = deepcopy(OLD)
    change(new)
    found = breaks(OLD, new)
    assert [each for each in found if told in each], found


@pytest.mark.parametrize("change", [each[1] for each in ALLOWED], ids=[each[0] for each in ALLOWED])
def test_what_clients_must_bear_is_not(change: Change) -> None:
    new = deepcopy(OLD)
    change(new)
    assert breaks(OLD, new) == []


def test_whatever_goes_from_a_real_document_breaks_its_clients() -> None:
    old = json.loads((RELEASED / "0.1.0.json").read_text())
    for path, item in old["paths"].items():
        for method in item:
            new = deepcopy(old)
            del new["paths"][path][method]
            assert breaks(old, new) == [f"{method.upper()} {path}: the operation is gone"]
    assert breaks(old, old) == []
