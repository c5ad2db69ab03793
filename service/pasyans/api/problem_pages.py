"""The pages that the `type` of a problem leads to: what the code means, and what to do about it."""

import re
from collections.abc import Mapping
from html import escape
from typing import Final

from pasyans.api.examples import LEFT_OUT, Example, of_problems
from pasyans.api.pages import page, paragraphs
from pasyans.api.problems import PROBLEMS, Problem

REMEDIES: Final[Mapping[str, str]] = {
    "invalid-request": "Correct everything that errors lists, then send the request again. Each entry has the path "
    "to the value (body.moves[3], query.limit, header.If-Match) and what the value should be.",
    "unauthenticated": "Send the token of a player, or under /v1/admin that of an admin, as Authorization: Bearer. A "
    "token that was revoked never becomes valid again; POST /v1/players makes a new player.",
    "forbidden": "Use the token of the player who owns what you want to change. What is under /v1/admin takes an "
    "admin token, which is no player's.",
    "deal-sealed": "Wait until the deal opens: until says when, and null means when its game ends. Until "
    "then a game of a daily deal is seen with its owner's token alone.",
    "not-found": "Check the path and the id. Ids and names are never used again for something else.",
    "method-not-allowed": "Use one of the methods that the Allow header lists.",
    "not-acceptable": "Send an Accept header with a form that the resource has, or none.",
    "game-over": "Start another game. Where the batch held the winning move, index is the first move that comes "
    "after it; nothing was played, so send the batch again without the rest.",
    "name-taken": "Choose another name. Names are unique whatever their case.",
    "name-fixed": "Keep the name: only a guest takes one, and only once.",
    "not-finished": "Only a game that was won or lost can be voided.",
    "not-void": "Only a game that was voided can be restored.",
    "nothing-to-undo": "Ask for no more moves than available says.",
    "nothing-to-redo": "Ask for no more moves than available says. A new move ends what could be redone.",
    "already-playing": "Go on with the game that game names, or resign it first.",
    "stale-version": "Read the game again, decide on the board as it stands, and send the request with the new ETag. "
    "version is where the game stands.",
    "too-large": "Send less at once: fewer moves, or a shorter record.",
    "unsupported-media-type": "Send the body as application/json, in UTF-8 and without a Content-Encoding.",
    "unreadable-move": "Write moves as legal_moves does: draw, redeal, SOURCE-TARGET or SOURCE-TARGET*N. index is "
    "the move of the batch; nothing of the batch was played.",
    "illegal-move": "Choose a move of legal_moves, which is what was legal at that point of the batch. reason says "
    "which rule refuses the move; nothing of the batch was played.",
    "idempotency-mismatch": "Give each new request a key of its own, and repeat a request exactly as it was.",
    "rate-limited": "Wait as long as Retry-After says. The RateLimit header of every answer says how many requests "
    "are left.",
    "internal": "Repeat the request, with the same Idempotency-Key if it writes. If it fails again, report the "
    "X-Request-Id of the answer.",
    "unavailable": "Repeat the request after Retry-After. written is false where nothing was written, and null where "
    "that is not known: then repeat it with the same Idempotency-Key, and it is done once.",
}
"""What to do about each problem, by its code."""


def problem_page(problem: type[Problem]) -> str:
    """Return the page of one problem."""
    body = paragraphs(
        problem.title,
        [
            f"Code {problem.code}, status {problem.status}.",
            str(problem.__doc__),
            REMEDIES[problem.code],
        ],
    )
    shown = _example(next(example for example in of_problems() if example.code == problem.code))
    return page(problem.title, body + shown + '<p><a href="/problems">All problems</a></p>\n')


def _example(example: Example) -> str:
    """Return an example as HTML. A token is left out: those of the examples are nobody's."""
    given = f"<p>{escape(example.given)}</p>\n" if example.given else ""
    asked = re.sub(r"pasyans_[A-Za-z0-9_-]+", LEFT_OUT, str(example.request))
    texts = "".join(f"<pre>{escape(text)}</pre>\n" for text in (asked, str(example.answer)))
    return f"<h2>For example: {escape(example.title)}</h2>\n{given}{texts}"


def problem_list() -> str:
    """Return the page that lists all problems."""
    rows = "".join(
        f'<tr><td><a href="/problems/{code}">{code}</a></td><td>{problem.status}</td>'
        f"<td>{escape(str(problem.__doc__))}</td></tr>\n"
        for code, problem in PROBLEMS.items()
    )
    table = f"<table>\n<tr><th>Code</th><th>Status</th><th>When</th></tr>\n{rows}</table>\n"
    return page(
        "Problems", paragraphs("Problems", ["What the API answers when it can't do what it was asked."]) + table
    )
