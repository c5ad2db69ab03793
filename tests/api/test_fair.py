"""The page about fair play: its example is true, it leaves nothing out, and it needs nothing from elsewhere."""

import re
import subprocess
from hashlib import sha256
from html import unescape

import httpx
import pytest
from pasyans.games.catalogue import VARIANTS
from pasyans_cli.commands.fairness import verify_deal
from pasyans_client.deals import opening

PREVENTED = [
    "Knowing a card before it is turned up.",
    "Changing the deal of a game that has begun.",
    "Trying what a draw would bring.",
    "Seeing a daily deal through somebody else.",
    "Choosing the best of several tries at a daily.",
    "Moves against the rules, and results without a game.",
    "Changing the past.",
    "Winning a race by copying.",
]
CHECKED = [
    "That the deal was not changed.",
    "That the cards are those of the seed.",
    "All of it at once.",
    "That a result is worth what it says.",
]
NOT_PREVENTED = [
    "A program that plays on the cards that are visible.",
    "Several accounts.",
    "Planning with the clock stopped elsewhere.",
    "Looking ahead by undo.",
    "Starting sealed games until an easy one comes.",
    "Choosing the seed.",
    "The operator.",
]


@pytest.fixture(scope="module")
def page(http: httpx.Client) -> str:
    answer = http.get("/fair")
    assert (answer.status_code, answer.headers["content-type"]) == (200, "text/html; charset=utf-8")
    assert answer.headers["cache-control"] == "public, max-age=3600"
    return answer.text


def section(page: str, title: str) -> str:
    """The HTML of a section."""
    (found,) = re.findall(rf"<h2>{title}</h2>\n(.*?)(?=<h2>|</body>)", page, re.DOTALL)
    return str(found)


def blocks(html: str) -> list[str]:
    """The blocks of code."""
    return [unescape(block).strip() for block in re.findall(r"<pre><code>(.*?)</code></pre>", html, re.DOTALL)]


def words(html: str) -> str:
    """The text on one line."""
    return " ".join(unescape(re.sub(r"<[^>]+>", "", html)).split())


@pytest.mark.parametrize(
    ("title", "points"),
    [
        ("What is prevented", PREVENTED),
        ("What can be checked, and how", CHECKED),
        ("What cannot be prevented", NOT_PREVENTED),
    ],
)
def test_each_section_makes_all_its_points(page: str, title: str, points: list[str]) -> None:
    assert re.findall(r"<strong>(.*?)</strong>", section(page, title)) == points


def test_it_says_what_undo_dailies_and_commitments_are_worth(page: str) -> None:
    text = words(section(page, "What cannot be prevented"))
    assert "undo=none is the clean board" in text
    assert "Dailies, and the boards of one seed, compare like with like." in text
    assert "A commitment proves that a deal was not changed, not how it was chosen." in text
    operator = words(section(page, "What the operator can see"))
    assert "the seed of every game, running ones included, and of every daily deal of the week to come" in operator


def test_the_commitment_of_the_example_is_true(page: str) -> None:
    example = section(page, "A worked example")
    (seed,) = set(re.findall(r"<p>The seed <code>([0-9a-f]{32})</code>", example))
    published, command, *_ = blocks(example)
    assert published == sha256(f"pasyans-commit-1/{seed}".encode()).hexdigest()
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, timeout=30, check=True)
    assert done.stdout.split()[0] == published
    assert 'SHA-256("pasyans-commit-1/" + seed), in lower-case hex' in blocks(page)


def test_the_deal_of_the_example_is_true(page: str, http: httpx.Client) -> None:
    example = section(page, "A worked example")
    (seed,) = re.findall(r"<p>The seed <code>([0-9a-f]{32})</code>", example)
    _, _, block, begin = blocks(example)
    assert bytes.fromhex(block) == sha256(f"pasyans-deal-1/104/{seed}/0/0".encode()).digest()
    text = words(example)
    word = int(block[:8], 16)
    ordered = [rank + suit for suit in "CDHS" for rank in "A23456789TJQK"] * 2
    assert word < 2**32 - 2**32 % 104
    assert f"Its first word is {word}, and modulo 104 that is {word % 104}: so card 103" in text
    assert f"card {word % 104} of the ordered pack, {ordered[word % 104]}." in text
    # The client's deals are code of their own.
    piles = opening("forty-thieves", seed)
    assert begin.split() == [piles[f"t{column}"][0] for column in range(1, 11)]
    assert f"The stock begins with card 40, {piles['s'][-1]}: " in text
    shown = http.get(f"/v1/variants/forty-thieves/deals/{seed}").json()["piles"]
    assert [pile["cards"][0] for pile in shown if pile["kind"] == "tableau"] == begin.split()


def test_the_packs_are_those_of_the_games(page: str) -> None:
    (told,) = re.findall(r"The pack is (.*?), and 104 in all others\.", words(page))
    packs = {variant: pack for pack, names in re.findall(r"(\d+) in ([a-z0-9 -]+)", told) for variant in names.split()}
    packs.pop("and")
    assert packs == {id_: variant.pack for id_, variant in VARIANTS.items() if variant.pack != "104"}


def test_the_command_takes_the_options_that_are_named(page: str) -> None:
    assert "pasyans verify-deal GAME" in blocks(page)
    assert "pasyans show last --json > start.json\npasyans verify-deal last --before start.json" in blocks(page)
    options = {option for parameter in verify_deal.params for option in parameter.opts}
    assert set(re.findall(r"--[a-z]+", words(page))) == {"--commitment", "--before", "--json"}
    assert options >= {"--commitment", "--before", "--json"}


def test_its_links_lead_somewhere(page: str, http: httpx.Client) -> None:
    links = re.findall(r'href="([^"]*)"', page)
    assert len(links) == 4
    for link in links:
        assert link.startswith("/")
        assert http.get(link).status_code == 200


def test_it_takes_nothing_from_elsewhere_and_runs_nothing(page: str) -> None:
    assert "<style>" in page
    assert re.findall(r"<(script|link|img|iframe|object|embed|form|base)\b", page) == []
    assert re.findall(r"\b(src|srcset|action|on[a-z]+)=|url\(|@import|https?:|[\"'(]//", page) == []
    assert '<html lang="en">' in page
    assert "<title>Fair play — Pasyans</title>" in page
    assert "$" not in page
