"""Parameters and headers that several operations share."""

from typing import Annotated, Final
from uuid import UUID

from litestar.datastructures import ResponseHeader
from litestar.params import HeaderParameter, PathParameter, QueryParameter
from msgspec import Meta

from pasyans.api.etag import TAG_LIST_PATTERN

GameId = Annotated[UUID, PathParameter(name="id"), Meta(description="The id of a game.")]
CursorText = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=200,
        pattern="^[A-Za-z0-9_-]+$",
        description="Where the page begins: `next` of the page before, and nothing else.",
    ),
]
Limit = Annotated[
    int, QueryParameter(), Meta(ge=1, le=200, description="How many items a page has at most.", examples=[50])
]
IdempotencyKey = Annotated[
    Annotated[
        str,
        Meta(
            min_length=1,
            max_length=255,
            pattern="^[ -~]+$",
            description="1–255 printable ASCII characters of the client's own. The same key with the same request "
            "gets the same answer, and is written once.",
        ),
    ]
    | None,
    HeaderParameter(name="Idempotency-Key"),
]
IfMatch = Annotated[
    Annotated[
        str,
        Meta(
            pattern=TAG_LIST_PATTERN,
            description="The ETag of the game as the player saw it; when it has moved on, nothing is written.",
        ),
    ]
    | None,
    HeaderParameter(name="If-Match"),
]
IfNoneMatch = Annotated[
    Annotated[
        str,
        Meta(
            pattern=TAG_LIST_PATTERN,
            description="The ETag of a copy that the client has; when it is still good, the answer is 304.",
        ),
    ]
    | None,
    HeaderParameter(name="If-None-Match"),
]

ETAG: Final = ResponseHeader(
    name="ETag", description="The version of the game, as a strong tag.", documentation_only=True
)
LOCATION: Final = ResponseHeader(name="Location", description="Where it is.", documentation_only=True)
LINK: Final = ResponseHeader(
    name="Link", description='The next page, `rel="next"`; absent on the last.', documentation_only=True
)
REPLAYED: Final = ResponseHeader(
    name="Idempotency-Replayed",
    description="`true` where the request had been done before, and this is its answer again.",
    documentation_only=True,
)
DISPOSITION: Final = ResponseHeader(
    name="Content-Disposition", description="It is a file to keep.", documentation_only=True
)
VARY: Final = ResponseHeader(
    name="Vary", description="The headers of the request that the answer hangs on.", documentation_only=True
)

TOKEN: Final = [{"token": list[str]()}]
"""The security of an operation that takes a player's token."""

ADMIN_TOKEN: Final = [{"adminToken": list[str]()}]
"""The security of an operation that takes an admin token."""
