"""A real browser, for pages: Debian's chromium, driven by playwright."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, sync_playwright

from tests.support.needs import missing

NAMES = ("chromium", "chromium-browser", "google-chrome")


@contextmanager
def browser() -> Iterator[Browser]:
    """A browser. Without one the test is skipped, but not where CI says that everything is there."""
    path = next(filter(None, map(shutil.which, NAMES)), None)
    if path is None:
        missing("There is no browser: install chromium (apt-get install chromium).")
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        try:
            yield chromium
        finally:
            chromium.close()
