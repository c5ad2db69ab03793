"""The embedded PostgreSQL: what it is made of, who gets in, and what keeps others out."""

import contextlib
import os
import socket
import threading
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import asyncpg
import pytest
from pasyans.server.embedded import EmbeddedPostgres
from pasyans.server.postgres import binaries, postmaster
from pasyans.server.postgres.account import unprivileged
from pasyans.server.postgres.errors import (
    BinariesError,
    DataDirInUseError,
    DataDirUnreachableError,
    DataDirVersionError,
    StartError,
)

from tests.support.sql import query

as_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root runs PostgreSQL as somebody else")


def test_the_first_start_makes_a_database_its_owner_and_the_service(data_dir: Path) -> None:
    with EmbeddedPostgres(data_dir, durable=False) as embedded:
        who = "SELECT current_user::text, current_database()::text, rolsuper FROM pg_roles WHERE rolname = current_user"
        assert query(embedded.admin_url, who) == [("pasyans_owner", "pasyans", False)]
        assert query(embedded.service_url, who) == [("pasyans_service", "pasyans", False)]
        assert query(embedded.superuser_url, who) == [("postgres", "postgres", True)]
        query(embedded.admin_url, "CREATE TABLE kept (n int)")
        with pytest.raises(asyncpg.InsufficientPrivilegeError):
            query(embedded.service_url, "SELECT * FROM kept")
        with pytest.raises(asyncpg.InsufficientPrivilegeError):
            query(embedded.service_url, "CREATE TABLE own (n int)")


def test_text_is_unicode_whatever_the_machine_speaks_and_time_is_utc(used_dir: Path) -> None:
    with EmbeddedPostgres(used_dir, durable=False) as embedded:
        shown = "SELECT current_setting('server_encoding'), lower('ЖЁ'), current_setting('TimeZone')"
        assert query(embedded.service_url, shown) == [("UTF8", "жё", "UTC")]


@pytest.mark.parametrize("login", ["pasyans_service", "pasyans_service:wrong", "postgres", "postgres:postgres"])
def test_nobody_gets_in_without_the_password(used_dir: Path, login: str) -> None:
    with EmbeddedPostgres(used_dir, durable=False) as embedded:
        parts = urlsplit(embedded.service_url)
        url = urlunsplit(parts._replace(netloc=f"{login}@{parts.hostname}:{parts.port}"))
        with pytest.raises(asyncpg.InvalidPasswordError):
            query(url, "SELECT 1")


def test_it_listens_on_the_loopback_address_alone(used_dir: Path) -> None:
    with EmbeddedPostgres(used_dir, durable=False) as embedded:
        port = urlsplit(embedded.service_url).port
        assert port
        with socket.create_connection(("127.0.0.1", port), timeout=5):
            pass
        for host in {"127.0.0.2", *_own_addresses()}:
            with pytest.raises(OSError), socket.create_connection((host, port), timeout=5):
                pass
        assert query(embedded.superuser_url, "SHOW unix_socket_directories") == [("",)]


def _own_addresses() -> set[str]:
    """The machine's address towards others, if it has one; finding it out sends nothing."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe, contextlib.suppress(OSError):
        probe.connect(("192.0.2.1", 9))
        return {probe.getsockname()[0]}
    return set()


def test_passwords_are_only_in_a_file_for_its_owner(data_dir: Path) -> None:
    with EmbeddedPostgres(data_dir, durable=False) as embedded:
        secrets = {urlsplit(url).password for url in (embedded.service_url, embedded.admin_url, embedded.superuser_url)}
        assert len(secrets) == 3
        assert (data_dir / "credentials.json").stat().st_mode & 0o777 == 0o600
        assert (data_dir / "postgres.log").stat().st_mode & 0o777 == 0o600
        logged = (data_dir / "postgres.log").read_text()
        shown = Path(f"/proc/{embedded.pid}/cmdline").read_text() if Path("/proc").is_dir() else ""
        for secret in secrets:
            assert secret
            assert len(secret) >= 32
            assert secret not in logged
            assert secret not in shown


def test_rows_outlive_a_stop(used_dir: Path) -> None:
    embedded = EmbeddedPostgres(used_dir)
    with embedded:
        query(embedded.admin_url, "CREATE TABLE kept AS SELECT 7 AS n")
        old = embedded.admin_url
    embedded.stop()  # a second time does no harm
    with pytest.raises(OSError):
        query(old, "SELECT 1")
    with embedded:
        assert query(embedded.admin_url, "SELECT n FROM kept") == [(7,)]


def test_the_same_data_are_not_started_twice(used_dir: Path) -> None:
    with EmbeddedPostgres(used_dir, durable=False) as first:
        with pytest.raises(DataDirInUseError, match=rf"process {os.getpid()}\.") as refused:
            EmbeddedPostgres(used_dir).start()
        assert (refused.value.pid, refused.value.address) == (os.getpid(), None)
        first.announce("http://127.0.0.1:8000")
        with pytest.raises(DataDirInUseError, match=r"serves http://127\.0\.0\.1:8000"):
            EmbeddedPostgres(used_dir).start()
        assert query(first.service_url, "SELECT 1") == [(1,)]
    with EmbeddedPostgres(used_dir, durable=False) as second:
        assert query(second.service_url, "SELECT 1") == [(1,)]


def test_a_server_without_a_service_is_left_alone(used_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(postmaster, "_PREDECESSOR_GONE_WITHIN", 0.1)
    with EmbeddedPostgres(used_dir, durable=False) as first:
        (used_dir / "lock").unlink()  # as if another kind of program had started it
        with pytest.raises(DataDirInUseError) as refused:
            EmbeddedPostgres(used_dir, durable=False).start()
        assert refused.value.pid == first.pid
        assert query(first.service_url, "SELECT 1") == [(1,)]


@pytest.mark.parametrize("pid", [pytest.param(str(os.getpid()), id="own"), "1", "4194305", "-7", "nonsense"])
def test_a_stale_pid_file_means_nobody(used_dir: Path, pid: str) -> None:
    with EmbeddedPostgres(used_dir, durable=False) as embedded:
        left = (used_dir / "data" / "postmaster.pid").read_text().splitlines()
    stale = used_dir / "data" / "postmaster.pid"
    stale.write_text("\n".join([pid, *left[1:]]) + "\n")
    unprivileged().own(stale)
    with embedded:
        assert query(embedded.service_url, "SELECT 1") == [(1,)]


def test_a_database_that_was_half_made_is_made_anew(data_dir: Path) -> None:
    unfinished = data_dir / "data.unfinished"
    unfinished.mkdir()
    (unfinished / "PG_VERSION").write_text("18\n")
    with EmbeddedPostgres(data_dir, durable=False) as embedded:
        assert query(embedded.service_url, "SELECT 1") == [(1,)]
    assert not unfinished.exists()


@pytest.mark.parametrize("left", [None, "", "{}"])
def test_lost_passwords_are_replaced(used_dir: Path, left: str | None) -> None:
    with EmbeddedPostgres(used_dir, durable=False) as embedded:
        query(embedded.admin_url, "CREATE TABLE kept AS SELECT 7 AS n")
        old = urlsplit(embedded.admin_url).password
    credentials = used_dir / "credentials.json"
    credentials.unlink() if left is None else credentials.write_text(left)
    with embedded:
        assert query(embedded.admin_url, "SELECT n FROM kept") == [(7,)]
        assert query(embedded.service_url, "SELECT 1") == [(1,)]
        assert urlsplit(embedded.admin_url).password != old
    assert credentials.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize(("version", "told"), [(b"9\n", "9;"), (b"\xff\n", r"\\xff;")])
def test_data_of_another_major_version_are_refused(used_dir: Path, version: bytes, told: str) -> None:
    with EmbeddedPostgres(used_dir, durable=False) as embedded:
        pass
    (used_dir / "data" / "PG_VERSION").write_bytes(version)
    with pytest.raises(DataDirVersionError, match=f"made by PostgreSQL {told}"):
        embedded.start()


@pytest.mark.parametrize("name", [b"\xd0\xb4\xd0\xbe\xd0\xbc", b"\xff"])
def test_a_folder_may_have_any_name(data_dir: Path, name: bytes) -> None:
    with EmbeddedPostgres(data_dir / os.fsdecode(name), durable=False) as embedded:
        assert query(embedded.service_url, "SELECT 1") == [(1,)]


def test_programs_can_be_named(data_dir: Path) -> None:
    found = binaries.locate(None, unprivileged(), data_dir)
    with EmbeddedPostgres(data_dir, durable=False, bin_dir=found.folder) as embedded:
        assert query(embedded.service_url, "SHOW server_version_num")[0][0] >= f"{found.major}0000"  # type: ignore[operator]


def test_a_folder_without_programs_is_refused(data_dir: Path, tmp_path: Path) -> None:
    with pytest.raises(BinariesError, match="PASYANS_PG_BIN"):
        EmbeddedPostgres(data_dir, bin_dir=tmp_path).start()
    assert not (data_dir / "data").exists()
    with EmbeddedPostgres(data_dir, durable=False) as embedded:  # and its lock was given back
        assert query(embedded.service_url, "SELECT 1") == [(1,)]


@as_root
def test_programs_that_its_account_cannot_read_are_copied(
    used_dir: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = binaries._wheel()
    closed = tmp_path / "closed" / package.name
    closed.parent.mkdir(mode=0o700)
    closed.symlink_to(package)
    libraries = package.with_name(f"{package.name}.libs")
    closed.with_name(libraries.name).symlink_to(libraries)
    monkeypatch.setattr(binaries, "_wheel", lambda: closed)
    for _ in range(2):  # made the first time, found the second
        with EmbeddedPostgres(used_dir, durable=False) as embedded:
            copied = Path(f"/proc/{embedded.pid}/exe").readlink()
            assert used_dir in copied.parents
            assert query(embedded.service_url, "SELECT 1") == [(1,)]
    assert len(list(used_dir.glob("binaries-*"))) == 1


def test_data_where_postgresql_cannot_get_are_refused(data_dir: Path) -> None:
    closed = data_dir / "closed"
    closed.mkdir()
    closed.chmod(0o700 if os.geteuid() == 0 else 0o500)
    with pytest.raises(DataDirUnreachableError, match="PASYANS_DATA_DIR"):
        EmbeddedPostgres(closed / "data").start()


@as_root
def test_data_of_another_account_are_refused(used_dir: Path) -> None:
    with EmbeddedPostgres(used_dir, durable=False) as embedded:
        pass
    os.chown(used_dir / "data", 0, 0)
    with pytest.raises(DataDirUnreachableError, match="belong to another account"):
        embedded.start()


def test_what_it_ended_of_is_in_the_error(used_dir: Path) -> None:
    with EmbeddedPostgres(used_dir, durable=False) as embedded:
        pass
    with (used_dir / "data" / "postgresql.conf").open("a") as settings:
        settings.write("no_such_setting = 1\n")
    with pytest.raises(StartError, match="no_such_setting"):
        embedded.start()


def test_it_is_started_from_the_main_thread_only(data_dir: Path) -> None:
    said: list[str] = []

    def start() -> None:
        try:
            EmbeddedPostgres(data_dir).start()
        except StartError as error:
            said.append(str(error))

    thread = threading.Thread(target=start)
    thread.start()
    thread.join()
    assert said == ["Start the embedded PostgreSQL from the main thread."]


def test_without_a_start_there_is_no_address(data_dir: Path) -> None:
    with pytest.raises(StartError, match="start it first"):
        _ = EmbeddedPostgres(data_dir).service_url
