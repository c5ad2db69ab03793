"""The form of an answer is the one that the client likes best."""

import pytest
from pasyans.api.negotiation import allow, choose

OFFERS = ("text/markdown", "text/html")


@pytest.mark.parametrize(
    ("accept", "chosen"),
    [
        (None, "text/markdown"),
        ("", "text/markdown"),
        ("*/*", "text/markdown"),
        ("text/*", "text/markdown"),
        ("text/html", "text/html"),
        ("TEXT/HTML", "text/html"),
        ("text/html;q=0.5, text/markdown;q=0.4", "text/html"),
        ("text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", "text/html"),
        ("text/markdown;q=0, */*", "text/html"),
        ("text/*;q=0.1, text/html;q=0.2", "text/html"),
        ("text/html; charset=utf-8 ; q=0.9", "text/html"),
        ("application/json", None),
        ("text/html;q=0", None),
        ("*/*;q=0", None),
        ("text/html;q=x", None),
    ],
)
def test_choice(accept: str | None, chosen: str | None) -> None:
    assert choose(accept, OFFERS) == chosen


def test_where_there_is_get_there_is_head() -> None:
    assert allow(["POST", "GET", "OPTIONS"]) == "GET, HEAD, OPTIONS, POST"
    assert allow(["POST"]) == "POST"
