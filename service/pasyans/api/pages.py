"""Pages for people: plain HTML, readable without any style sheet."""

from base64 import b64encode
from collections.abc import Iterable
from hashlib import sha256
from html import escape
from typing import Final

from markdown_it import MarkdownIt

_MARKDOWN: Final = MarkdownIt("commonmark", {"html": False}).enable("table")
_STYLE: Final = (
    "body{max-width:44rem;margin:2rem auto;padding:0 1rem;font:1rem/1.5 sans-serif;color-scheme:light dark}"
    "pre{overflow-x:auto}"
)

CSP: Final = (
    f"default-src 'none'; style-src 'sha256-{b64encode(sha256(_STYLE.encode()).digest()).decode()}'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""The Content-Security-Policy under which a page has its style, and nothing else is loaded or run."""


def page(title: str, body: str, language: str = "en") -> str:
    """Return an HTML document; ``body`` is HTML already, ``title`` is not."""
    return (
        f'<!doctype html>\n<html lang="{language}">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)} — Pasyans</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n{body}</body>\n</html>\n"
    )


def markdown_page(text: str, title: str, language: str) -> str:
    """Return a Markdown text as an HTML document."""
    return page(title, _MARKDOWN.render(text), language)


def paragraphs(heading: str, texts: Iterable[str]) -> str:
    """Return a heading and paragraphs of plain text as HTML."""
    return f"<h1>{escape(heading)}</h1>\n" + "".join(f"<p>{escape(text)}</p>\n" for text in texts)
