"""Cross-origin requests. There are no cookies, so any origin may ask, unless the settings narrow it."""

from collections.abc import Sequence

_EXPOSED = "ETag, Location, Link, Date, Retry-After, RateLimit, RateLimit-Policy, Idempotency-Replayed, X-Request-Id"
_PREFLIGHT = {
    "Access-Control-Allow-Methods": "GET, HEAD, POST, PATCH, DELETE",
    "Access-Control-Allow-Headers": "Authorization, Content-Type, If-Match, If-None-Match, Idempotency-Key, "
    "Last-Event-ID",
    "Access-Control-Max-Age": "7200",
}


_EVERYBODY = {"Access-Control-Allow-Origin": "*", "Access-Control-Expose-Headers": _EXPOSED}


class Cors:
    """Which headers let a page of another origin read the answers.

    ``always`` are those that every answer has. Also where it is asked without an origin: a cache may keep it, and give
    it to a page of one.
    """

    def __init__(self, origins: Sequence[str]) -> None:
        self._any = "*" in origins
        self._origins = frozenset(origins)
        self.always = _EVERYBODY if self._any else {}

    def answer(self, origin: str | None) -> dict[str, str]:
        """Return the headers for the answer to a request that comes from ``origin``."""
        if self._any:
            return dict(_EVERYBODY)
        headers = {"Vary": "Origin"}
        if origin in self._origins:
            headers |= {"Access-Control-Allow-Origin": origin, "Access-Control-Expose-Headers": _EXPOSED}
        return headers

    def preflight(self, origin: str) -> dict[str, str]:
        """Return the headers that answer the question whether a page of ``origin`` may send a request."""
        headers = self.answer(origin)
        headers.pop("Access-Control-Expose-Headers", None)
        return headers | _PREFLIGHT if "Access-Control-Allow-Origin" in headers else headers
