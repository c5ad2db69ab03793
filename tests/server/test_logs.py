"""The log: its form, and what never gets into it."""

import json
import subprocess
import sys

import pytest

_TOKEN = "pasyans_ro35YTX3Q9Lk43kItLuye-ej0Hdwlhrw7jzmOZvHRDA"

_SCRIPT = """
import logging, structlog, sys
from pasyans.server import logs
logs.configure("info", sys.argv[1])
log = structlog.get_logger("test")
log.debug("too little")
log.info("told", authorization="Bearer hidden", url="postgresql://u:hidden@h/d", number=7, path="/x", token="hidden")
log.warning("nested", headers={"Cookie": "hidden", "Accept": "x"}, urls=["postgresql://u:hidden@h/d", "http://h/x"])
log.error("said: Bearer hidden, and TOKEN, of héllo")
logging.getLogger("another.library").warning("at %s", "postgresql://u:hidden@h/d")
logging.getLogger("another.library").debug("too little")
try:
    raise ValueError("no postgresql://u:hidden@h/d with TOKEN")
except ValueError:
    log.exception("failed")
    logging.getLogger("another.library").exception("failed too")
"""


def logged(form: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", _SCRIPT.replace("TOKEN", _TOKEN), form], capture_output=True, text=True, check=True
    )
    assert done.stdout == ""
    return done.stderr


def test_each_event_is_one_line_of_json_on_stderr() -> None:
    events = [json.loads(line) for line in logged("json").splitlines()]
    assert [event["event"].split(":")[0] for event in events] == [
        "told", "nested", "said", "at postgresql", "failed", "failed too",
    ]  # fmt: skip
    first = events[0]
    assert first.pop("timestamp").endswith("Z")
    assert first == {
        "event": "told",
        "level": "info",
        "authorization": "***",
        "url": "postgresql://u:***@h/d",
        "number": 7,
        "path": "/x",
        "token": "***",
    }
    assert events[1]["headers"] == {"Cookie": "***", "Accept": "x"}
    assert events[1]["urls"] == ["postgresql://u:***@h/d", "http://h/x"]
    assert events[2]["event"] == "said: Bearer ***, and ***, of héllo"
    assert (events[3]["logger"], events[3]["level"]) == ("another.library", "warning")
    assert "ValueError" in events[4]["exception"]


@pytest.mark.parametrize("form", ["json", "console"])
def test_no_secret_is_in_it(form: str) -> None:
    text = logged(form)
    assert "failed too" in text
    assert "ValueError" in text
    assert "hidden" not in text
    assert _TOKEN not in text
    assert "too little" not in text
