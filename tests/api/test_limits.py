"""A limiter counts in windows that the workers of a server share, and forgets."""

import random

import pytest
from pasyans.api.limits import Limiter
from pasyans.api.windows import ROWS, WINDOW_MS, Told, Windows

NOON = 1_900_000_000_000


class Shared:
    """Memory for so many workers, and their limiters."""

    def __init__(self, columns: int = 1, limit: int = 3, step: int = 1) -> None:
        self.memory = memoryview(bytearray(Windows.size(columns)))
        self.workers = [Limiter(limit, Windows(self.memory, columns, column, step)) for column in range(columns)]


def start_of(client: str, limiter: Limiter, after: int = NOON) -> int:
    """When a client's next window begins."""
    return after + limiter.windows.counted(client, after)[1]


def test_a_client_gets_as_many_as_the_limit_and_no_more() -> None:
    (limiter,) = Shared().workers
    start = start_of("a", limiter)
    verdicts = [limiter.take("a", start + moment) for moment in range(5)]
    assert [verdict.allowed for verdict in verdicts] == [True, True, True, False, False]
    assert [verdict.remaining for verdict in verdicts] == [2, 1, 0, 0, 0]


def test_windows_follow_one_another_and_each_counts_anew() -> None:
    (limiter,) = Shared(limit=1).workers
    start = start_of("a", limiter)
    for window in range(3):
        begin = start + window * WINDOW_MS
        assert limiter.take("a", begin).allowed
        assert not limiter.take("a", begin).allowed
        assert not limiter.take("a", begin + WINDOW_MS - 1).allowed


def test_the_reset_is_in_whole_seconds_rounded_up() -> None:
    (limiter,) = Shared().workers
    start = start_of("a", limiter)
    resets = [limiter.look("a", start + past).reset_s for past in (0, 1, 1000, 1001, WINDOW_MS - 1)]
    assert resets == [60, 60, 59, 59, 1]


def test_clients_begin_their_windows_at_times_of_their_own() -> None:
    (limiter,) = Shared().workers
    starts = {start_of(str(number), limiter) - NOON for number in range(100)}
    assert len(starts) > 90
    assert 0 < min(starts) < WINDOW_MS / 10
    assert WINDOW_MS * 9 / 10 < max(starts) <= WINDOW_MS


def test_clients_are_counted_apart() -> None:
    (limiter,) = Shared(limit=1).workers
    assert all(limiter.take(str(number), NOON).allowed for number in range(1000))
    assert not any(limiter.take(str(number), NOON).allowed for number in range(1000))


def test_looking_counts_nothing() -> None:
    (limiter,) = Shared(limit=1).workers
    for _ in range(3):
        assert limiter.look("a", NOON).allowed
    assert limiter.take("a", NOON).allowed
    assert not limiter.look("a", NOON).allowed


def test_workers_count_together() -> None:
    shared = Shared(columns=4, limit=10)
    dice = random.Random(1)
    start = start_of("a", shared.workers[0])
    verdicts = [dice.choice(shared.workers).take("a", start) for _ in range(20)]
    assert [verdict.allowed for verdict in verdicts] == [True] * 10 + [False] * 10
    assert [verdict.remaining for verdict in verdicts[:10]] == list(range(9, -1, -1))


def test_what_a_worker_has_counted_outlives_it() -> None:
    shared = Shared(columns=2, limit=2)
    assert shared.workers[0].take("a", NOON).allowed
    successor = Limiter(2, Windows(shared.memory, 2, 0))
    assert successor.take("a", NOON).remaining == 0
    assert not shared.workers[1].take("a", NOON).allowed


def test_memory_is_bounded_and_a_client_who_asks_much_keeps_its_row() -> None:
    (limiter,) = Shared(limit=2).workers
    while limiter.take("busy", NOON).allowed:
        pass
    for number in range(2 * ROWS):
        limiter.take(str(number), NOON)
    assert len(limiter.windows._marks) <= 50_000
    assert not limiter.look("busy", NOON).allowed
    assert not limiter.take(f"{2 * ROWS - 1}", NOON).remaining
    # What is over makes room for what comes.
    counted = [str(number) for number in range(1000)]
    for client in counted:
        limiter.take(client, NOON + 2 * WINDOW_MS)
    assert sum(limiter.look(client, NOON + 2 * WINDOW_MS).remaining == 0 for client in counted) == 1000


def test_marks_follow_from_the_secret() -> None:
    clients = [str(number) for number in range(50)]

    def starts(secret: bytes) -> list[int]:
        (limiter,) = Shared().workers
        limiter.windows.key(secret)
        return [start_of(client, limiter) for client in clients]

    assert starts(b"one" * 10) == starts(b"one" * 10)
    assert starts(b"one" * 10) != starts(b"two" * 10)


# ---- several servers


def test_servers_that_tell_each_other_count_together() -> None:
    here, there = Shared(columns=2, limit=10), Shared(columns=3, limit=10)
    for worker in [*here.workers, *there.workers]:
        worker.windows.key(b"s" * 32)
    for number in range(6):
        assert here.workers[number % 2].take("a", NOON).allowed
    told = [one for worker in here.workers for one in worker.windows.tell()]
    assert [one.requests for one in told] == [3, 3]
    there.workers[2].windows.hear(told, NOON)
    assert [there.workers[number % 3].take("a", NOON).allowed for number in range(6)] == [True] * 4 + [False] * 2
    assert [worker.windows.tell() for worker in here.workers] == [[], []]


@pytest.mark.parametrize(("step", "told"), [(1, 25), (7, 21), (25, 25), (26, 0)])
def test_less_than_a_step_is_kept_back(step: int, told: int) -> None:
    (limiter,) = Shared(limit=600, step=step).workers
    start = start_of("a", limiter)
    for _ in range(25):
        limiter.take("a", start)
    assert sum(one.requests for one in limiter.windows.tell()) == told


def test_what_was_told_of_another_window_counts_for_none() -> None:
    (limiter,) = Shared(limit=10).workers
    limiter.take("a", NOON)
    (told,) = limiter.windows.tell()
    for window in (told.window - 1, told.window + 1):
        limiter.windows.hear([Told(told.mark, window, 9)], NOON)
    assert limiter.look("a", NOON).remaining == 8
    limiter.windows.hear([told._replace(requests=9)] * 3, NOON)
    assert not limiter.look("a", NOON).allowed
    assert limiter.look("a", NOON + WINDOW_MS).remaining == 9


def test_the_headers_are_those_of_the_draft() -> None:
    (limiter,) = Shared(limit=600).workers
    assert limiter.take("a", start_of("a", limiter)).headers == {
        b"ratelimit-policy": b'"requests";q=600;w=60',
        b"ratelimit": b'"requests";r=599;t=60',
    }
