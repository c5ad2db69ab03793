"""Deals: the opening of any public seed, and what the games on it came to."""

from typing import Annotated, Final

from litestar import Response, get
from litestar.params import PathParameter, QueryParameter

from pasyans.api import standings
from pasyans.api.answers import FOR_EVER, FRESH, HOUR, answer
from pasyans.api.problems import NotFound
from pasyans.api.requests import ApiRequest
from pasyans.api.schemas.boards import DealStats
from pasyans.api.schemas.common import RulesNumber, Seed
from pasyans.api.schemas.variants import Deal
from pasyans.api.v1.variants import VariantPath, variant_of
from pasyans.api.views import piles
from pasyans.deals.deal import deal
from pasyans.engine.families import rules_of

_TAGS: Final = ["Variants and deals"]

SeedPath = Annotated[Seed, PathParameter(name="seed")]
RulesQuery = Annotated[RulesNumber | None, QueryParameter(name="rules")]


@get(
    "/v1/variants/{variant:str}/deals/{seed:str}",
    operation_id="getDeal",
    summary="Show a deal",
    tags=_TAGS,
    errors=(NotFound,),
)
async def one(
    request: ApiRequest,  # noqa: ARG001
    variant: VariantPath,
    seed: SeedPath,
    rules_number: RulesQuery = None,
) -> Response[Deal]:
    """Show how a deal opens, as a player sees it. The same variant and seed give the same cards for ever."""
    found = variant_of(variant, rules_number)
    rules = rules_of(found)
    opening = deal(found, seed)
    shown = Deal(found.id, found.rules, seed, piles(rules.view(opening)), rules.legal_moves(opening))
    return answer(shown, HOUR if rules_number is None else FOR_EVER)


@get(
    "/v1/variants/{variant:str}/deals/{seed:str}/stats",
    operation_id="getDealStats",
    summary="Show what a deal's games came to",
    tags=_TAGS,
    errors=(NotFound,),
)
async def stats(
    request: ApiRequest, variant: VariantPath, seed: SeedPath, rules_number: RulesQuery = None
) -> Response[DealStats]:
    """Show how many shared games on a deal were won or lost, and the best of them.

    They are those under the present number of the rules, unless another is given.
    """
    found = variant_of(variant, rules_number)
    return answer(await standings.deal_stats(request.deps.store, found.id, found.rules, seed), FRESH)
