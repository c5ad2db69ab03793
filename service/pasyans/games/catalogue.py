"""The catalogue: every game there is, found by looking through this folder.

A module of this folder that defines ``GAME`` is a game; its rules pages lie beside it under the module's name.
"""

from functools import cache
from importlib import import_module
from importlib.resources import files
from pkgutil import iter_modules
from types import MappingProxyType
from typing import Final

from pasyans import games
from pasyans.engine.variant import Variant

LANGUAGES: Final = ("en", "ru")


class UnknownVariant(LookupError):
    """There is no game of that id, or none under that rules number."""


def _found() -> dict[str, tuple[str, Variant]]:
    modules = {
        info.name: import_module(f"{games.__name__}.{info.name}")
        for info in iter_modules(games.__path__)
        if info.name != "catalogue"
    }
    found = {module.GAME.id: (name, module.GAME) for name, module in modules.items()}
    return dict(sorted(found.items()))


_FOUND: Final = _found()

VARIANTS: Final = MappingProxyType({id_: variant for id_, (_, variant) in _FOUND.items()})
"""Every variant by its id, in the order of the ids."""


def variant(id_: str, rules: int | None = None) -> Variant:
    """Return a variant, under its current rules number unless told.

    Raises:
        UnknownVariant: there is none.
    """
    found = VARIANTS.get(id_)
    if found is None:
        raise UnknownVariant(f"There is no variant {id_!r}; there are: {', '.join(VARIANTS)}.")
    if rules is not None and rules != found.rules:
        raise UnknownVariant(f"{id_} has no rules number {rules}; there is: {found.rules}.")
    return found


@cache
def rules_page(id_: str, language: str) -> str:
    """Return the rules page of a variant, in Markdown; ``language`` is one of `LANGUAGES`.

    Raises:
        UnknownVariant: there is no such variant.
    """
    variant(id_)
    return files(games).joinpath(f"{_FOUND[id_][0]}.{language}.md").read_text("utf-8")
