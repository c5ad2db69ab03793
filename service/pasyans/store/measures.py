"""What the store tells of its appends to whoever measures them."""

from typing import Protocol


class Measures(Protocol):
    """Called with each append or commit; must be quick, and never fails."""

    def waiting(self, appends: int) -> None:
        """So many appends wait now."""

    def committed(self, appends: int, won: int, seconds: float) -> None:
        """A group of appends was committed in so many seconds; those that did not win met a conflict."""

    def failed(self, appends: int) -> None:
        """The database did not take these appends."""

    def refused(self) -> None:
        """An append was refused because too many were waiting."""


class Unmeasured:
    """Measures nothing."""

    def waiting(self, appends: int) -> None:
        """See `Measures`."""

    def committed(self, appends: int, won: int, seconds: float) -> None:
        """See `Measures`."""

    def failed(self, appends: int) -> None:
        """See `Measures`."""

    def refused(self) -> None:
        """See `Measures`."""
