"""Make the picture in the guide to front ends anew: `python -m tests.docs`."""

import tempfile
from pathlib import Path

from tests.docs.guide import PICTURE, drawn, files, imported

with tempfile.TemporaryDirectory() as folder:
    source = Path(folder) / "table.py"
    source.write_text(files("python")["table.py"], "utf-8")
    with imported(source) as table:
        PICTURE.write_text(drawn(table), "utf-8")
