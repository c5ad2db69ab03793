"""A typed client of the Pasyans HTTP API; it imports nothing of the service.

from pasyans_client import Client, IllegalMove

with Client("http://127.0.0.1:8000") as anyone:
    token = anyone.create_player().token
with Client("http://127.0.0.1:8000", token) as client:
    game = client.start_game("congress", seed="hello")
    try:
        game = client.move(game.id, ["draw", "w-f"])
    except IllegalMove as refusal:
        print(refusal.reason, refusal.detail, refusal.legal_moves)
"""

from pasyans_client.admin import Admin
from pasyans_client.calls import http_address
from pasyans_client.client import Client
from pasyans_client.errors import (
    AlreadyPlaying,
    ApiError,
    BadAnswer,
    BadEvidence,
    Conflict,
    ConnectionFailed,
    DealSealed,
    Forbidden,
    GameOver,
    IllegalMove,
    InvalidRequest,
    MoveRefused,
    NotFound,
    NothingLeft,
    PasyansError,
    RateLimited,
    ServiceError,
    StaleVersion,
    Unauthenticated,
    Unavailable,
    UnreadableMove,
)
from pasyans_client.retry import NEVER, Retry, Wait

__all__ = [
    "NEVER",
    "Admin",
    "AlreadyPlaying",
    "ApiError",
    "BadAnswer",
    "BadEvidence",
    "Client",
    "Conflict",
    "ConnectionFailed",
    "DealSealed",
    "Forbidden",
    "GameOver",
    "IllegalMove",
    "InvalidRequest",
    "MoveRefused",
    "NotFound",
    "NothingLeft",
    "PasyansError",
    "RateLimited",
    "Retry",
    "ServiceError",
    "StaleVersion",
    "Unauthenticated",
    "Unavailable",
    "UnreadableMove",
    "Wait",
    "http_address",
]
