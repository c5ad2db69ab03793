"""From a variant to its rules."""

from functools import cache

from pasyans.engine.grids import GridRules
from pasyans.engine.piles import PileRules
from pasyans.engine.rules import Rules
from pasyans.engine.variant import GridVariant, PileVariant, Variant


@cache
def rules_of(variant: Variant) -> Rules:
    """Return the rules of ``variant``, made once.

    Raises:
        TypeError: ``variant`` is of no known family.
    """
    if isinstance(variant, PileVariant):
        return PileRules(variant)
    if isinstance(variant, GridVariant):
        return GridRules(variant)
    raise TypeError(f"{type(variant).__name__} is no known family of games.")
