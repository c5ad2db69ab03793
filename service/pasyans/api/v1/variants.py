"""Variants and their rules pages."""

from typing import Annotated, Final, Literal, cast

from litestar import Response, get
from litestar.datastructures import ResponseHeader
from litestar.params import PathParameter, QueryParameter
from msgspec import Meta

from pasyans.api import cursor as cursors
from pasyans.api.answers import HOUR, answer, link_next
from pasyans.api.pages import markdown_page
from pasyans.api.problems import NotFound
from pasyans.api.requests import ApiRequest
from pasyans.api.schemas.common import Text, VariantId
from pasyans.api.schemas.variants import Fan, Layout, PileKind, Variant, VariantPage, Zone
from pasyans.api.v1.parameters import LINK, VARY, CursorText, Limit
from pasyans.engine import variant as engine
from pasyans.engine.families import rules_of
from pasyans.games import catalogue

_TAGS: Final = ["Variants and deals"]
_LIST: Final = "variants"
_MARKDOWN: Final = "text/markdown"
_HTML: Final = "text/html"
_LANGUAGE: Final = ResponseHeader(
    name="Content-Language", description="The language of the page.", documentation_only=True
)

VariantsCursor = Annotated[
    Annotated[CursorText, Meta(extra={"check": cursors.checked(_LIST, cursors.decode)})] | None, QueryParameter()
]

VariantPath = Annotated[VariantId, PathParameter(name="variant")]
Language = Annotated[
    Literal["en", "ru"], QueryParameter(), Meta(description="The language of the page.", examples=["en"])
]


def variant_of(variant_id: str, rules: int | None = None) -> engine.Variant:
    """Return a variant.

    Raises:
        NotFound: there is none, or none under that rules number.
    """
    try:
        return catalogue.variant(variant_id, rules)
    except catalogue.UnknownVariant as error:
        raise NotFound(str(error)) from error


@get(
    "/v1/variants",
    operation_id="listVariants",
    summary="List the variants",
    tags=_TAGS,
    errors=(),
    response_headers=[LINK],
)
async def listed(request: ApiRequest, limit: Limit = 50, cursor: VariantsCursor = None) -> Response[VariantPage]:
    """List every kind of solitaire that can be played, by id."""
    after = "" if cursor is None else cursors.decode(_LIST, cursor)
    found = [variant for id_, variant in catalogue.VARIANTS.items() if id_ > after]
    items = found[:limit]
    following = cursors.encode(_LIST, items[-1].id) if len(found) > limit else None
    page = VariantPage([_shown(variant) for variant in items], following)
    return answer(page, {**HOUR, **link_next(request, "cursor", following)})


@get(
    "/v1/variants/{variant:str}",
    operation_id="getVariant",
    summary="Show a variant",
    tags=_TAGS,
    errors=(NotFound,),
)
async def one(request: ApiRequest, variant: VariantPath) -> Response[Variant]:  # noqa: ARG001
    """Show a kind of solitaire, with all that a client needs to draw it."""
    return answer(_shown(variant_of(variant)), HOUR)


@get(
    "/v1/variants/{variant:str}/rules",
    operation_id="getRules",
    summary="Read the rules",
    tags=_TAGS,
    errors=(NotFound,),
    forms=(_MARKDOWN, _HTML),
    response_headers=[VARY, _LANGUAGE],
)
async def rules(request: ApiRequest, variant: VariantPath, lang: Language = "en") -> Response[str]:
    """Read how a variant is played: Markdown, or HTML where the client likes that better."""
    found = variant_of(variant)
    form = request.scope["state"]["form"]
    page = catalogue.rules_page(found.id, lang)
    title = found.name.ru if lang == "ru" else found.name.en
    text = markdown_page(page, title, lang) if form == _HTML else page
    headers = {**HOUR, "Vary": "Accept", "Content-Language": lang}
    return Response(text, media_type=form, headers=headers)


def _shown(variant: engine.Variant) -> Variant:
    layout = rules_of(variant).layout
    zones = [
        Zone(
            zone.id,
            cast("PileKind", zone.kind),
            _text(zone.name),
            cast("Fan", zone.fan),
            list(zone.piles),
            zone.row,
            zone.column,
            zone.rows,
            zone.columns,
        )
        for zone in layout.zones
    ]
    return Variant(
        variant.id,
        _text(variant.name),
        _text(variant.summary),
        variant.rules,
        variant.cards,
        variant.redeals,
        Layout(layout.rows, layout.columns, zones),
    )


def _text(text: engine.Text) -> Text:
    return Text(text.en, text.ru)
