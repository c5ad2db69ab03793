"""Players of a load: who they are, the games that they start, and every request of theirs as it will be sent."""

import json
from collections.abc import Sequence
from itertools import count
from typing import Final
from uuid import uuid4

from tests.bench.load import Ask, answers
from tests.bench.scripts import Script, scripts

_SCRIPTS: Final = 256
"""So many games are played before one is repeated."""


def request(method: str, path: str, token: str | None = None, body: object = None, key: str | None = None) -> bytes:
    """A request as it is sent."""
    lines = [f"{method} {path} HTTP/1.1", "Host: localhost"]
    if token is not None:
        lines.append(f"Authorization: Bearer {token}")
    if key is not None:
        lines.append(f"Idempotency-Key: {key}")
    text = "" if body is None else json.dumps(body, separators=(",", ":"))
    if text:
        lines += ["Content-Type: application/json", f"Content-Length: {len(text)}"]
    return ("\r\n".join(lines) + "\r\n\r\n" + text).encode("ascii")


def move(game: str, token: str, moves: Sequence[str], version: int) -> Ask:
    """A request to play moves, with a key of its own; the answer must be the game at ``version``."""
    body = {"moves": list(moves)}
    asked = request("POST", f"/v1/games/{game}/moves", token, body, key=f"{game}-{version}")
    return Ask(asked, b'"version":%d,' % version)


class Players:
    """So many players of the service at ``url``, each with a name and a token."""

    def __init__(self, url: str, number: int) -> None:
        self.url = url
        self.names = [f"p{uuid4().hex[:20]}" for _ in range(number)]
        asks = [Ask(request("POST", "/v1/players", body={"name": name}), b'"token":', 201) for name in self.names]
        self.tokens: list[str] = [json.loads(body)["token"] for body in answers(url, asks)]
        self._next = count()

    def start(self, whose: Sequence[int], deals: Sequence[tuple[str, str | None]]) -> list[str]:
        """Start a game for each player listed, on the variant and seed beside it, or sealed; their ids."""
        asks = []
        for player, (variant, seed) in zip(whose, deals, strict=True):
            deal = {"kind": "sealed"} if seed is None else {"kind": "shared", "seed": seed}
            body = {"variant": variant, "deal": deal}
            asks.append(Ask(request("POST", "/v1/games", self.tokens[player], body), b'"version":1,', 201))
        return [json.loads(body)["id"] for body in answers(self.url, asks)]

    def games(self, moves: int) -> list[list[Ask]]:
        """Whole games for each player, of so many moves at least, one move a request; they are started now."""
        taken: list[list[Script]] = [[] for _ in self.tokens]
        known = scripts(_SCRIPTS)
        for each in taken:
            while sum(len(script.moves) for script in each) < moves:
                each.append(known[next(self._next) % len(known)])
        return self.play(taken)

    def play(self, taken: Sequence[Sequence[Script]]) -> list[list[Ask]]:
        """The games of each player, started now, as requests of one move each."""
        listed = [(player, script) for player, each in enumerate(taken) for script in each]
        ids = self.start([player for player, _ in listed], [(script.variant, script.seed) for _, script in listed])
        lanes: list[list[Ask]] = [[] for _ in taken]
        for (player, script), game in zip(listed, ids, strict=True):
            lanes[player] += [
                move(game, self.tokens[player], [each], script.version(number))
                for number, each in enumerate(script.moves, 1)
            ]
        return lanes
