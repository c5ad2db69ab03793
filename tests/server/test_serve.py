"""`pasyansd serve`: when it is ready, how it ends, and what it refuses."""

import httpx

from tests.support.service import Service


def test_the_address_that_is_printed_answers(service: Service) -> None:
    assert httpx.get(f"{service.url}/readyz").status_code == 200
