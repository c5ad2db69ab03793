"""`pasyansd serve`: when it is ready, how it ends, and what it leaves behind."""

import os
import re
import signal
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest

from tests.support.postgres import Postgres
from tests.support.processes import family, postmaster, workers
from tests.support.service import PASYANSD, Service, pasyansd, serving
from tests.support.waiting import alive, until

STOPS_WITHIN = 5.0


def answers(service: Service) -> bool:
    """Whether a request is answered; the one worker that has got ready may be the one that a test has just killed."""
    try:
        return httpx.get(f"{service.url}/readyz").status_code == 200
    except httpx.TransportError:
        return False


@contextmanager
def connected(service: Service, sent: bytes = b"") -> Iterator[socket.socket]:
    """A client that has sent so much of a request."""
    parts = urlsplit(service.url)
    with socket.create_connection((parts.hostname, parts.port or 0), timeout=10) as client:
        client.sendall(sent)
        yield client


def test_the_address_that_is_printed_answers(service: Service) -> None:
    assert httpx.get(f"{service.url}/readyz").status_code == 200
    assert httpx.get(f"{service.url}/v1/variants").status_code == 200


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_it_stops_at_once_with_clients_connected(used_dir: Path, tmp_path: Path, number: signal.Signals) -> None:
    own = {"PASYANS_DATA_DIR": str(used_dir.parent)}
    with serving(tmp_path / "log", own) as service:
        processes = family(service.process.pid)
        assert any("postgres -D" in line for line in processes.values())
        with (
            connected(service),
            connected(service, b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n") as idle,
            connected(service, b"POST /v1/players HTTP/1.1\r\nHost: x\r\nContent-Length: 99\r\n\r\n{"),
        ):
            assert idle.recv(15) == b"HTTP/1.1 200 OK"
            start = time.monotonic()
            assert service.stop(number) == 0
            assert time.monotonic() - start < STOPS_WITHIN
        assert not [line for pid, line in processes.items() if alive(pid)]


def test_two_signals_at_once_are_one_stop(used_dir: Path, tmp_path: Path) -> None:
    with serving(tmp_path / "log", {"PASYANS_DATA_DIR": str(used_dir.parent)}) as service:
        service.process.send_signal(signal.SIGINT)
        assert service.stop(signal.SIGTERM) == 0


def test_started_to_outlive_its_terminal_it_does(used_dir: Path, tmp_path: Path) -> None:
    command = ("nohup", PASYANSD, "serve")
    with serving(tmp_path / "log", {"PASYANS_DATA_DIR": str(used_dir.parent)}, command) as service:
        for pid in (service.process.pid, *workers(service)):
            ignored = re.search(r"^SigIgn:\s*([0-9a-f]+)$", Path(f"/proc/{pid}/status").read_text(), re.MULTILINE)
            assert ignored is not None
            assert int(ignored[1], 16) >> (signal.SIGHUP - 1) & 1
        service.process.send_signal(signal.SIGHUP)
        assert answers(service)
        assert service.stop() == 0


def test_ctrl_c_reaches_every_process_and_is_a_stop_as_any_other(used_dir: Path, tmp_path: Path) -> None:
    own = {"PASYANS_DATA_DIR": str(used_dir.parent), "PASYANS_WORKERS": "2"}
    with serving(tmp_path / "log", own) as service:
        processes = family(service.process.pid)
        assert os.getpgid(service.process.pid) == service.process.pid
        os.killpg(service.process.pid, signal.SIGINT)
        assert service.process.wait(STOPS_WITHIN) == 0
        assert not [line for pid, line in processes.items() if alive(pid)]
        assert "error" not in service.log


def test_killed_it_leaves_no_process_and_loses_nothing(used_dir: Path, tmp_path: Path) -> None:
    own = {"PASYANS_DATA_DIR": str(used_dir.parent)}
    with serving(tmp_path / "log", own) as service:
        processes = family(service.process.pid)
        made = httpx.post(f"{service.url}/v1/players", json={"name": "anna"})
        assert made.status_code == 201
        service.kill()
        until(lambda: not [pid for pid in processes if alive(pid)], "every process has ended")
    with serving(tmp_path / "log", own) as service:
        me = httpx.get(f"{service.url}/v1/players/me", headers={"Authorization": f"Bearer {made.json()['token']}"})
        assert me.json()["name"] == "anna"


def test_nothing_secret_is_logged(service: Service, postgres: Postgres) -> None:
    token = httpx.post(f"{service.url}/v1/players", json={}).json()["token"]
    httpx.get(f"{service.url}/v1/players/me", headers={"Authorization": f"Bearer {token}"})
    httpx.get(f"{service.url}/v1/players/me?token={token}", headers={"Authorization": f"Bearer {token[:-1]}x"})
    assert "/v1/players/me" in service.log
    password = urlsplit(postgres.service_url).password
    assert token not in service.log
    assert "earer" not in service.log
    assert password is None or password not in service.log


def test_a_worker_that_dies_is_replaced(postgres: Postgres, tmp_path: Path) -> None:
    with serving(tmp_path / "log", on(postgres) | {"PASYANS_WORKERS": "2"}) as service:
        first = workers(service)
        assert len(first) == 2
        os.kill(first[0], signal.SIGKILL)
        until(lambda: len(set(workers(service)) - set(first)) == 1, "another worker is there")
        until(lambda: answers(service), "requests are answered")
        assert service.stop() == 0


def test_without_its_postgresql_it_ends_and_says_so(used_dir: Path, tmp_path: Path) -> None:
    with serving(tmp_path / "log", {"PASYANS_DATA_DIR": str(used_dir.parent)}) as service:
        os.kill(postmaster(service), signal.SIGKILL)
        assert service.process.wait(10) == 1
        assert "PostgreSQL ended by itself" in service.log


def on(postgres: Postgres) -> dict[str, str]:
    """The settings of a service on the tests' database."""
    return {
        "DATABASE_URL": postgres.service_url,
        "PASYANS_ADMIN_DATABASE_URL": postgres.admin_url,
        "PASYANS_ALLOW_DATA_LOSS": "yes",
    }


# --- what it refuses ---


def refusal(**settings: str) -> tuple[int, str]:
    """The exit code of `pasyansd serve` and the one line that it says on stderr."""
    done = pasyansd("serve", PASYANS_LOG_LEVEL="error", **settings)
    assert done.stdout == ""
    (line,) = done.stderr.splitlines()
    return done.returncode, line


def test_data_that_are_served_already_are_refused(used_dir: Path, tmp_path: Path) -> None:
    own = {"PASYANS_DATA_DIR": str(used_dir.parent)}
    with serving(tmp_path / "log", own) as service:
        code, line = refusal(**own, PASYANS_PORT="0")
        assert code == 4
        assert f"in use by process {service.process.pid}, which serves {service.url}." in line
        assert httpx.get(f"{service.url}/readyz").status_code == 200


def test_a_port_that_is_served_already_is_refused(service: Service, postgres: Postgres) -> None:
    port = str(urlsplit(service.url).port)
    code, line = refusal(**on(postgres), PASYANS_PORT=port)
    assert (code, line) == (
        4,
        f"pasyansd: Port {port} of 127.0.0.1 is in use by another program. Stop it, or choose another PASYANS_PORT.",
    )


def test_a_database_that_is_away_is_refused_without_its_password() -> None:
    code, line = refusal(DATABASE_URL="postgresql://anna:hidden@127.0.0.1:1/d", PASYANS_PORT="0")
    assert code == 5
    assert "hidden" not in line


def test_a_database_that_may_lose_data_is_refused_unless_that_is_said_to_be_fine(postgres: Postgres) -> None:
    code, line = refusal(**on(postgres) | {"PASYANS_ALLOW_DATA_LOSS": "no", "PASYANS_PORT": "0"})
    assert code == 5
    assert "fsync" in line
