"""The table of problems is closed, and each of them is explained."""

import html
import json
import re

import pytest
from pasyans.api import problem_pages, problems
from pasyans.api.members import Fault
from pasyans.api.problems import PROBLEMS, InvalidRequest

from tests.examples.story import story

STATUSES = {
    "invalid-request": 400,
    "unauthenticated": 401,
    "forbidden": 403,
    "deal-sealed": 403,
    "not-found": 404,
    "method-not-allowed": 405,
    "not-acceptable": 406,
    "too-large": 413,
    "unsupported-media-type": 415,
    "game-over": 409,
    "name-taken": 409,
    "name-fixed": 409,
    "not-finished": 409,
    "not-void": 409,
    "nothing-to-undo": 409,
    "nothing-to-redo": 409,
    "already-playing": 409,
    "stale-version": 412,
    "unreadable-move": 422,
    "illegal-move": 422,
    "idempotency-mismatch": 422,
    "rate-limited": 429,
    "internal": 500,
    "unavailable": 503,
}


def test_the_codes_and_their_statuses_are_those_of_the_contract() -> None:
    assert {code: problem.status for code, problem in PROBLEMS.items()} == STATUSES


def test_the_tree_at_the_head_of_the_module_names_every_problem() -> None:
    tree = str(problems.__doc__)
    for code, problem in PROBLEMS.items():
        (line,) = (line for line in tree.splitlines() if f" {code} " in line)
        assert problem.__name__ in line
        assert str(problem.status) in line


def test_every_problem_says_what_to_do() -> None:
    assert set(problem_pages.REMEDIES) == set(STATUSES)


@pytest.mark.parametrize("code", STATUSES)
def test_a_page_names_the_code_and_the_status(code: str) -> None:
    page = problem_pages.problem_page(PROBLEMS[code])
    assert f"Code {code}, status {STATUSES[code]}." in page


@pytest.mark.parametrize("code", STATUSES)
def test_a_page_shows_how_the_problem_is_met(code: str) -> None:
    """The example is one of those that `test_examples` has the service answer."""
    page = problem_pages.problem_page(PROBLEMS[code])
    asked, answered = re.findall(r"<pre>(.*?)</pre>", page, re.DOTALL)
    assert re.match(r"(GET|POST|PUT|PATCH) /v1/", asked)
    assert "Bearer pasyans_" not in page
    line, _, body = html.unescape(answered).partition("\n")
    assert line.startswith(f"HTTP/1.1 {STATUSES[code]} ")
    problem = json.loads(body.partition("\n\n")[2])
    assert (problem["code"], problem["status"]) == (code, STATUSES[code])
    assert any(each.answer is not None and html.unescape(answered) == str(each.answer) for each in story())


def test_what_an_example_says_is_shown_as_it_is() -> None:
    page = problem_pages.problem_page(PROBLEMS["illegal-move"])
    assert "&quot;reason&quot;" in page
    assert "<script" not in page


def test_a_problem_has_the_members_that_all_have_and_its_own() -> None:
    problem = InvalidRequest([Fault("query.limit", "is too small"), Fault("body", "is missing")])
    assert json.loads(problem.body("/v1/games")) == {
        "type": "/problems/invalid-request",
        "title": "Invalid request",
        "status": 400,
        "detail": "Correct what `errors` lists and send the request again: query.limit is too small; body is missing.",
        "code": "invalid-request",
        "instance": "/v1/games",
        "errors": [
            {"path": "query.limit", "message": "is too small"},
            {"path": "body", "message": "is missing"},
        ],
    }
