"""The calls about players and their tokens."""

from collections.abc import Iterator
from itertools import chain

from pasyans_client.calls import Caller, part, queried
from pasyans_client.models import NewPlayer, NewToken, Player, Token
from pasyans_client.results import PlayerStats
from pasyans_client.transport import Request


class Accounts(Caller):
    """Players and tokens; see `Client`."""

    def create_player(self, name: str | None = None, *, key: str | None = None) -> NewPlayer:
        """Make a player, a guest unless named; the token in the answer is shown only here."""
        return self._post("/v1/players", {} if name is None else {"name": name}, NewPlayer, key=key)

    def me(self) -> Player:
        """The player whose token this client has."""
        return self._get("/v1/players/me", Player)

    def take_name(self, name: str) -> Player:
        """Give oneself a name, as a guest; it is taken once and stays. Raises `Conflict` where that can't be."""
        return self._decode(self._write("PATCH", "/v1/players/me", {"name": name}, {}, repeatable=True), Player)

    def export(self) -> Iterator[bytes]:
        """Everything that is kept of oneself, as JSON in pieces, however much it is.

        It is asked for when the first piece is taken, and not again once one has come: where it breaks off,
        `ConnectionFailed` says so.
        """
        return self._transport.pieces(Request(method="GET", path="/v1/players/me/export", repeatable=True))

    def erase(self) -> None:
        """Erase oneself for good: the name and every token go, and running games end as abandoned.

        Where no answer came it may have been done: then one's token is refused (`Unauthenticated`) from now on.
        """
        self._write("DELETE", "/v1/players/me", None, {}, repeatable=False)

    def player(self, name: str) -> Player:
        """Anybody, by name."""
        return self._get(f"/v1/players/{part(name, 'name')}", Player)

    def stats(self, name: str) -> PlayerStats:
        """What somebody's games came to, for each kind of solitaire."""
        return self._get(f"/v1/players/{part(name, 'name')}/stats", PlayerStats)

    def create_token(self, label: str, *, key: str | None = None) -> NewToken:
        """Make a further token, for another device; it is shown only in this answer."""
        return self._post("/v1/tokens", {"label": label}, NewToken, key=key)

    def tokens(self) -> Iterator[Token]:
        """One's own tokens in force, the oldest first."""
        return chain.from_iterable(self.token_pages())

    def token_pages(self, *, limit: int | None = None, most: int | None = None) -> Iterator[list[Token]]:
        """The pages of `tokens`, at least one; `limit` is the size of a page, `most` how many there are to be."""
        return self._pages("/v1/tokens", queried({"limit": limit}), Token, most=most)

    def revoke_token(self, token_id: str) -> None:
        """End a token's life, at once."""
        self._write("DELETE", f"/v1/tokens/{part(token_id, 'id')}", None, {}, repeatable=False)
