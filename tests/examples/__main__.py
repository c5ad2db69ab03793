"""Play the story of the examples and write its answers anew: `python -m tests.examples`, then `git diff`.

An example without an answer is given one. A text in which something is left out (`…`) stays where it still fits.
"""

import json
import sys
from pathlib import Path

import msgspec
from pasyans.api.examples import LEFT_OUT, Example, Part

from tests.examples.story import files, fits, pretty, stage, story


def main() -> int:
    """Write the files of examples."""
    answered: dict[str, Example] = {}
    with stage() as played:
        for example in story():
            answer = played.play(example)
            request = msgspec.structs.replace(example.request, body=written(example.request))
            answered[example.at] = msgspec.structs.replace(
                example, request=request, answer=shown(answer, example.answer)
            )
    for path, found in files().items():
        write(path, [answered[each.at] for each in found])
    return 0


def written(request: Part) -> str:
    """The body of a request as examples write it."""
    is_json = request.headers.get("Content-Type") == "application/json"
    return pretty(json.loads(request.body)) if is_json else request.body


def shown(answer: Part, before: Part | None) -> Part:
    """What an example is to show of an answer: with the same left out as before, where that still fits."""
    if before is None or not (before.body == LEFT_OUT or fits(answer, before)):
        return answer
    return Part(answer.line, answer.headers, before.body)


def write(path: Path, found: list[Example]) -> None:
    """Write a file of examples."""
    text = "\n\n\n".join(str(each) for each in sorted(found, key=lambda each: each.at)) + "\n"
    if path.read_text("utf-8") != text:
        path.write_text(text, "utf-8")
        print(f"{path.name} written.")


if __name__ == "__main__":
    sys.exit(main())
