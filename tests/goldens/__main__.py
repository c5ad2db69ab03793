"""Make the golden playthroughs of every game anew: `python -m tests.goldens`, then `git diff` shows what changed.

With `--check` nothing is written; it says which are out of date, and ends with 1 when one is.
"""

import argparse
import sys

from pasyans.games.catalogue import VARIANTS

from tests.goldens.playthrough import path_of, playthrough


def main() -> int:
    """Write the goldens, or compare them."""
    parser = argparse.ArgumentParser(prog="python -m tests.goldens", description=__doc__)
    parser.add_argument("--check", action="store_true", help="compare only")
    is_check = parser.parse_args().check
    stale = 0
    for variant in VARIANTS:
        path, text = path_of(variant), playthrough(variant)
        if path.exists() and path.read_text("utf-8") == text:
            continue
        stale += 1
        if is_check:
            print(f"{path.name} is out of date." if path.exists() else f"{path.name} is missing.", file=sys.stderr)
        else:
            path.write_text(text, "utf-8")
            print(f"{path.name} written.")
    return 1 if is_check and stale else 0


if __name__ == "__main__":
    sys.exit(main())
