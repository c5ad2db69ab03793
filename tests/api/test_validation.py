"""Values are checked strictly, and every fault is found."""

from typing import Annotated, Any, Literal
from uuid import UUID

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Meta, inspect
from pasyans.api.members import Fault
from pasyans.api.validation import check, check_members, decode_json, from_text


class Sealed(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="sealed"):
    pass


class Shared(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="shared"):
    seed: Annotated[str, Meta(min_length=1, max_length=5, pattern="^[a-z]+$", description="letters.")]


def even(value: int) -> str | None:
    return None if value % 2 == 0 else "is odd"


class Body(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    deal: Sealed | Shared
    moves: Annotated[list[Annotated[str, Meta(max_length=3)]], Meta(min_length=1, max_length=3)]
    count: Annotated[int, Meta(ge=1, le=9, extra={"check": even})] = 2
    flag: bool = False
    id: UUID | None = None
    lang: Literal["en", "ru"] = "en"


GOOD: dict[str, Any] = {"deal": {"kind": "shared", "seed": "abc"}, "moves": ["a"]}


def faults(kind: Any, value: object, path: str = "body") -> list[tuple[str, str]]:
    found: list[Fault] = []
    check(inspect.type_info(kind), value, path, found)
    return [(fault.path, fault.message) for fault in found]


def test_what_fits_has_no_fault() -> None:
    assert faults(Body, GOOD) == []
    assert faults(Body, {"deal": {"kind": "sealed"}, "moves": ["a", "b"], "count": 4, "flag": True, "id": None}) == []


@pytest.mark.parametrize(
    ("field", "value", "path", "message"),
    [
        ("count", "5", "body.count", "is a string, and should be an integer"),
        ("count", 4.5, "body.count", "is a number with a fraction, and should be an integer"),
        ("count", True, "body.count", "is a boolean, and should be an integer"),
        ("count", None, "body.count", "is null, and should be an integer"),
        ("count", 10**30, "body.count", "is too large: it should be at most 9"),
        ("count", 0, "body.count", "is too small: it should be at least 1"),
        ("count", 3, "body.count", "is odd"),
        ("flag", 1, "body.flag", "is an integer, and should be true or false"),
        ("flag", "true", "body.flag", "is a string, and should be true or false"),
        ("id", "0" * 32, "body.id", "is not a UUID such as 01936f0e-7c1a-7b3e-9d55-0123456789ab"),
        ("lang", "de", "body.lang", 'should be "en" or "ru"'),
        ("lang", ["en"], "body.lang", 'should be "en" or "ru"'),
        ("moves", [], "body.moves", "has 0 items, and should have at least 1"),
        ("moves", ["a"] * 4, "body.moves", "has 4 items, and should have at most 3"),
        ("moves", "draw", "body.moves", "is a string, and should be an array"),
        ("moves", ["a", "abcd"], "body.moves[1]", "has 4 characters, and should have at most 3"),
        ("moves", ["a\0"], "body.moves[0]", "contains a NUL character"),
        ("deal", {"kind": "daily"}, "body.deal.kind", 'should be "sealed" or "shared"'),
        ("deal", {}, "body.deal.kind", 'is missing: it should be "sealed" or "shared"'),
        ("deal", [], "body.deal", "is an array, and should be an object"),
        ("deal", {"kind": "sealed", "seed": "a"}, "body.deal.seed", "is not a known field: there are none"),
        ("deal", {"kind": "shared"}, "body.deal.seed", "is missing"),
        ("deal", {"kind": "shared", "seed": ""}, "body.deal.seed", "has 0 characters, and should have at least 1"),
        ("deal", {"kind": "shared", "seed": "A"}, "body.deal.seed", "does not fit ^[a-z]+$ (letters)"),
        ("deal", {"kind": "shared", "seed": "ab\n"}, "body.deal.seed", "does not fit ^[a-z]+$ (letters)"),
    ],
)
def test_what_does_not_fit_is_named(field: str, value: object, path: str, message: str) -> None:
    assert faults(Body, GOOD | {field: value}) == [(path, message)]


def test_every_fault_is_listed() -> None:
    wrong = {"deal": {"kind": "shared", "seed": "A", "x": 1}, "moves": [1, "abcd", "a"], "count": "5", "más": 0}
    assert [path for path, _ in faults(Body, wrong)] == [
        "body.deal.seed",
        "body.deal.x",
        "body.moves[0]",
        "body.moves[1]",
        "body.count",
        "body.más",
    ]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 12) | st.floats(allow_nan=False) | st.text(max_size=4),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from([*Body.__struct_fields__, "kind"]), inner)
    ),
    max_leaves=6,
)


@given(st.fixed_dictionaries({}, optional={name: JSON | st.just(GOOD.get(name, 2)) for name in Body.__struct_fields__}))
def test_what_has_no_fault_can_be_converted(value: dict[str, object]) -> None:
    """Not the other way round: `msgspec.convert` knows no check of a type's own, and lets NUL pass."""
    if not faults(Body, value):
        msgspec.convert(value, Body)
    else:
        with pytest.raises(msgspec.ValidationError):
            msgspec.convert(_without_own_checks(value), Body)


def _without_own_checks(value: dict[str, object]) -> object:
    """Turn what only this module refuses into what everybody refuses."""
    if value.get("count") in (1, 3, 5, 7, 9) or "\0" in repr(value).replace("\\x00", "\0"):
        return None
    return value


@pytest.mark.parametrize(("body", "value"), [(b"5.0", 5), (b"5e0", 5), (b"-0.0", 0), (b"1e20", 10**20)])
def test_a_number_without_a_fraction_is_an_integer(body: bytes, value: int) -> None:
    decoded = decode_json(body, [])
    assert isinstance(decoded, int)
    assert decoded == value
    assert isinstance(decode_json(b"5.5", []), float)
    assert isinstance(decode_json(b"1e400", []), float)


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (b"{", "is not JSON: input data was truncated"),
        (b'{"a":NaN}', "is not JSON: invalid character (byte 5)"),
        (b'"\\ud800"', "is not JSON: "),
        (b'"\xff"', "is not JSON: "),
        (b"\xef\xbb\xbf{}", "is not JSON: "),
        (b"[1,]", "is not JSON: "),
        (b"{} x", "is not JSON: trailing characters (byte 4)"),
        (b"1" * 5000, "is not JSON: "),
        (b"[" * 100_000, "is nested too deeply"),
        (b'{"a":' * 100_000, "is nested too deeply"),
    ],
)
def test_what_is_not_json_is_one_fault(body: bytes, message: str) -> None:
    found: list[Fault] = []
    assert decode_json(body, found) is None
    assert [fault.path for fault in found] == ["body"]
    assert found[0].message.startswith(message)


@pytest.mark.parametrize(
    ("body", "paths"),
    [
        (b'{"a":1,"a":1}', ["body.a"]),
        (b'{"a":1,"b":{"a":2},"c":[{"a":3},{"a":4}]}', []),
        (b'{"a":[{"b":1},{"b":1,"c":2,"b":3}],"a":{"d":1,"d":1}}', ["body.a", "body.a[1].b", "body.a.d"]),
        (b'{"a":"::","a":":"}', ["body.a"]),
        (b'{"a":"\\":","b":":"}', []),
        (b'{"\\u0061":1,"a":2}', ["body.a"]),
        (b'{"":1,"":1,"":1}', ["body."]),
        (b'"::"', []),
    ],
)
def test_a_member_that_stands_twice_is_a_fault(body: bytes, paths: list[str]) -> None:
    found: list[Fault] = []
    check_members(body, decode_json(body, found), "body", found)
    assert found == [Fault(path, "is given more than once") for path in paths]


@pytest.mark.parametrize(
    ("text", "value"),
    [("5", 5), ("-5", -5), ("9" * 30, int("9" * 30)), ("", ""), ("5.0", "5.0"), ("+5", "+5"), (" 5", " 5"), ("٥", "٥")],
)
def test_a_parameter_is_an_integer_in_plain_decimal_only(text: str, value: object) -> None:
    assert from_text(inspect.type_info(Annotated[int, Meta(ge=1)] | None), text) == value


def test_a_parameter_that_is_a_string_stays_one() -> None:
    assert from_text(inspect.type_info(str | None), "5") == "5"


@pytest.mark.parametrize(
    ("text", "value"), [("true", True), ("false", False), ("True", "True"), ("1", "1"), ("yes", "yes"), ("", "")]
)
def test_a_parameter_is_a_boolean_in_plain_words_only(text: str, value: object) -> None:
    found = from_text(inspect.type_info(bool | None), text)
    assert (type(found), found) == (type(value), value)
