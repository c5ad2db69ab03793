"""The client of admins: one method an operation of theirs."""

from collections.abc import Iterator
from datetime import datetime
from itertools import chain
from typing import BinaryIO, TypedDict, Unpack

from pasyans_client.admin_models import AdminPlayer, AdminResult, AuditEntry, GameCheck, VoidedResults
from pasyans_client.calls import Caller, part, queried
from pasyans_client.models import Game, Player
from pasyans_client.transport import Request

PATIENCE = 60.0
"""Seconds until an answer that takes long has to begin, and between two pieces of it."""


class ResultFilters(TypedDict, total=False):
    """Which results are meant, by all of these together; what is left out, or `None`, leaves all."""

    variant: str | None
    player: str | None
    seed: str | None
    kind: str | None
    """`sealed`, `shared` or `daily`."""
    status: str | None
    """`won`, `lost`, `abandoned` or `void`: how they stand."""
    outcome: str | None
    """`won`, `lost` or `abandoned`: how they ended, whether or not they were voided since."""
    rules: int | None
    """The number of the rules."""
    since: datetime | None
    """Finished at this time or later."""
    before: datetime | None
    """Finished before this time."""
    fast: bool | None
    """Played in less than 150 ms a move, or not."""


class AuditFilters(TypedDict, total=False):
    """Which entries of the audit are meant, by all of these together; what is left out, or `None`, leaves all."""

    actor: str | None
    """The name of an admin token."""
    action: str | None
    game: str | None
    player: str | None
    since: datetime | None
    before: datetime | None


class Admin(Caller):
    """A client of one service for an admin: `Admin(base_url, token)`, with an admin token.

    It raises as `Client` does, `Forbidden` where the token is a player's. POSTs carry an Idempotency-Key, and are sent
    again like reads; pass a `key`, as of `Client`, to be able to repeat the very same request later. `reason` is a word
    that everybody may know: `cheating`, `error`, `test` or `other`; `note` is text for admins alone.
    """

    def results(
        self, *, sort: str | None = None, limit: int | None = None, **filters: Unpack[ResultFilters]
    ) -> Iterator[AdminResult]:
        """Games that are over, page after page as they are asked for; `limit` is the size of a page (1-200).

        `sort` is the field to sort by, with a minus before it for the greatest first; `-finished_at` unless told.
        """
        return chain.from_iterable(self.result_pages(sort=sort, limit=limit, **filters))

    def result_pages(
        self,
        *,
        sort: str | None = None,
        limit: int | None = None,
        most: int | None = None,
        **filters: Unpack[ResultFilters],
    ) -> Iterator[list[AdminResult]]:
        """The pages of `results`, at least one; `most` is how many results they are to have in all."""
        query = queried({**filters, "sort": sort, "limit": limit})
        return self._pages("/v1/admin/results", query, AdminResult, most=most)

    def results_csv(self, *, sort: str | None = None, **filters: Unpack[ResultFilters]) -> Iterator[bytes]:
        """All of `results` as CSV (UTF-8, CRLF, a line of field names first), in pieces as they come.

        It is not asked for again once a piece has come: where it breaks off, `ConnectionFailed` says so, and what came
        is not whole.
        """
        query = queried({**filters, "sort": sort})
        return self._transport.pieces(
            Request(
                method="GET",
                path="/v1/admin/results",
                query=query,
                headers={"Accept": "text/csv"},
                repeatable=True,
                silence=PATIENCE,
            )
        )

    def write_results(self, target: BinaryIO, *, sort: str | None = None, **filters: Unpack[ResultFilters]) -> None:
        """Write the pieces of `results_csv` to a file, however much it is."""
        for piece in self.results_csv(sort=sort, **filters):
            target.write(piece)

    def player(self, name: str) -> Player:
        """Anybody, by name, as everybody sees them; what is listed of a player is only empty where there is none.

        Raises:
            NotFound: there is no such player.
        """
        return self._get(f"/v1/players/{part(name, 'name')}", Player)

    def players(
        self, *, search: str | None = None, banned: bool | None = None, limit: int | None = None
    ) -> Iterator[AdminPlayer]:
        """Players by name: those with `search` in it, those who are banned or not; `limit` is the size of a page."""
        return chain.from_iterable(self.player_pages(search=search, banned=banned, limit=limit))

    def player_pages(
        self,
        *,
        search: str | None = None,
        banned: bool | None = None,
        limit: int | None = None,
        most: int | None = None,
    ) -> Iterator[list[AdminPlayer]]:
        """The pages of `players`, at least one; `most` is how many players they are to have in all."""
        query = queried({"search": search, "banned": banned, "limit": limit})
        return self._pages("/v1/admin/players", query, AdminPlayer, most=most)

    def void(
        self, game: str, reason: str, *, note: str | None = None, if_version: int | None = None, key: str | None = None
    ) -> Game:
        """Void a game that was won or lost, which leaves all boards; the game as everybody sees it.

        The piles of a daily whose day is not over are left out of it.

        Raises:
            Conflict: it is neither won nor lost.
            StaleVersion: with `if_version`, where the game has moved on.
        """
        return self._judge(game, "void", reason, note, if_version, key)

    def restore(
        self, game: str, reason: str, *, note: str | None = None, if_version: int | None = None, key: str | None = None
    ) -> Game:
        """Give a void game the status back that it had, and its place on the boards; as `void`."""
        return self._judge(game, "restore", reason, note, if_version, key)

    def void_results(
        self,
        reason: str,
        *,
        note: str | None = None,
        dry_run: bool = False,
        key: str | None = None,
        **filters: Unpack[ResultFilters],
    ) -> VoidedResults:
        """Void all games that are won or lost and match all filters, of which at least one is needed.

        With `dry_run` they are only counted. Many are voided some at a time; where that takes longer than a request may
        (30 s unless the operator says otherwise), it breaks off with a 503. What was done by then is done, and repeated
        it goes on with the rest, which `retry` sees to. The numbers are of the last attempt.

        Raises:
            Unavailable: the attempts were too few. Some are void; repeat it, with the same `key` at best.
        """
        body = {
            "filter": {name: value for name, value in filters.items() if value is not None},
            "reason": reason,
            "note": note,
            "dry_run": dry_run,
        }
        return self._post("/v1/admin/results/void", body, VoidedResults, key=key, silence=PATIENCE)

    def ban(self, player: str, reason: str, *, note: str | None = None, key: str | None = None) -> AdminPlayer:
        """Take a player off all boards, now and later. Who is banned already stays so."""
        return self._post(f"/v1/admin/players/{part(player, 'name')}/ban", _grounds(reason, note), AdminPlayer, key=key)

    def unban(self, player: str, reason: str, *, note: str | None = None, key: str | None = None) -> AdminPlayer:
        """Let a player back on the boards."""
        return self._post(
            f"/v1/admin/players/{part(player, 'name')}/unban", _grounds(reason, note), AdminPlayer, key=key
        )

    def verify(self, game: str) -> GameCheck:
        """Have a game replayed from nothing and compared with what is stored of it."""
        path = f"/v1/admin/games/{part(game, 'id')}/verify"
        return self._decode(self._write("POST", path, None, {}, repeatable=True), GameCheck)

    def audit(self, *, limit: int | None = None, **filters: Unpack[AuditFilters]) -> Iterator[AuditEntry]:
        """What admins and the operator did, newest first; `limit` is the size of a page (1-200)."""
        return chain.from_iterable(self.audit_pages(limit=limit, **filters))

    def audit_pages(
        self, *, limit: int | None = None, most: int | None = None, **filters: Unpack[AuditFilters]
    ) -> Iterator[list[AuditEntry]]:
        """The pages of `audit`, at least one; `most` is how many entries they are to have in all."""
        return self._pages("/v1/admin/audit", queried({**filters, "limit": limit}), AuditEntry, most=most)

    def _judge(
        self, game: str, action: str, reason: str, note: str | None, if_version: int | None, key: str | None
    ) -> Game:
        path = f"/v1/admin/games/{part(game, 'id')}/{action}"
        return self._post(path, _grounds(reason, note), Game, key=key, if_version=if_version)


def _grounds(reason: str, note: str | None) -> dict[str, str | None]:
    return {"reason": reason, "note": note}
