"""What in a new OpenAPI document breaks the clients of an old one.

The rules are those of CONTRIBUTING. What clients send may be taken more widely, never more narrowly; what they are sent
may become more narrow or have new members, but hold no value that it could not hold before. Problems may come and go,
since clients go by the status of those that they don't know; the members of each stay. Words are free.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

_LOWER: Final = ("minimum", "minLength", "minItems", "minProperties")
_UPPER: Final = ("maximum", "maxLength", "maxItems", "maxProperties")
_EXACT: Final = ("pattern", "format", "not", "multipleOf")
_TAGS: Final = ("type", "kind", "code")
_ERRORS: Final = "4"

Node = dict[str, Any]


@dataclass(frozen=True)
class Side:
    """A document, from which references are followed."""

    document: Node

    def follow(self, node: Node) -> Node:
        """Return what a node refers to, with what it says beside."""
        if "$ref" not in node:
            return node
        found: Any = self.document
        for part in node["$ref"].removeprefix("#/").split("/"):
            found = found[part]
        return {**self.follow(found), **{name: value for name, value in node.items() if name != "$ref"}}


def breaks(old: Node, new: Node) -> list[str]:
    """Return what breaks clients of ``old`` where ``new`` is served, a line each."""
    return sorted(_Comparison(Side(old), Side(new)).paths())


class _Comparison:
    def __init__(self, old: Side, new: Side) -> None:
        self._old = old
        self._new = new

    def paths(self) -> Iterator[str]:
        new_paths = self._new.document["paths"]
        for path, item in self._old.document["paths"].items():
            for method, operation in item.items():
                where = f"{method.upper()} {path}"
                if method not in new_paths.get(path, {}):
                    yield f"{where}: the operation is gone"
                else:
                    yield from self._operation(where, operation, new_paths[path][method])

    def _operation(self, where: str, old: Node, new: Node) -> Iterator[str]:
        if old["operationId"] != new["operationId"]:
            yield f"{where}: the operationId is another one"
        if not _admits(old["security"], new["security"]):
            yield f"{where}: it takes another token"
        yield from self._parameters(where, old["parameters"], new["parameters"])
        yield from self._body(where, old.get("requestBody"), new.get("requestBody"))
        yield from self._responses(where, old["responses"], new["responses"])

    def _parameters(self, where: str, old: list[Node], new: list[Node]) -> Iterator[str]:
        before, after = ({(each["in"], each["name"]): each for each in found} for found in (old, new))
        for key, parameter in before.items():
            at = f"{where}: {' '.join(key)}"
            if key not in after:
                yield f"{at}: the parameter is gone"
                continue
            if after[key]["required"] and not parameter["required"]:
                yield f"{at}: the parameter is required now"
            yield from self._schema(at, parameter["schema"], after[key]["schema"], sent=True)
        for key, parameter in after.items():
            if key not in before and parameter["required"]:
                yield f"{where}: {' '.join(key)}: the parameter is new and required"

    def _body(self, where: str, old: Node | None, new: Node | None) -> Iterator[str]:
        at = f"{where}: body"
        if old is None:
            if new is not None and new["required"]:
                yield f"{at}: it is new and required"
            return
        if new is None:
            yield f"{at}: it is gone"
            return
        if new["required"] and not old["required"]:
            yield f"{at}: it is required now"
        yield from self._content(at, old["content"], new["content"], sent=True)

    def _responses(self, where: str, old: Node, new: Node) -> Iterator[str]:
        for status, response in old.items():
            at = f"{where}: {status}"
            if status in new:
                before, after = self._old.follow(response), self._new.follow(new[status])
                for header in before.get("headers", {}):
                    if header not in after.get("headers", {}):
                        yield f"{at}: the header {header} is gone"
                yield from self._content(at, before.get("content", {}), after.get("content", {}), sent=False)
            elif status < _ERRORS:
                yield f"{at}: the answer is gone"
        for status in new:
            if status not in old and status < _ERRORS:
                yield f"{where}: {status}: the answer is new"

    def _content(self, where: str, old: Node, new: Node, *, sent: bool) -> Iterator[str]:
        for form, content in old.items():
            if form in new:
                yield from self._schema(where, content["schema"], new[form]["schema"], sent=sent)
            else:
                yield f"{where}: the form {form} is gone"

    # ---- schemas

    def _schema(self, where: str, old: Node, new: Node, *, sent: bool) -> Iterator[str]:
        if sent and old.get("default") != new.get("default"):
            yield f"{where}: the default is another one"
        before, after = _alternatives(self._old, old), _alternatives(self._new, new)
        is_problem = any("code" in key for key in before)
        for key, schema in before.items():
            if key in after:
                yield from self._one(where, schema, after[key], sent=sent)
            elif sent:
                yield f"{where}: it takes no {key} any more"
            elif not is_problem and after and not set(after) & set(before):
                yield f"{where}: it is no {key} any more"
        if not sent and not is_problem:
            yield from (f"{where}: it may be {key} now" for key in after if key not in before)

    def _one(self, where: str, old: Node, new: Node, *, sent: bool) -> Iterator[str]:
        yield from _values(where, old, new, sent=sent)
        yield from _bounds(where, old, new, sent=sent)
        if "items" in old and "items" in new:
            yield from self._schema(f"{where}[]", old["items"], new["items"], sent=sent)
        if "properties" in old:
            yield from self._members(where, old, new, sent=sent)

    def _members(self, where: str, old: Node, new: Node, *, sent: bool) -> Iterator[str]:
        before, after = old["properties"], new.get("properties", {})
        for name, schema in before.items():
            at = f"{where}.{name}"
            if name not in after:
                yield f"{at}: the field is gone"
                continue
            was, is_ = (name in node.get("required", ()) for node in (old, new))
            if sent and is_ and not was:
                yield f"{at}: the field is required now"
            if not sent and was and not is_:
                yield f"{at}: the field may be missing now"
            yield from self._schema(at, schema, after[name], sent=sent)
        if sent:
            yield from (
                f"{where}.{name}: the field is new and required"
                for name in new.get("required", ())
                if name not in before
            )


def _admits(old: list[Node], new: list[Node]) -> bool:
    """Tell whether who was let in still is."""
    return not new or (bool(old) and all(each in new for each in old))


def _alternatives(side: Side, node: Node) -> dict[str, Node]:
    """Return what a value may be, by what tells the alternatives apart."""
    schema = side.follow(node)
    for word in ("anyOf", "oneOf"):
        if word in schema:
            return {key: each for part in schema[word] for key, each in _alternatives(side, part).items()}
    return {_kind(schema): schema}


def _kind(schema: Node) -> str:
    """Return what tells an alternative from others: its type, and of an object what it says of itself."""
    if "type" not in schema and "enum" in schema:
        return {str: "string", int: "integer", bool: "boolean"}[type(schema["enum"][0])]
    for name in _TAGS:
        values = schema.get("properties", {}).get(name, {}).get("enum", ())
        if len(values) == 1:
            return f"{name} {values[0]}"
    return str(schema.get("type", "anything"))


def _values(where: str, old: Node, new: Node, *, sent: bool) -> Iterator[str]:
    """Compare the values that are listed."""
    before, after = old.get("enum"), new.get("enum")
    if sent and after is not None:
        gone = "others" if before is None else ", ".join(sorted(str(each) for each in set(before) - set(after)))
        if gone:
            yield f"{where}: it takes {gone} no more"
    if not sent and before is not None:
        come = "others" if after is None else ", ".join(sorted(str(each) for each in set(after) - set(before)))
        if come:
            yield f"{where}: it may be {come} now"


def _bounds(where: str, old: Node, new: Node, *, sent: bool) -> Iterator[str]:
    """Compare the bounds: what clients send may get more room, what they are sent less."""
    wide, narrow = (new, old) if sent else (old, new)
    for word in (*_LOWER, *_UPPER):
        if word not in wide:
            continue
        limit, other = wide[word], narrow.get(word)
        is_within = other is not None and (other >= limit if word in _LOWER else other <= limit)
        if not is_within:
            yield f"{where}: {word} is {new.get(word)} and was {old.get(word)}"
    for word in _EXACT:
        if word in wide and wide[word] != narrow.get(word):
            yield f"{where}: {word} is another one"
