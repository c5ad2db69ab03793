"""The signals that say stop, heard whatever the main thread is doing."""

from __future__ import annotations

import os
import select
import signal
import threading
from types import FrameType, TracebackType
from typing import Self

_STOP = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)


class StopSignals:
    """SIGTERM, SIGINT and the end of the terminal, as something that a thread can wait for.

    A handler in Python runs only when the main thread gets round to it, and one that waits for a lock may not:
    two signals in a row were seen to be slept through. The interpreter writes each signal into a pipe at once.
    """

    def __init__(self) -> None:
        self._heard = threading.Event()
        self._reader, self._writer = os.pipe()
        os.set_blocking(self._reader, False)
        os.set_blocking(self._writer, False)
        self._hangup_is_ignored = signal.getsignal(signal.SIGHUP) == signal.SIG_IGN

    def take(self) -> None:
        """Listen from now on, in the place of whatever handlers there are. Call it from the main thread."""
        for number in _STOP:
            # A service that was started to outlive its terminal does.
            ignored = number == signal.SIGHUP and self._hangup_is_ignored
            signal.signal(number, signal.SIG_IGN if ignored else _leave_it_to_the_pipe)
        signal.set_wakeup_fd(self._writer, warn_on_full_buffer=False)
        os.register_at_fork(after_in_child=_forget)

    def wait(self, seconds: float) -> bool:
        """Whether a signal has come, waiting so long for one at most."""
        if not self._heard.is_set() and select.select([self._reader], [], [], seconds)[0]:
            received = os.read(self._reader, 64)
            if any(number in received for number in _STOP):
                self._heard.set()
        return self._heard.is_set()

    def rouse(self) -> None:
        """End a wait, without there having been a signal."""
        os.write(self._writer, b"\0")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        # The handlers stay: what is left to do then is to stop, which a second signal must not cut short.
        signal.set_wakeup_fd(-1)
        os.close(self._reader)
        os.close(self._writer)


def _leave_it_to_the_pipe(_number: int, _frame: FrameType | None) -> None:
    pass


def _forget() -> None:
    """In a new worker: what comes before it stands must end it, and not reach its parent through the pipe.

    Ctrl-C in a terminal reaches every process of the service; the parent alone decides what follows.
    """
    signal.set_wakeup_fd(-1)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
