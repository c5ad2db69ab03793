"""The page about fair play: what is prevented, what can be checked, and what neither holds for.

Its text is `fair.md`; the figures of its example are worked out here, so that they cannot be wrong.
"""

from functools import cache
from hashlib import sha256
from importlib import resources
from string import Template
from typing import Final

from litestar import Response, get

from pasyans.api.answers import HOUR
from pasyans.api.pages import markdown_page
from pasyans.deals.seeds import commitment
from pasyans.deals.stream import shuffled
from pasyans.engine.cards import CARD_NAMES, PACKS

EXAMPLE: Final = "8c2f6d1e0b7a4953e6f1d08a92b47c35"
"""The seed of the worked example, such as the service draws them."""


@cache
def fair_page() -> str:
    """Return the page, with the figures of its example worked out."""
    block = sha256(f"pasyans-deal-1/104/{EXAMPLE}/0/0".encode("ascii")).digest()
    word = int.from_bytes(block[:4], "big")
    pack = PACKS["104"]
    cards = [CARD_NAMES[card] for card in shuffled(pack, "104", EXAMPLE)]
    text = Template(resources.files("pasyans.api").joinpath("fair.md").read_text("utf-8")).substitute(
        seed=EXAMPLE,
        commitment=commitment(EXAMPLE),
        block=block.hex(),
        word=word,
        index=word % 104,
        swapped=CARD_NAMES[pack[word % 104]],
        begin=" ".join(cards[:10]),
        first=cards[40],
    )
    return markdown_page(text, "Fair play", "en")


@get("/fair")
async def fair() -> Response[str]:
    """Say what is fair about the deals, and what nobody can promise."""
    return Response(fair_page(), media_type="text/html", headers=HOUR)
