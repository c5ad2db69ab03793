"""The deals of a day: drawn a week ahead, once for all servers, and sealed until the day is over in UTC."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from pathlib import Path
from threading import Barrier

import httpx
import pytest
from pasyans.games.catalogue import VARIANTS

from tests.support.api import code, connect, faults
from tests.support.clocked import Clock, clocked
from tests.support.postgres import Postgres
from tests.support.service import Service
from tests.support.sql import query
from tests.support.waiting import until

DAY = 86_400_000


@pytest.fixture
def http(east: Service) -> Iterator[httpx.Client]:
    with connect(east.url) as client:
        yield client


@pytest.fixture
def there(west: Service) -> Iterator[httpx.Client]:
    """A client of the other server."""
    with connect(west.url) as client:
        yield client


def drawn(postgres: Postgres, day: str) -> dict[object, object]:
    """The seeds of a day by variant, as the database has them."""
    return dict(
        query(postgres.admin_url, "SELECT variant, seed FROM dailies WHERE to_char(date, 'YYYY-MM-DD') = $1", day)  # type: ignore[arg-type]
    )


def commitments(http: httpx.Client, day: str | None = None) -> dict[str, str]:
    """The commitments of a day, which is there, by variant."""
    answer = http.get("/v1/daily", params={} if day is None else {"date": day})
    assert answer.status_code == 200, answer.text
    return {item["variant"]: item["commitment"] for item in answer.json()["items"]}


def test_the_deals_of_today(http: httpx.Client, clock: Clock, clocked_postgres: Postgres) -> None:
    clock.set("2024-03-05T17:31:02.250Z")
    answer = http.get("/v1/daily")
    assert answer.headers["cache-control"] == "no-cache"
    page = answer.json()
    assert set(page) == {"items", "next"}
    assert page["next"] is None
    assert [item["variant"] for item in page["items"]] == list(VARIANTS)
    seeds = drawn(clocked_postgres, "2024-03-05")
    for item in page["items"]:
        assert item == {
            "variant": item["variant"],
            "date": "2024-03-05",
            "commitment": sha256(f"pasyans-commit-1/{seeds[item['variant']]}".encode()).hexdigest(),
            "opens_at": "2024-03-05T00:00:00.000Z",
            "closes_at": "2024-03-06T00:00:00.000Z",
            "seed": None,
        }
    assert http.get("/v1/daily?date=2024-03-05").json() == page
    assert len(set(seeds.values())) == len(VARIANTS)
    assert all(isinstance(seed, str) and len(seed) == 32 for seed in seeds.values())


def test_a_seed_opens_when_its_day_is_over_and_is_what_was_committed_to(
    http: httpx.Client, there: httpx.Client, clock: Clock, clocked_postgres: Postgres
) -> None:
    clock.set("2024-04-01T00:00:00.000Z")
    ahead = commitments(http, "2024-04-08")
    for at in ("2024-04-07T23:59:59.999Z", "2024-04-08T00:00:00.000Z", "2024-04-08T23:59:59.999Z"):
        clock.set(at)
        for client in (http, there):
            items = client.get("/v1/daily?date=2024-04-08").json()["items"]
            assert {item["variant"]: item["commitment"] for item in items} == ahead
            assert {item["seed"] for item in items} == {None}
    clock.set("2024-04-09T00:00:00.000Z")
    seeds = drawn(clocked_postgres, "2024-04-08")
    for client in (http, there):
        answer = client.get("/v1/daily?date=2024-04-08")
        assert answer.headers["cache-control"] == "public, max-age=3600"
        items = answer.json()["items"]
        assert {item["variant"]: item["commitment"] for item in items} == ahead
        assert {item["variant"]: item["seed"] for item in items} == seeds
        for item in items:
            assert sha256(f"pasyans-commit-1/{item['seed']}".encode()).hexdigest() == item["commitment"]


@pytest.mark.parametrize(
    ("last", "first", "before", "after"),
    [
        ("2024-02-28T23:59:59.000Z", "2024-02-29T00:00:00.000Z", "2024-02-28", "2024-02-29"),
        ("2024-02-29T23:59:59.999Z", "2024-03-01T00:00:00.000Z", "2024-02-29", "2024-03-01"),
        ("2023-02-28T23:59:59.999Z", "2023-03-01T00:00:01.000Z", "2023-02-28", "2023-03-01"),
        ("2024-12-31T23:59:59.999Z", "2025-01-01T00:00:00.000Z", "2024-12-31", "2025-01-01"),
    ],
)
def test_the_day_changes_at_midnight_utc_wherever_the_server_is(
    http: httpx.Client, there: httpx.Client, clock: Clock, last: str, first: str, before: str, after: str
) -> None:
    for client in (http, there):
        clock.set(last)
        assert {item["date"] for item in client.get("/v1/daily").json()["items"]} == {before}
        clock.set(first)
        assert {item["date"] for item in client.get("/v1/daily").json()["items"]} == {after}


def test_a_week_ahead_and_no_further(http: httpx.Client, clock: Clock) -> None:
    clock.set("2024-12-28T23:59:59.999Z")
    week = {day: commitments(http, day) for day in ("2024-12-28", "2024-12-31", "2025-01-01", "2025-01-04")}
    assert len({each for day in week.values() for each in day.values()}) == 4 * len(VARIANTS)
    for day in ("2025-01-05", "2025-02-01", "9999-12-31"):
        assert code(http.get(f"/v1/daily?date={day}")) == "not-found"
    clock.advance(1)
    assert len(commitments(http, "2025-01-05")) == len(VARIANTS)
    assert code(http.get("/v1/daily?date=2025-01-06")) == "not-found"


def test_before_the_first_one_drawn_there_is_none_and_none_is_drawn_for_a_day_that_is_over(
    http: httpx.Client, clock: Clock, clocked_postgres: Postgres
) -> None:
    clock.set("2022-06-10T12:00:00Z")
    assert commitments(http)
    for day in ("2022-06-09", "1999-12-31", "0001-01-01"):
        assert code(http.get(f"/v1/daily?date={day}")) == "not-found"
        assert drawn(clocked_postgres, day) == {}


def test_servers_that_draw_at_once_draw_the_same(
    east: Service, west: Service, clock: Clock, clocked_postgres: Postgres
) -> None:
    clock.set("2023-07-01T00:00:00Z")
    days = [f"2023-07-{number:02}" for number in range(1, 9)]
    clients = [connect(url) for url in (east.url, west.url) * 3]
    for day in days:
        start = Barrier(len(clients))

        def ask(client: httpx.Client, start: Barrier = start, day: str = day) -> dict[str, str]:
            start.wait()
            return commitments(client, day)

        with ThreadPoolExecutor(len(clients)) as pool:
            told = list(pool.map(ask, clients))
        seeds = drawn(clocked_postgres, day)
        assert all(each == told[0] for each in told)
        assert told[0] == {
            variant: sha256(f"pasyans-commit-1/{seed}".encode()).hexdigest() for variant, seed in seeds.items()
        }
    for client in clients:
        client.close()


def test_pages(http: httpx.Client, clock: Clock) -> None:
    clock.set("2024-05-05T23:59:59.000Z")
    whole = http.get("/v1/daily").json()["items"]
    met, path = [], "/v1/daily?limit=3"
    sizes = []
    while path:
        answer = http.get(path)
        page = answer.json()
        met += page["items"]
        sizes.append(len(page["items"]))
        path = answer.links["next"]["url"] if page["next"] else ""
        # A list that was begun stays that of its day.
        clock.advance(1000)
    assert sizes[:-1] == [3] * ((len(VARIANTS) - 1) // 3)
    assert 1 <= sizes[-1] <= 3
    assert [(item["date"], item["variant"]) for item in met] == [("2024-05-05", item["variant"]) for item in whole]


def test_what_is_no_date_or_no_cursor_of_the_list(http: httpx.Client, clock: Clock) -> None:
    clock.set("2024-05-10T12:00:00Z")
    for date in ("2024-02-30", "20240510", "today", "", "2024-5-1", "2024-05-10T00:00:00Z"):
        assert list(faults(http.get("/v1/daily", params={"date": date}))) == ["query.date"]
    following = http.get("/v1/daily?limit=1").json()["next"]
    for cursor in ("x", http.get("/v1/variants?limit=1").json()["next"]):
        assert list(faults(http.get("/v1/daily", params={"cursor": cursor}))) == ["query.cursor"]
    rest = http.get("/v1/daily", params={"cursor": following, "date": "2024-05-10"}).json()["items"]
    assert [item["variant"] for item in rest] == list(VARIANTS)[1:]
    assert list(faults(http.get("/v1/daily", params={"cursor": following, "date": "2024-05-11"}))) == ["query.cursor"]


def settings_of(postgres: Postgres) -> dict[str, str]:
    return {
        "DATABASE_URL": postgres.service_url,
        "PASYANS_ADMIN_DATABASE_URL": postgres.admin_url,
        "PASYANS_ALLOW_DATA_LOSS": "yes",
    }


def test_a_worker_draws_the_week_without_being_asked_and_tries_until_it_can(
    clocked_postgres: Postgres, tmp_path: Path
) -> None:
    early = Clock(tmp_path / "clock")
    early.set("2021-12-28T23:59:59.000Z")
    week = [
        "2021-12-28",
        "2021-12-29",
        "2021-12-30",
        "2021-12-31",
        "2022-01-01",
        "2022-01-02",
        "2022-01-03",
        "2022-01-04",
    ]
    query(clocked_postgres.admin_url, "REVOKE INSERT ON dailies FROM pasyans_service")
    with clocked(tmp_path / "log", early, settings_of(clocked_postgres)) as service:
        until(lambda: '"chore":"draw dailies"' in service.log, "a failure to draw")
        assert drawn(clocked_postgres, week[0]) == {}
        query(clocked_postgres.admin_url, "GRANT INSERT ON dailies TO pasyans_service")
        until(lambda: drawn(clocked_postgres, week[-1]), "the week's deals")
        assert {day: len(drawn(clocked_postgres, day)) for day in week} == dict.fromkeys(week, len(VARIANTS))
        assert drawn(clocked_postgres, "2021-12-27") == drawn(clocked_postgres, "2022-01-05") == {}
        seeds = [seed for day in week for seed in drawn(clocked_postgres, day).values()]
        assert not [seed for seed in seeds if str(seed) in service.log]


def test_a_worker_forgets_keys_after_a_day_and_no_earlier(clocked_postgres: Postgres, tmp_path: Path) -> None:
    early = Clock(tmp_path / "clock")
    early.set("2021-06-02T13:00:00Z")
    use = """
        INSERT INTO idempotency (scope, key, request, subject, version, at)
        SELECT gen_random_uuid(), decode(md5(at), 'hex'), decode(md5(at), 'hex'), gen_random_uuid(), 1, at::timestamptz
        FROM unnest($1::text[]) AS used (at)
    """
    query(clocked_postgres.admin_url, use, ["2021-06-01T11:59:59Z", "2021-06-01T12:00:01Z", "2021-06-01T13:00:00Z"])
    count = "SELECT count(*) FROM idempotency WHERE at < timestamptz '2021-06-03T00:00:00Z'"
    with clocked(tmp_path / "log", early, settings_of(clocked_postgres)):
        until(lambda: query(clocked_postgres.admin_url, count) != [(3,)], "a key is forgotten")
        assert query(clocked_postgres.admin_url, count) == [(2,)]
