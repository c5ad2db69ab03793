"""Variants, rules pages and deals."""

import httpx
import pytest
from pasyans.deals.deal import deal
from pasyans.engine.families import rules_of
from pasyans.games.catalogue import VARIANTS

from tests.support.api import code, faults


def test_every_variant_is_listed_with_its_layout(http: httpx.Client) -> None:
    answer = http.get("/v1/variants")
    assert answer.headers["cache-control"] == "public, max-age=3600"
    page = answer.json()
    assert page["next"] is None
    assert [variant["id"] for variant in page["items"]] == list(VARIANTS)
    for variant in page["items"]:
        assert http.get(f"/v1/variants/{variant['id']}").json() == variant
        piles = [pile for zone in variant["layout"]["zones"] for pile in zone["piles"]]
        shown = [pile["id"] for pile in http.get(f"/v1/variants/{variant['id']}/deals/x").json()["piles"]]
        assert sorted(piles) == sorted(shown)


def test_one_variant_literally(http: httpx.Client) -> None:
    variant = http.get("/v1/variants/vokzal-36").json()
    assert (variant["rules"], variant["cards"], variant["redeals"]) == (1, 36, None)
    assert set(variant) == {"id", "name", "summary", "rules", "cards", "redeals", "layout"}
    assert set(variant["name"]) == set(variant["summary"]) == {"en", "ru"}
    zones = {zone["kind"]: zone["piles"] for zone in variant["layout"]["zones"]}
    assert zones == {
        "stock": ["s"],
        "waste": ["w"],
        "reserve": ["r"],
        "foundation": ["f1", "f2", "f3", "f4"],
        "tableau": ["t1", "t2", "t3", "t4"],
    }
    assert http.get("/v1/variants/court").json()["redeals"] == 2


def test_variants_come_page_by_page(http: httpx.Client) -> None:
    found: list[str] = []
    path = "/v1/variants?limit=3"
    while True:
        page = http.get(path)
        found += [variant["id"] for variant in page.json()["items"]]
        if page.json()["next"] is None:
            break
        path = page.links["next"]["url"]
    assert found == list(VARIANTS)


def test_an_unknown_variant_is_not_found(http: httpx.Client) -> None:
    for rest in ("", "/rules", "/deals/hello"):
        assert code(http.get(f"/v1/variants/klondike{rest}")) == "not-found"


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("lang", ["en", "ru"])
def test_the_rules_are_markdown_or_html(http: httpx.Client, variant: str, lang: str) -> None:
    path = f"/v1/variants/{variant}/rules?lang={lang}"
    name = http.get(f"/v1/variants/{variant}").json()["name"][lang]
    markdown = http.get(path)
    assert markdown.headers["content-type"] == "text/markdown; charset=utf-8"
    assert markdown.headers["vary"] == "Accept"
    assert markdown.headers["cache-control"] == "public, max-age=3600"
    assert markdown.headers["content-language"] == lang
    assert markdown.text.startswith(f"# {name}")
    html = http.get(path, headers={"Accept": "text/html"})
    assert html.headers["content-type"] == "text/html; charset=utf-8"
    assert f'<html lang="{lang}">' in html.text
    assert f"<h1>{name}" in html.text


def test_the_rules_are_english_unless_told_and_in_no_other_form(http: httpx.Client) -> None:
    assert http.get("/v1/variants/congress/rules").headers["content-language"] == "en"
    assert list(faults(http.get("/v1/variants/congress/rules?lang=de"))) == ["query.lang"]
    refused = http.get("/v1/variants/congress/rules", headers={"Accept": "application/json"})
    assert (refused.status_code, code(refused)) == (406, "not-acceptable")


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_deal_is_the_opening_that_the_engine_deals(http: httpx.Client, variant: str) -> None:
    shown = http.get(f"/v1/variants/{variant}/deals/Hello.1_~-")
    assert shown.headers["cache-control"] == "public, max-age=3600"
    body = shown.json()
    rules = rules_of(VARIANTS[variant])
    opening = deal(VARIANTS[variant], "Hello.1_~-")
    assert set(body) == {"variant", "rules", "seed", "piles", "legal_moves"}
    assert (body["variant"], body["rules"], body["seed"]) == (variant, 1, "Hello.1_~-")
    assert body["legal_moves"] == rules.legal_moves(opening)
    assert body["piles"] == [
        {"id": pile.id, "kind": pile.kind, "hidden": pile.hidden, "cards": pile.cards} for pile in rules.view(opening)
    ]


def test_a_deal_under_a_rules_number_is_kept_for_ever(http: httpx.Client) -> None:
    fixed = http.get("/v1/variants/court/deals/x?rules=1")
    assert fixed.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert fixed.json() == http.get("/v1/variants/court/deals/x").json()
    assert code(http.get("/v1/variants/court/deals/x?rules=2")) == "not-found"
    assert list(faults(http.get("/v1/variants/court/deals/x?rules=0"))) == ["query.rules"]
    assert list(faults(http.get("/v1/variants/court/deals/x?rules=1.0"))) == ["query.rules"]


@pytest.mark.parametrize("seed", ["a b", "a%2Bb", "x" * 65, "%D1%8F", "a%0A", "%2E%2E%0A"])
def test_a_seed_that_names_no_deal(http: httpx.Client, seed: str) -> None:
    assert list(faults(http.get(f"/v1/variants/court/deals/{seed}"))) == ["path.seed"]
