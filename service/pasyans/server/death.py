"""That the processes we start end when we do, also when we are killed with -9 and can no longer see to it."""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable

_PR_SET_PDEATHSIG = 1
# The reader of a pipe sees its end when the last writer, which is us, is gone.
_WATCHDOG = "import os, signal, sys; sys.stdin.buffer.read(); os.kill(int(sys.argv[1]), signal.SIGINT)"


def interrupt_with_parent() -> Callable[[], None] | None:
    """A `preexec_fn` that has the kernel send SIGINT, PostgreSQL's fast shutdown, when our thread ends.

    `None` where the kernel cannot do so (only Linux can); `watch` is for there. The child must be started
    from the main thread, since it is the starting thread's end that counts.
    """
    if sys.platform != "linux":
        return None
    libc = ctypes.CDLL(None)
    parent = os.getpid()

    def ask_kernel() -> None:
        libc.prctl(_PR_SET_PDEATHSIG, signal.SIGINT)
        if os.getppid() != parent:  # it ended before the request was made
            os._exit(1)

    return ask_kernel


def watch(pid: int) -> subprocess.Popen[bytes]:
    """Start a process that sends SIGINT to `pid` when we end in any way. End it first in an orderly stop."""
    return subprocess.Popen(
        [sys.executable, "-I", "-S", "-c", _WATCHDOG, str(pid)],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )


def end_with(parent: int) -> None:
    """End this process at once when `parent`, which started it, ends: a worker alone would only hold the port."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    else:
        threading.Thread(target=_poll, args=(parent,), daemon=True).start()
    if os.getppid() != parent:
        os._exit(1)


def _poll(parent: int) -> None:
    pause = threading.Event()
    while os.getppid() == parent:
        pause.wait(1)
    os._exit(1)
