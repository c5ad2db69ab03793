"""A limiter counts in windows, and forgets."""

import asyncio

from pasyans.api.limits import WINDOW_MS, Verdict, WindowLimiter


def take(limiter: WindowLimiter, key: str, now: int) -> Verdict:
    return asyncio.run(limiter.take(key, now))


def test_a_key_gets_as_many_as_the_limit_and_no_more() -> None:
    limiter = WindowLimiter(3)
    verdicts = [take(limiter, "a", 1000 + moment) for moment in range(5)]
    assert [verdict.allowed for verdict in verdicts] == [True, True, True, False, False]
    assert [verdict.remaining for verdict in verdicts] == [2, 1, 0, 0, 0]


def test_a_window_begins_with_the_first_request_and_then_anew() -> None:
    limiter = WindowLimiter(1)
    assert take(limiter, "a", 1000).allowed
    assert not take(limiter, "a", 1000 + WINDOW_MS - 1).allowed
    assert take(limiter, "a", 1000 + WINDOW_MS).allowed


def test_the_reset_is_in_whole_seconds_rounded_up() -> None:
    limiter = WindowLimiter(1)
    assert take(limiter, "a", 0).reset_s == 60
    assert take(limiter, "a", 1).reset_s == 60
    assert take(limiter, "a", 1000).reset_s == 59
    assert take(limiter, "a", WINDOW_MS - 1).reset_s == 1


def test_keys_are_counted_apart() -> None:
    limiter = WindowLimiter(1)
    assert take(limiter, "a", 0).allowed
    assert take(limiter, "b", 0).allowed


def test_looking_counts_nothing() -> None:
    limiter = WindowLimiter(1)
    for _ in range(3):
        assert asyncio.run(limiter.look("a", 0)).allowed
    assert take(limiter, "a", 0).allowed


def test_memory_is_bounded() -> None:
    limiter = WindowLimiter(1)

    async def flood() -> None:
        for number in range(120_000):
            await limiter.take(str(number), 0)

    asyncio.run(flood())
    assert len(limiter._windows) <= 50_001
    assert not take(limiter, "119999", 0).allowed


def test_the_headers_are_those_of_the_draft() -> None:
    assert take(WindowLimiter(600), "a", 0).headers() == {
        "RateLimit-Policy": '"requests";q=600;w=60',
        "RateLimit": '"requests";r=599;t=60',
    }
