"""Answers that are the same each time, compressed once for whoever takes gzip."""

import asyncio
import gzip
from collections.abc import Callable, Mapping
from functools import cache
from typing import Final

from litestar import Response

from pasyans.api.negotiation import takes_gzip
from pasyans.api.requests import ApiRequest

_VARY: Final = {"Vary": "Accept-Encoding"}


async def packed(
    request: ApiRequest, make: Callable[[], bytes], media_type: str, headers: Mapping[str, str]
) -> Response[bytes]:
    """Answer with what ``make`` gives, which is the same each time; it works beside the event loop."""
    if takes_gzip(request.header(b"accept-encoding")):
        body, coding = await asyncio.to_thread(_gzipped, make), {"Content-Encoding": "gzip"}
    else:
        body, coding = await asyncio.to_thread(make), {}
    return Response(body, media_type=media_type, headers={**headers, **_VARY, **coding})


@cache
def _gzipped(make: Callable[[], bytes]) -> bytes:
    # Without a time, so that it is the same from every worker.
    return gzip.compress(make(), mtime=0)
