"""A terminal of 80 columns with `pasyans`, or another program, in it, and what its screen shows."""

import codecs
import contextlib
import os
import select
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path

import pexpect
import pyte

from tests.support.waiting import is_asleep, until

PASYANS = str(Path(sys.executable).with_name("pasyans"))
_PATIENCE = 20.0
"""Seconds until a screen is given up that does not come."""


class Terminal:
    """A real process in a pseudo-terminal; `screen` is what a person would see."""

    def __init__(
        self,
        arguments: list[str],
        environment: Mapping[str, str],
        *,
        columns: int = 80,
        lines: int = 40,
        program: str = PASYANS,
    ) -> None:
        self._screen = pyte.Screen(columns, lines)
        self._stream = pyte.Stream(self._screen)
        self._process = pexpect.spawn(
            program, arguments, env=dict(environment), dimensions=(lines, columns), timeout=_PATIENCE
        )
        self._process.delaybeforesend = None
        self._decoder = codecs.getincrementaldecoder("utf-8")()
        self.raw = ""

    @property
    def screen(self) -> str:
        """The lines of the screen without the blanks at their ends."""
        return "\n".join(line.rstrip() for line in self._screen.display).rstrip()

    def colours(self, text: str) -> set[str]:
        """The colours of the first place where `text` is shown."""
        for y, line in enumerate(self._screen.display):
            if (x := line.find(text)) >= 0:
                return {self._screen.buffer[y][x + i].fg for i in range(len(text))}
        raise AssertionError(f"{text!r} is not on the screen:\n{self.screen}")

    def type(self, text: str) -> None:
        """Type a line."""
        self._process.sendline(text)

    def press(self, keys: str) -> None:
        """Press keys without the one that ends a line, once the program waits for something.

        Python's readline hears a Ctrl-C only then: what comes between its showing the prompt and its waiting is not
        heard before the next key.
        """
        until(lambda: is_asleep(self._process.pid), "the program waits", _PATIENCE)
        self._process.send(keys)

    def see(self, *texts: str) -> str:
        """Wait until the screen shows all of the texts, and return it."""
        return self.see_that(lambda screen: all(text in screen for text in texts), repr(texts))

    def see_prompt(self, *texts: str) -> str:
        """Wait until the screen shows all of the texts and then the prompt of `play`, and return it."""

        def ready(screen: str) -> bool:
            return screen.endswith("\n>") and all(text in screen for text in texts)

        return self.see_that(ready, repr(texts))

    def see_that(self, condition: Callable[[str], bool], what: str = "that") -> str:
        """Wait until a condition holds for the screen, and return it."""
        give_up = time.monotonic() + _PATIENCE
        while not condition(self.screen):
            assert time.monotonic() < give_up, f"{what} does not come; the screen is\n{self.screen}"
            if not self._read():
                assert condition(self.screen), f"pasyans ended before {what}; the screen is\n{self.screen}"
        return self.screen

    def end(self) -> int:
        """Wait until the process has ended, and return its exit code."""
        give_up = time.monotonic() + _PATIENCE
        while self._read():
            assert time.monotonic() < give_up, f"pasyans does not end; the screen is\n{self.screen}"
        self._process.wait()
        status = self._process.exitstatus
        assert isinstance(status, int), self._process.signalstatus
        return status

    def close(self) -> None:
        """End the process, if it still runs."""
        with contextlib.suppress(pexpect.ExceptionPexpect):
            self._process.close(force=True)

    def _read(self) -> bool:
        """Take what has been written; whether more may come.

        The terminal itself says when all has been read. That the process has ended does not: what it wrote just
        before may still lie there, and pexpect would leave it.
        """
        ready, _, _ = select.select([self._process.child_fd], [], [], 0.05)
        if not ready:
            return True
        try:
            written = os.read(self._process.child_fd, 65536)
        except OSError:  # EIO, as Linux tells the end
            written = b""
        text = self._decoder.decode(written)
        self.raw += text
        self._stream.feed(text)
        return bool(written)
