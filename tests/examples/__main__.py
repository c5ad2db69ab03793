"""Play the story of the examples and write its answers anew: `python -m tests.examples`, then `git diff`.

An example without an answer is given one. A text in which something is left out (`…`) stays where it still fits.
"""

import sys
from pathlib import Path

from pasyans.api.examples import Example

from tests.examples.story import files, fits, stage, story


def main() -> int:
    """Write the files of examples."""
    answered: dict[str, Example] = {}
    with stage() as played:
        for example in story():
            answer = played.play(example)
            kept = example.answer if example.answer is not None and fits(answer, example.answer) else answer
            answered[example.at] = Example(example.at, example.title, example.given, example.request, kept)
    for path, found in files().items():
        write(path, [answered[each.at] for each in found])
    return 0


def write(path: Path, found: list[Example]) -> None:
    """Write a file of examples."""
    text = "\n\n\n".join(str(each) for each in sorted(found, key=lambda each: each.at)) + "\n"
    if path.read_text("utf-8") != text:
        path.write_text(text, "utf-8")
        print(f"{path.name} written.")


if __name__ == "__main__":
    sys.exit(main())
