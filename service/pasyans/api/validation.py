"""Checking values against their declared types, strictly, and listing every fault.

The types are msgspec's own (structs, `Annotated` with `msgspec.Meta`), so that what is checked here is what the
OpenAPI document says. Nothing is coerced: ``"5"`` is no number. But ``5.0`` is the integer 5, as in JSON Schema. A
string never contains NUL, which PostgreSQL cannot store. `msgspec.convert` would stop at the first fault and let a
newline end a pattern.
"""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import Any
from uuid import UUID

import msgspec
from msgspec import inspect

from pasyans.api.members import Fault


def _number(text: str) -> int | float:
    number = float(text)
    return int(number) if number.is_integer() else number


_DECODER = msgspec.json.Decoder(float_hook=_number)
_BOOLEANS = {"true": True, "false": False}
_INTEGER = re.compile(r"-?[0-9]{1,30}", re.ASCII)
_UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", re.IGNORECASE)


def decode_json(body: bytes, faults: list[Fault]) -> object:
    """Return the JSON value of ``body``, or ``None`` and a fault at ``body``."""
    try:
        return _DECODER.decode(body)
    except msgspec.MsgspecError as error:
        message = str(error).removeprefix("JSON is malformed: ")
        faults.append(Fault("body", f"is not JSON: {message[:1].lower()}{message[1:]}"))
    except RecursionError:
        faults.append(Fault("body", "is nested too deeply"))
    return None


def check_members(body: bytes, value: object, path: str, faults: list[Fault]) -> None:
    """Add to ``faults`` the members that stand more than once in an object of ``body``, of which ``value`` was read.

    In JSON that is no fault of form, and only the last of them would count.
    """
    colons = body.count(b":")  # there is one for each member, and others only inside of strings
    try:
        if colons > 1 and colons > _members(value):
            faults.extend(_repeated(json.loads(body, object_pairs_hook=_Members), path))
    except RecursionError:
        faults.append(Fault(path, "is nested too deeply"))


class _Members(list[tuple[str, Any]]):
    """The members of an object as they came."""


def _members(value: object) -> int:
    """Return how many members the objects in a JSON value have."""
    if isinstance(value, dict):
        return len(value) + sum(map(_members, value.values()))
    return sum(map(_members, value)) if isinstance(value, list) else 0


def _repeated(value: object, path: str) -> Iterator[Fault]:
    if isinstance(value, _Members):
        for name, times in Counter(name for name, _ in value).items():
            if times > 1:
                yield Fault(f"{path}.{shown(name)}", "is given more than once")
        for name, inner in value:
            yield from _repeated(inner, f"{path}.{shown(name)}")
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from _repeated(inner, f"{path}[{index}]")


def check(kind: inspect.Type, value: object, path: str, faults: list[Fault]) -> None:
    """Add to ``faults`` everything that is wrong with ``value``, a JSON value, as one of ``kind``.

    A type may have a check of its own, as ``Meta(extra={"check": …})``: a function from a value of that type to what
    is wrong with it, or ``None``. It is asked where nothing else is wrong.
    """
    plain = _PLAIN.get(id(kind)) or _plain(kind)
    own = plain.own
    before = len(faults)
    plain.checker(plain.kind, value, path, plain.hint, faults)
    if own is not None and len(faults) == before and (message := own(value)) is not None:
        faults.append(Fault(path, message))


class _Plain(msgspec.Struct, frozen=True):
    """A type without its metadata: what checks it, its description, its own check; ``given`` is it with them."""

    given: inspect.Type
    kind: Any
    checker: Callable[[Any, object, str, str | None, list[Fault]], None]
    hint: str | None
    own: Callable[[Any], str | None] | None


_PLAIN: dict[int, _Plain] = {}  # by the id of the type that was given, which stays what it is as long as that is kept


def _plain(given: inspect.Type) -> _Plain:
    hint = own = None
    kind = given
    while isinstance(kind, inspect.Metadata):
        hint = (kind.extra_json_schema or {}).get("description", hint)
        own = (kind.extra or {}).get("check", own)
        kind = kind.type
    checker = _CHECKERS.get(type(kind))
    if checker is None:
        raise TypeError(f"no check for {kind!r}")
    plain = _PLAIN[id(given)] = _Plain(given, kind, checker, hint, own)
    return plain


def _check_string(kind: inspect.StrType, value: object, path: str, hint: str | None, faults: list[Fault]) -> None:
    if not isinstance(value, str):
        faults.append(Fault(path, f"is {_name(value)}, and should be a string"))
    elif "\0" in value:
        faults.append(Fault(path, "contains a NUL character"))
    elif kind.max_length is not None and len(value) > kind.max_length:
        faults.append(Fault(path, f"has {len(value)} characters, and should have at most {kind.max_length}"))
    elif kind.min_length is not None and len(value) < kind.min_length:
        faults.append(Fault(path, f"has {len(value)} characters, and should have at least {kind.min_length}"))
    elif kind.pattern is not None and not _pattern(kind.pattern).search(value):
        faults.append(Fault(path, f"does not fit {kind.pattern}" + (f" ({hint.rstrip('.')})" if hint else "")))


@lru_cache
def _pattern(pattern: str) -> re.Pattern[str]:
    """Compile a JSON Schema pattern; there ``$`` is the very end, while Python's also fits before a last newline."""
    return re.compile(pattern[:-1] + r"\Z" if pattern.endswith("$") else pattern)


def _check_integer(kind: inspect.IntType, value: object, path: str, _hint: str | None, faults: list[Fault]) -> None:
    if isinstance(value, bool) or not isinstance(value, int):
        faults.append(Fault(path, f"is {_name(value)}, and should be an integer"))
    elif kind.ge is not None and value < kind.ge:
        faults.append(Fault(path, f"is too small: it should be at least {kind.ge}"))
    elif kind.le is not None and value > kind.le:
        faults.append(Fault(path, f"is too large: it should be at most {kind.le}"))


def _check_boolean(_kind: inspect.BoolType, value: object, path: str, _hint: str | None, faults: list[Fault]) -> None:
    if not isinstance(value, bool):
        faults.append(Fault(path, f"is {_name(value)}, and should be true or false"))


def _check_uuid(_kind: inspect.UUIDType, value: object, path: str, _hint: str | None, faults: list[Fault]) -> None:
    if not isinstance(value, str) or not _UUID.fullmatch(value):
        faults.append(Fault(path, "is not a UUID such as 01936f0e-7c1a-7b3e-9d55-0123456789ab"))


def _check_literal(kind: inspect.LiteralType, value: object, path: str, _hint: str | None, faults: list[Fault]) -> None:
    if not any(type(value) is type(choice) and value == choice for choice in kind.values):
        faults.append(Fault(path, f"should be {_choices(kind.values)}"))


def _check_list(kind: inspect.ListType, value: object, path: str, _hint: str | None, faults: list[Fault]) -> None:
    if not isinstance(value, list):
        faults.append(Fault(path, f"is {_name(value)}, and should be an array"))
        return
    if kind.max_length is not None and len(value) > kind.max_length:
        faults.append(Fault(path, f"has {len(value)} items, and should have at most {kind.max_length}"))
        return
    if kind.min_length is not None and len(value) < kind.min_length:
        faults.append(Fault(path, f"has {len(value)} items, and should have at least {kind.min_length}"))
    for index, item in enumerate(value):
        check(kind.item_type, item, f"{path}[{index}]", faults)


def _check_struct(kind: inspect.StructType, value: object, path: str, _hint: str | None, faults: list[Fault]) -> None:
    if not isinstance(value, dict):
        faults.append(Fault(path, f"is {_name(value)}, and should be an object"))
        return
    fields = _fields(kind)
    if kind.tag_field is not None:
        if kind.tag_field not in value:
            faults.append(Fault(f"{path}.{kind.tag_field}", "is missing"))
        elif value[kind.tag_field] != kind.tag:
            faults.append(Fault(f"{path}.{kind.tag_field}", f"should be {_choices([kind.tag])}"))
    for name, field in fields.items():
        if name in value:
            check(field.type, value[name], f"{path}.{name}", faults)
        elif field.required:
            faults.append(Fault(f"{path}.{name}", "is missing"))
    unknown = [name for name in value if name not in fields and name != kind.tag_field]
    if unknown:
        known = f"is not a known field{_known(list(fields))}"
        faults.extend(Fault(f"{path}.{shown(name)}", known) for name in unknown)


_FIELDS: dict[type, dict[str, inspect.Field]] = {}


def _fields(kind: inspect.StructType) -> dict[str, inspect.Field]:
    """Return the fields of a struct by their names in JSON."""
    fields = _FIELDS.get(kind.cls)
    if fields is None:
        fields = _FIELDS[kind.cls] = {field.encode_name: field for field in kind.fields}
    return fields


def _check_union(kind: inspect.UnionType, value: object, path: str, _hint: str | None, faults: list[Fault]) -> None:
    options = [option for option in kind.types if not isinstance(option, inspect.NoneType)]
    if value is None and len(options) < len(kind.types):
        return
    if len(options) == 1:
        check(options[0], value, path, faults)
        return
    structs = [option for option in options if isinstance(option, inspect.StructType)]
    if len(structs) != len(options) or any(struct.tag_field is None for struct in structs):
        raise TypeError(f"{path}: only unions of tagged structs are checked")
    _check_tagged(structs, value, path, faults)


def _check_tagged(structs: Sequence[inspect.StructType], value: object, path: str, faults: list[Fault]) -> None:
    if not isinstance(value, dict):
        faults.append(Fault(path, f"is {_name(value)}, and should be an object"))
        return
    tag_field = str(structs[0].tag_field)
    tags = [struct.tag for struct in structs]
    if tag_field not in value:
        faults.append(Fault(f"{path}.{tag_field}", f"is missing: it should be {_choices(tags)}"))
        return
    chosen = next((struct for struct in structs if struct.tag == value[tag_field]), None)
    if chosen is None:
        faults.append(Fault(f"{path}.{tag_field}", f"should be {_choices(tags)}"))
    else:
        check(chosen, value, path, faults)


_CHECKERS: dict[type, Any] = {
    inspect.StrType: _check_string,
    inspect.IntType: _check_integer,
    inspect.BoolType: _check_boolean,
    inspect.UUIDType: _check_uuid,
    inspect.LiteralType: _check_literal,
    inspect.ListType: _check_list,
    inspect.StructType: _check_struct,
    inspect.UnionType: _check_union,
}


def from_text(kind: inspect.Type, text: str) -> object:
    """Return the JSON value that ``text``, from a path, query or header, stands for; the text itself if none.

    Integers are written in plain ASCII decimal, booleans as ``true`` and ``false``; everything else that a parameter
    may be is a string.
    """
    scalar = _SCALARS.get(id(kind)) or _scalar(kind)
    if scalar is inspect.IntType and _INTEGER.fullmatch(text):
        return int(text)
    if scalar is inspect.BoolType and text in _BOOLEANS:
        return _BOOLEANS[text]
    return text


_SCALARS: dict[int, type] = {}  # by the id of a type that `_PLAIN` keeps


def _scalar(given: inspect.Type) -> type:
    """Return what kind of value a parameter is, apart from ``null``."""
    kind = (_PLAIN.get(id(given)) or _plain(given)).kind
    if isinstance(kind, inspect.UnionType):
        found = _scalar(next(option for option in kind.types if not isinstance(option, inspect.NoneType)))
    else:
        found = type(kind)
    _SCALARS[id(given)] = found
    return found


def shown(text: str, limit: int = 40) -> str:
    """Return a name that a client sent, fit to be quoted in a message."""
    cut = text if len(text) <= limit else text[:limit] + "…"
    return cut if cut.isprintable() else cut.encode("unicode_escape").decode("ascii")


def _known(names: list[str]) -> str:
    return f": those are {', '.join(names)}" if names else ": there are none"


def _choices(values: Sequence[Any]) -> str:
    quoted = [msgspec.json.encode(value).decode() for value in values]
    return " or ".join([", ".join(quoted[:-1]), quoted[-1]]) if len(quoted) > 1 else quoted[0]


def _name(value: object) -> str:
    """Say what kind of JSON value this is."""
    names = {bool: "a boolean", int: "an integer", float: "a number with a fraction", str: "a string"}
    names |= {list: "an array", dict: "an object", UUID: "a UUID"}
    return "null" if value is None else names[type(value)]
