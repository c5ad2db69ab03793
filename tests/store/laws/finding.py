"""Looking for results and players: every filter, every order, every page, against lists that are searched by hand."""

import random
from collections.abc import Callable
from typing import Any, get_args
from uuid import UUID

import pytest
from msgspec import Struct
from pasyans.record.result import Result
from pasyans.store.admin_values import (
    TEXT_SORTS,
    PlayerFilter,
    PlayerRow,
    ResultFilter,
    ResultRow,
    ResultSort,
    SortValue,
)
from pasyans.store.errors import BadRow
from pasyans.store.postgres import PostgresStore

from tests.store.making import NOON, a_game, a_player, head, move, new_game, new_player, result, unique
from tests.store.servers import Urls, opened

SORTS: tuple[ResultSort, ...] = get_args(ResultSort)

_DAY = 24 * 3_600_000
_YESTERDAY, _TODAY, _TOMORROW = "2026-11-28", "2026-11-29", "2026-11-30"
_STATUSES = ("won", "lost", "abandoned", "void")
_OUTCOMES = ("won", "lost", "abandoned")


class Found(Struct, frozen=True):
    """Results that a test has made, all that there are between two times."""

    rows: list[tuple[UUID, str, Result]]
    since: int
    before: int

    def filter(self, **changes: Any) -> ResultFilter:
        """These, or some of them."""
        values: dict[str, Any] = {"today": _TODAY, "since": self.since, "before": self.before}
        return ResultFilter(**values | changes)


async def some_results(store: PostgresStore, count: int, dice: random.Random) -> Found:
    """Results of three players that differ in every column, and some of which are equal in most."""
    since = NOON + int(unique("")) % 10**6 * _DAY
    players = [new_player(unique(word)) for word in ("anna", "Boris", "clara")]
    for player, token in players:
        await store.create_player(player, token)
    seeds = [unique("seed") for _ in range(3)]
    rows = []
    for number in range(count):
        player = dice.choice(players)[0]
        kind, date = dice.choice(
            [("shared", None), ("sealed", None)] + [("daily", day) for day in (_YESTERDAY, _TODAY, _TOMORROW)]
        )
        variant, rules = dice.choice(("congress", "court")), dice.choice((1, 2, 11))
        started_at = since + dice.choice((0, 1000, 1000, 7000))
        new = new_game(
            player.player_id, variant=variant, rules=rules, kind=kind, date=date, seed=dice.choice(seeds), at=started_at
        )
        await store.create_game(new)
        game = await head(store, new.game_id)
        status: Any = dice.choice(_STATUSES)
        moves = dice.choice((0, 1, 20, 100))
        # At, under and over 150 ms a move.
        finished_at = started_at + moves * 150 + dice.choice((-1, 0, 1, 900)) if moves else started_at + 5000
        came_to = result(
            game,
            status,
            finished_at,
            score=dice.choice((3, 30)),
            moves=moves,
            undos=dice.choice((0, 9)),
            redeals=number % 2,
            outcome=dice.choice(("won", "lost")) if status == "void" else status,
        )
        await store.append(move(game, status=status, finished_at=finished_at, at=finished_at, result=came_to))
        rows.append((new.game_id, player.name, came_to))
    return Found(rows, since, since + _DAY)


def value_of(row: tuple[UUID, str, Result], sort: ResultSort, today: str = _TODAY) -> SortValue:
    """What a result is sorted by."""
    game_id, player, one = row
    match sort:
        case "game":
            return str(game_id)
        case "player":
            return player.casefold()
        case "seed":
            return None if one.date is not None and one.date >= today else one.seed
        case "status":
            return "void" if one.is_void else one.outcome
        case "elapsed_ms":
            return one.finished_at - one.started_at
        case "ms_per_move":
            return (one.finished_at - one.started_at) // one.moves if one.moves else None
        case _:
            found: SortValue = getattr(one, sort)
            return found


def sorted_by(
    rows: list[tuple[UUID, str, Result]], sort: ResultSort, descending: bool, today: str = _TODAY
) -> list[tuple[UUID, SortValue]]:
    """Ids and values in order; what has no value is last in both directions."""
    valued = [(value_of(row, sort, today), row[0]) for row in rows]
    some = sorted((row for row in valued if row[0] is not None), reverse=descending)
    none = sorted((row for row in valued if row[0] is None), key=lambda row: row[1], reverse=descending)
    return [(game_id, value) for value, game_id in some + none]


async def all_pages(
    store: PostgresStore, which: ResultFilter, sort: ResultSort, descending: bool, limit: int
) -> list[ResultRow]:
    """Every page, one behind the other."""
    found: list[ResultRow] = []
    while page := await store.results(
        which, sort, descending, (found[-1].value, found[-1].game_id) if found else None, limit
    ):
        assert len(page) <= limit
        found += page
    return found


def matcher(which: ResultFilter) -> Callable[[tuple[UUID, str, Result]], bool]:
    """The filter, said again."""

    def matches(row: tuple[UUID, str, Result]) -> bool:
        one = row[2]
        elapsed = one.finished_at - one.started_at
        return (
            which.variant in (None, one.variant)
            and (which.player_id is None or str(which.player_id) == one.player)
            and (which.seed is None or which.seed == value_of(row, "seed", which.today))
            and which.kind in (None, one.kind)
            and (not which.statuses or value_of(row, "status") in which.statuses)
            and which.outcome in (None, one.outcome)
            and which.rules in (None, one.rules)
            and (which.since is None or which.since <= one.finished_at)
            and (which.before is None or one.finished_at < which.before)
            and (which.fast is None or which.fast == (elapsed < 150 * one.moves))
        )

    return matches


class Finding:
    async def test_every_filter_by_itself_and_with_others(self, store: PostgresStore) -> None:
        dice = random.Random(5)
        found = await some_results(store, 60, dice)
        times = sorted(one.finished_at for *_, one in found.rows)
        choices: dict[str, list[Any]] = {
            "variant": ["congress", "court", "klondike"],
            "player_id": [*{UUID(one.player) for *_, one in found.rows}, UUID(int=1)],
            "seed": [*{one.seed for *_, one in found.rows}, "no seed"],
            "kind": ["sealed", "shared", "daily"],
            "statuses": [(), ("won",), ("won", "lost"), ("abandoned",), ("void",), ("void", "lost")],
            "outcome": list(_OUTCOMES),
            "rules": [1, 2, 11, 12],
            "since": [times[20], times[20] + 1],
            "before": [times[40], times[40] + 1],
            "fast": [True, False],
            "today": [_YESTERDAY, _TODAY, _TOMORROW, "2026-12-01"],
        }
        asked = [{name: value} for name, values in choices.items() for value in values]
        asked += [{"statuses": (status,), "outcome": outcome} for status in _STATUSES for outcome in _OUTCOMES]
        asked += [
            {name: dice.choice(choices[name]) for name in dice.sample(sorted(choices), dice.randrange(2, 5))}
            for _ in range(80)
        ]
        some = 0
        for changes in asked:
            which = found.filter(**changes)
            expected = [row for row in found.rows if matcher(which)(row)]
            rows = await store.results(which, "game", False, None, 200)
            assert [row.game_id for row in rows] == [game_id for game_id, _ in sorted_by(expected, "game", False)], (
                changes
            )
            assert await store.count_results(which) == len(expected), changes
            some += bool(expected)
        assert some > 60
        assert {(value_of(row, "status"), row[2].outcome) for row in found.rows} == {
            *((outcome, outcome) for outcome in _OUTCOMES),
            ("void", "won"),
            ("void", "lost"),
        }

    @pytest.mark.parametrize("sort", SORTS)
    async def test_every_order_in_both_directions_page_by_page(self, store: PostgresStore, sort: ResultSort) -> None:
        found = await some_results(store, 30, random.Random(sort))
        which = found.filter()
        by_id = {game_id: (player, one) for game_id, player, one in found.rows}
        for descending in (False, True):
            rows = await all_pages(store, which, sort, descending, 7)
            assert [(row.game_id, row.value) for row in rows] == sorted_by(found.rows, sort, descending)
            assert {row.game_id: (row.player, row.result) for row in rows} == by_id
            some = [row async for batch in store.result_batches(which, sort, descending) for row in batch]
            assert some == rows
        assert {type(row.value) for row in rows} <= {str if sort in TEXT_SORTS else int, type(None)}
        assert any(row.value is None for row in rows) == (sort in ("seed", "date", "ms_per_move"))

    async def test_the_place_of_a_row_tells_nothing_of_a_seed_that_is_not_open(self, store: PostgresStore) -> None:
        found = await some_results(store, 40, random.Random(3))
        for today in (_YESTERDAY, _TODAY, _TOMORROW, "2026-12-01"):
            which = found.filter(today=today)
            sealed = [row for row in found.rows if row[2].date is not None and row[2].date >= today]
            assert bool(sealed) is (today != "2026-12-01")
            for descending in (False, True):
                rows = await all_pages(store, which, "seed", descending, 9)
                assert [(row.game_id, row.value) for row in rows] == sorted_by(found.rows, "seed", descending, today)
                assert {row.game_id for row in rows[len(rows) - len(sealed) :]} == {row[0] for row in sealed}
            for seed in {row[2].seed for row in found.rows}:
                matched = await store.results(found.filter(today=today, seed=seed), "game", False, None, 200)
                assert not {row.game_id for row in matched} & {row[0] for row in sealed}

    async def test_rows_that_come_while_pages_are_read_move_nothing(self, store: PostgresStore) -> None:
        dice = random.Random(8)
        found = await some_results(store, 20, dice)
        for descending in (False, True):
            seen: list[UUID] = []
            after: tuple[SortValue, UUID] | None = None
            expected = [game_id for game_id, _ in sorted_by(found.rows, "finished_at", descending)]
            while page := await store.results(found.filter(), "finished_at", descending, after, 3):
                seen += [row.game_id for row in page]
                after = (page[-1].value, page[-1].game_id)
                # One at each end.
                for finished_at in (found.since, found.before - 1):
                    game = await a_game(store, at=found.since)
                    await store.append(move(game, status="lost", at=finished_at, finished_at=finished_at))
            assert [game_id for game_id in seen if game_id in expected] == expected
            assert len(seen) == len(set(seen))
            await _remove_others(store, found)

    @pytest.mark.parametrize(
        ("sort", "value"),
        [
            ("moves", "many"),
            ("moves", 2**63),
            ("score", -(2**63) - 1),
            ("variant", 1),
            ("seed", "\0"),
            ("player", "\ud800"),
            ("finished_at", "2026-11-29"),
            ("finished_at", 2**62),
        ],
    )
    async def test_a_value_that_is_none_of_the_column(
        self, store: PostgresStore, sort: ResultSort, value: SortValue
    ) -> None:
        with pytest.raises(BadRow):
            await store.results(ResultFilter(today=_TODAY), sort, False, (value, UUID(int=0)), 10)
        assert await store.results(ResultFilter(today=_TODAY), sort, False, (None, UUID(int=2**128 - 1)), 10) == []

    async def test_no_results_are_no_batches(self, store: PostgresStore) -> None:
        which = ResultFilter(today=_TODAY, player_id=UUID(int=1))
        assert [batch async for batch in store.result_batches(which, "moves", True)] == []
        assert await store.count_results(which) == 0

    async def test_the_session_serves_as_before(self, urls: Urls) -> None:
        """What is free for one read is not so for the next."""
        settings = "SELECT name, setting FROM pg_settings WHERE name = ANY ($1) ORDER BY name"
        names = ["enable_seqscan", "enable_bitmapscan", "plan_cache_mode", "statement_timeout", "transaction_read_only"]
        async with opened(urls.service, pool_size=1) as store:
            before = await store._database.fetch(settings, names)
            within = await store._surveys.fetch(settings, names)
            assert all(ours != theirs for ours, theirs in zip(before, within, strict=True))
            assert len(before) == 5
            await store.count_results(ResultFilter(today=_TODAY))
            assert await store._database.fetch(settings, names) == before

    async def test_players_are_found_by_a_part_of_the_name(self, store: PostgresStore) -> None:
        word = unique("Ёж%_")
        made = [new_player(f"{letter}{word}{letter}") for letter in "bAcД"]
        # What a pattern would find as well.
        for new, token in [*made, new_player(f"e{word.replace('%_', 'xy')}e")]:
            await store.create_player(new, token)
        part = word.casefold()
        rows = await store.search_players(PlayerFilter(search=part), None, 10)
        assert [row.name for row in rows] == sorted((new.name for new, _ in made), key=str.casefold)
        assert [row.name for row in await store.search_players(PlayerFilter(search=f"a{part}"), None, 10)] == [
            f"A{word}A"
        ]
        pages: list[PlayerRow] = []
        while page := await store.search_players(
            PlayerFilter(search=part), pages[-1].name.casefold() if pages else None, 3
        ):
            pages += page
        assert pages == rows
        await store.ban(made[1][0].player_id, NOON + 5)
        for banned in (True, False):
            some = await store.search_players(PlayerFilter(search=part, banned=banned), None, 10)
            assert [row.player_id for row in some] == [
                row.player_id for row in rows if (row.player_id == made[1][0].player_id) is banned
            ]
        with pytest.raises(BadRow):
            await store.search_players(PlayerFilter(search="\0"), None, 10)

    async def test_what_a_row_has_of_a_player(self, store: PostgresStore) -> None:
        new, token = new_player(unique("guest-"), guest=True)
        await store.create_player(new, token)
        await a_game(store, await a_player(store))
        bare = PlayerRow(new.player_id, new.name, True, NOON, None, None, 0, 0, 0)
        assert await store.player_row(new.player_id) == bare
        for status in ("won", "lost", "abandoned", "void", None, None):
            game = await a_game(store, new.player_id)
            if status is not None:
                await store.append(move(game, status=status, finished_at=NOON + 9))
        await store.ban(new.player_id, NOON + 7)
        deleted = unique("deleted-")
        await store.begin_erasure(new.player_id, deleted, NOON + 8)
        row = PlayerRow(new.player_id, deleted, False, NOON, NOON + 7, NOON + 8, 6, 2, 4)
        assert await store.player_row(new.player_id) == row
        assert await store.search_players(PlayerFilter(search=deleted), None, 10) == [row]
        assert await store.player_row(UUID(int=1)) is None


async def _remove_others(store: PostgresStore, found: Found) -> None:
    """Take away the results that came later."""
    await store._database.write(
        lambda connection: connection.execute(
            "DELETE FROM results WHERE finished_at >= $1 AND finished_at < $2 AND NOT game_id = ANY ($3)",
            found.since,
            found.before,
            [game_id for game_id, *_ in found.rows],
        )
    )
