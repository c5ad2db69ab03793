"""What a machine may lack: then a test is skipped; with `CI=true` it fails."""

import os
from typing import NoReturn

import pytest


def missing(what: str) -> NoReturn:
    """End the test for want of something, which the sentence names."""
    if os.environ.get("CI") == "true":
        pytest.fail(what)
    pytest.skip(what)
