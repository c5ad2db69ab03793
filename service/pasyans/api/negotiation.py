"""What a resource offers: its methods, and the forms that the Accept header chooses from."""

from collections.abc import Iterable, Sequence


def choose(accept: str | None, offers: Sequence[str]) -> str | None:
    """Return which of ``offers`` (media types, the preferred one first) the client likes best, or ``None``.

    The most specific range that fits an offer gives its quality (RFC 9110, 12.5.1); a quality of 0 excludes it.
    """
    if accept is None or not accept.strip():
        return offers[0]
    ranges = [_parse(part) for part in accept.split(",") if part.strip()]
    best = max(offers, key=lambda offer: _quality(offer, ranges))
    return best if _quality(best, ranges) > 0 else None


def takes_gzip(accept_encoding: str | None) -> bool:
    """Tell whether a client takes an answer compressed by gzip (RFC 9110, 12.5.3)."""
    qualities = dict(_parse(part) for part in (accept_encoding or "").split(",") if part.strip())
    return qualities.get("gzip", qualities.get("*", 0.0)) > 0


def _parse(part: str) -> tuple[str, float]:
    media_range, *parameters = (piece.strip().lower() for piece in part.split(";"))
    for parameter in parameters:
        name, _, value = parameter.partition("=")
        if name.strip() == "q":
            try:
                return media_range, float(value)
            except ValueError:
                return media_range, 0.0
    return media_range, 1.0


def _quality(offer: str, ranges: Sequence[tuple[str, float]]) -> float:
    kind = offer.partition("/")[0]
    for wanted in (offer, f"{kind}/*", "*/*"):
        qualities = [quality for media_range, quality in ranges if media_range == wanted]
        if qualities:
            return max(qualities)
    return 0.0


def allow(methods: Iterable[str]) -> str:
    """Return the Allow header of a resource; where there is GET there is HEAD."""
    names = set(methods)
    return ", ".join(sorted(names | {"HEAD"} if "GET" in names else names))
