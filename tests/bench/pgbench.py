"""pgbench, the yardstick of durable writes: one row a transaction, on the same server."""

import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, NamedTuple
from urllib.parse import unquote, urlsplit

from tests.bench.harness import NotMeasured
from tests.bench.stage import Stage
from tests.support.sql import query

_DEBIAN: Final = Path("/usr/lib/postgresql")

HOW_TO_GET_IT: Final = (
    "pgbench is not here, and nothing else is taken in its place. It comes with PostgreSQL's server programs: "
    "`apt-get install postgresql` on Debian and Ubuntu, `dnf install postgresql-contrib` on Fedora, "
    "`brew install postgresql` on a Mac; or put its folder on the PATH."
)

# As wide as a row of a game's log.
_TABLE: Final = """
CREATE TABLE yardstick (
    at timestamptz NOT NULL, n int4 NOT NULL, client int4 NOT NULL, body text NOT NULL,
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY
)
"""
_SCRIPT: Final = f"""
\\set n random(1, 1000000)
INSERT INTO yardstick (at, n, client, body) VALUES (now(), :n, :client_id, '{"x" * 64}');
"""


class Inserts(NamedTuple):
    """What pgbench says: rows inserted, how many of them a second, and the mean time of one in milliseconds."""

    rows: int
    rate: float
    mean_ms: float


def find() -> Path:
    """Where pgbench is. Raises `NotMeasured`."""
    folders = [Path(os.environ["PASYANS_PG_BIN"])] if os.environ.get("PASYANS_PG_BIN") else []
    # Debian's own on the PATH is a script that looks for the one of a cluster.
    folders += sorted(_DEBIAN.glob("*/bin"), reverse=True)
    found = shutil.which("pgbench", path=os.pathsep.join([*map(str, folders), os.environ.get("PATH", "")]))
    if found is None:
        raise NotMeasured(HOW_TO_GET_IT)
    return Path(found)


class Pgbench:
    """pgbench on a database of the stage's server."""

    def __init__(self, program: Path, url: str, script: Path) -> None:
        self._program = program
        self._url = url
        self._script = script

    def inserts(self, clients: int, seconds: float) -> Inserts:
        """Insert rows for about so long, each in a transaction of its own, with so many clients."""
        query(self._url, "TRUNCATE yardstick")
        parts = urlsplit(self._url)
        done = subprocess.run(
            [
                self._program, "--no-vacuum", "--protocol=prepared", f"--file={self._script}", f"--client={clients}",
                f"--jobs={min(clients, os.cpu_count() or 1)}", f"--time={max(1, round(seconds))}",
                f"--host={parts.hostname}", f"--port={parts.port}", f"--username={parts.username}", parts.path[1:],
            ],
            env=os.environ | {"PGPASSWORD": unquote(parts.password or ""), "PGSSLMODE": "disable"},
            capture_output=True,
            text=True,
            check=False,
        )  # fmt: skip
        if done.returncode:
            raise NotMeasured(f"{self._program} failed: {done.stderr.strip()}")
        return read(done.stdout)


def read(report: str) -> Inserts:
    """What pgbench's report says. Raises `NotMeasured` where it can't be read."""
    rate = re.search(r"^tps = ([0-9.]+)", report, re.MULTILINE)
    latency = re.search(r"^latency average = ([0-9.]+) ms", report, re.MULTILINE)
    count = re.search(r"^number of transactions actually processed: ([0-9]+)", report, re.MULTILINE)
    if rate is None or latency is None or count is None:
        raise NotMeasured(f"The report of pgbench can't be read:\n{report}")
    return Inserts(int(count[1]), float(rate[1]), float(latency[1]))


@contextmanager
def pgbench(stage: Stage) -> Iterator[Pgbench]:
    """pgbench, ready to insert. Raises `NotMeasured` where there is none."""
    program = find()
    with tempfile.TemporaryDirectory() as folder, stage.database("yardstick") as database:
        script = Path(folder) / "insert.sql"
        script.write_text(_SCRIPT)
        url = stage.root(database)
        query(url, _TABLE)
        yield Pgbench(program, url, script)
