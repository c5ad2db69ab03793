"""What the API tells of its requests to whoever measures them."""

from typing import Protocol


class Measures(Protocol):
    """Called with each request; must be quick, and never fails."""

    def began(self) -> None:
        """Take note that a request has come."""

    def streams(self) -> None:
        """Take note that the request goes on as a stream, which may be open for hours."""

    def ended(self, route: str | None, method: str, status: int | None, seconds: float | None) -> None:
        """Take note that a request is through, whatever has become of it.

        ``route`` is the template of its path where one was found, ``status`` that of the answer if one began, and
        ``seconds`` what it took, ``None`` for a stream.
        """


class Unmeasured:
    """Measures nothing."""

    def began(self) -> None:
        """See `Measures`."""

    def streams(self) -> None:
        """See `Measures`."""

    def ended(self, route: str | None, method: str, status: int | None, seconds: float | None) -> None:
        """See `Measures`."""
