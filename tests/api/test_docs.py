"""The page to try the API on: in a browser, from this service alone."""

import gzip
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

import httpx
import pytest
from pasyans.api import docs
from pasyans.api.v1.routes import HANDLERS
from playwright.sync_api import Page, expect

from tests.support.api import Player, code
from tests.support.browser import browser
from tests.support.service import Service

WITHIN = 60_000  # milliseconds
VENDORED = docs.ASSETS / "swagger-ui"


@dataclass
class Visit:
    """The page in a browser, and what became of it."""

    page: Page
    requests: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)


@pytest.fixture(scope="module")
def visit(service: Service) -> Iterator[Visit]:
    with browser() as chromium:
        page = chromium.new_page(viewport={"width": 1280, "height": 1000})
        found = Visit(page)
        page.on("request", lambda request: found.requests.append(request.url))
        page.on("requestfailed", lambda request: found.errors.append(f"{request.url}: {request.failure}"))
        page.on("console", lambda message: found.errors.append(message.text) if message.type != "log" else None)
        page.on("pageerror", lambda error: found.errors.append(str(error)))
        page.goto(f"{service.url}/docs", timeout=WITHIN)
        expect(page.locator(".opblock").first).to_be_visible(timeout=WITHIN)
        yield found


def test_the_page_lists_every_operation_and_asks_nobody_else(visit: Visit, service: Service) -> None:
    assert visit.page.locator(".opblock").count() == len(HANDLERS)
    listed = "".join(visit.page.locator(".opblock-summary-path").all_inner_texts()).replace("\u200b", "")
    for handler in HANDLERS:
        (path,) = handler.paths
        assert path.replace(":str}", "}") in listed
    assert len(visit.requests) >= 6
    assert [url for url in visit.requests if not url.startswith((f"{service.url}/", "data:"))] == []
    assert visit.errors == []


def test_an_operation_is_tried_and_answered(visit: Visit) -> None:
    operation = visit.page.locator("[id$='-getDeal']")
    operation.locator(".opblock-summary-control").click()
    operation.get_by_role("button", name="Try it out").click()
    operation.get_by_role("button", name="Execute").click()
    answer = operation.locator(".live-responses-table .response").first
    expect(answer.locator(".response-col_status")).to_contain_text("200", timeout=WITHIN)
    expect(answer).to_contain_text('"legal_moves"', timeout=WITHIN)
    assert visit.errors == []


def test_an_operation_is_tried_with_a_token_and_a_body(visit: Visit, player: Player) -> None:
    page = visit.page
    page.get_by_role("button", name="Authorize").first.click()
    scheme = page.locator(".auth-container").filter(has_text="The token of a player")
    scheme.locator("input").fill(player.token)
    scheme.get_by_role("button", name="Apply").click()
    page.get_by_role("button", name="Close").first.click()
    operation = page.locator("[id$='-startGame']")
    operation.locator(".opblock-summary-control").click()
    operation.get_by_role("button", name="Try it out").click()
    operation.get_by_role("button", name="Execute").click()
    answer = operation.locator(".live-responses-table .response").first
    expect(answer.locator(".response-col_status")).to_contain_text("201", timeout=WITHIN)
    expect(answer).to_contain_text(f'"player": "{player.name}"', timeout=WITHIN)
    assert visit.errors == []


# ---- without a browser


def files(http: httpx.Client) -> list[str]:
    return re.findall(r'(?:src|href)="(/docs/[^"]+)"', http.get("/docs").text)


def test_the_first_page_leads_to_the_others(http: httpx.Client) -> None:
    page = http.get("/").text
    assert "<title>Solitaire as a service — Pasyans</title>" in page
    for path in ("/docs", "/problems", "/fair"):
        assert f'<a href="{path}">' in page
        assert http.get(path).status_code == 200


def test_the_page_names_files_that_are_kept_for_ever(http: httpx.Client) -> None:
    assert {url.rpartition("/")[2] for url in files(http)} == set(docs.FILES)
    for url in files(http):
        path, media_type = docs.FILES[url.rpartition("/")[2]]
        plain = http.get(url, headers={"Accept-Encoding": "identity"})
        assert plain.content == path.read_bytes()
        assert plain.headers["content-type"].partition(";")[0] == media_type
        assert plain.headers["cache-control"] == "public, max-age=31536000, immutable"
        with httpx.stream("GET", http.base_url.join(url), headers={"Accept-Encoding": "br, gzip"}) as packed:
            raw = b"".join(packed.iter_raw())
        assert (packed.headers["content-encoding"], packed.headers["vary"]) == ("gzip", "Accept-Encoding")
        assert gzip.decompress(raw) == plain.content
        assert len(raw) < len(plain.content) or len(plain.content) < 500


def test_the_document_is_compressed_for_who_takes_it(http: httpx.Client) -> None:
    plain = http.get("/v1/openapi.json", headers={"Accept-Encoding": "gzip;q=0, identity"})
    assert "content-encoding" not in plain.headers
    assert plain.headers["vary"] == "Accept-Encoding"
    packed = http.get("/v1/openapi.json", headers={"Accept-Encoding": "gzip"})
    assert packed.headers["content-encoding"] == "gzip"
    assert int(packed.headers["content-length"]) < int(plain.headers["content-length"]) / 5
    assert packed.content == plain.content


@pytest.mark.parametrize("path", ["/docs/000000000000/docs.js", f"/docs/{docs.version()}/docs.py"])
def test_a_file_that_there_is_not(http: httpx.Client, path: str) -> None:
    assert code(http.get(path)) == "not-found"


def test_another_content_has_another_path(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    changed = tmp_path / "docs.js"
    changed.write_text("changed")
    monkeypatch.setitem(docs.FILES, "docs.js", (changed, "text/javascript"))
    assert docs.version.__wrapped__() != docs.version()


def test_the_page_may_talk_to_its_own_origin_alone(http: httpx.Client) -> None:
    policy = dict(
        each.strip().split(" ", 1) for each in http.get("/docs").headers["content-security-policy"].split(";")
    )
    assert policy["default-src"] == "'self'"
    assert "script-src" not in policy
    assert "connect-src" not in policy
    assert not re.search(r"<script(?![^>]* src=)", http.get("/docs").text)


def test_the_viewer_is_the_one_that_was_published() -> None:
    lines = [line.split() for line in (VENDORED / "SHA256SUMS").read_text().splitlines()]
    sums = {name: digest for digest, name in lines}
    assert {name: sha256((VENDORED / name).read_bytes()).hexdigest() for name in sums} == sums
    assert set(sums) | {"README.md", "SHA256SUMS"} == {path.name for path in VENDORED.iterdir()}
    assert "Apache License" in (VENDORED / "LICENSE").read_text()
