"""The settings: read, refused, shown and handed down."""

import ipaddress
import os
import re
from pathlib import Path

import msgspec
import pytest
from pasyans.server import settings
from pasyans.server.settings import SETTINGS, Settings, SettingsError, load

README = Path(__file__).parents[2] / "README.md"

BAD = {
    "PASYANS_HOST": ["example.org", "127.0.0", "http://127.0.0.1"],
    "PASYANS_PORT": ["80a", "-1", "65536", "8000.0", "٣"],
    "PASYANS_PG_BIN": ["/no/such/folder"],
    "DATABASE_URL": ["localhost", "mysql://u:p@h/d", "postgresql://u:p@h", "postgresql://u:p@h:port/d"],
    "PASYANS_ADMIN_DATABASE_URL": ["localhost"],
    "PASYANS_RATE_LIMIT": ["on", "0/min", "600", "600/hour", "-1/min"],
    "PASYANS_WORKERS": ["0", "33", "two"],
    "PASYANS_KNOWN_GAMES": ["-1", "1.5", "10000001", "all"],
    "PASYANS_REQUEST_TIMEOUT": ["0", "3601", "30s", "0.5"],
    "PASYANS_IDLE_TIMEOUT": ["0", "3601", "never"],
    "PASYANS_METRICS_BIND": ["on", "9464", "localhost", "example.org:9464", "127.0.0.1:", "::1:9464", "[127.0.0.1]:1x"],
    "PASYANS_ALLOW_DATA_LOSS": ["maybe", "1"],
    "PASYANS_PACK_AFTER": ["-1", "a month", "36501"],
    "PASYANS_SECRET": ["short"],
    "PASYANS_CORS_ORIGINS": [
        *["example.org", "https://example.org/path", "ftp://example.org", ",", "*, https://example.org"],
        # No browser sends these, so they would allow nobody.
        *["https://Example.org", "https://пример.рф", "https://example.org:443", "http://example.org:80"],
    ],
    "PASYANS_TRUSTED_PROXIES": ["proxy", "10.0.0.1/8", "300.0.0.1", ", ,"],
    "PASYANS_LOG_LEVEL": ["loud", "INFO"],
    "PASYANS_LOG_FORMAT": ["xml"],
}
"""Wrong values of every setting that can be wrong; any text is the name of a folder."""


def test_without_an_environment_the_defaults_hold() -> None:
    found = load({})
    assert (found.host, found.port, found.workers, found.rate_limit) == ("127.0.0.1", 8000, 1, 600)
    assert (found.request_timeout, found.idle_timeout, found.pack_after) == (30, 30, 30)
    assert found.metrics_bind == ("127.0.0.1", 9464)
    assert (found.database_url, found.admin_database_url, found.pg_bin, found.secret) == (None, None, None, None)
    assert (found.cors_origins, found.trusted_proxies, found.allow_data_loss) == (("*",), (), False)
    assert (found.log_level, found.log_format) == ("info", None)
    assert set(found.origins.values()) == {"default"}
    if os.geteuid() == 0:
        assert found.data_dir == Path("/var/lib/pasyans")
    else:
        assert found.data_dir.name == "pasyans"
        assert Path.home() in found.data_dir.parents


def test_the_environment_is_read(tmp_path: Path) -> None:
    given = {
        "PASYANS_HOST": "::1",
        "PASYANS_PORT": "0",
        "PASYANS_DATA_DIR": "~/data",
        "DATABASE_URL": "postgres://u:p@h:5433/d?sslmode=disable",
        "PASYANS_ADMIN_DATABASE_URL": "postgresql://o:q@h/d",
        "PASYANS_PG_BIN": str(tmp_path),
        "PASYANS_RATE_LIMIT": "off",
        "PASYANS_WORKERS": "3",
        "PASYANS_KNOWN_GAMES": "500",
        "PASYANS_REQUEST_TIMEOUT": "5",
        "PASYANS_IDLE_TIMEOUT": "60",
        "PASYANS_METRICS_BIND": "[::1]:9000",
        "PASYANS_ALLOW_DATA_LOSS": "yes",
        "PASYANS_PACK_AFTER": "7",
        "PASYANS_SECRET": "s" * 32,
        "PASYANS_CORS_ORIGINS": "https://a.example, http://b.example:8080",
        "PASYANS_TRUSTED_PROXIES": "10.0.0.0/8,::1",
        "PASYANS_LOG_LEVEL": "debug",
        "PASYANS_LOG_FORMAT": "console",
    }
    assert set(given) == {setting.name for setting in SETTINGS}
    found = load(given)
    assert found == Settings(
        host="::1",
        port=0,
        data_dir=Path.home() / "data",
        database_url="postgresql://u:p@h:5433/d?sslmode=disable",
        admin_database_url="postgresql://o:q@h/d",
        pg_bin=tmp_path,
        rate_limit=None,
        workers=3,
        known_games=500,
        request_timeout=5,
        idle_timeout=60,
        metrics_bind=("::1", 9000),
        allow_data_loss=True,
        pack_after=7,
        secret="s" * 32,
        cors_origins=("https://a.example", "http://b.example:8080"),
        trusted_proxies=(ipaddress.ip_network("10.0.0.0/8"), ipaddress.ip_network("::1")),
        log_level="debug",
        log_format="console",
        texts=given,
        origins=dict.fromkeys(given, "environment"),
    )


@pytest.mark.parametrize("value", ["", "  "])
def test_an_empty_setting_counts_as_not_given(value: str) -> None:
    given = dict.fromkeys((setting.name for setting in SETTINGS), value)
    assert load(given) == load({})


def test_every_setting_that_can_be_wrong_is_tried() -> None:
    assert set(BAD) == {setting.name for setting in SETTINGS} - {"PASYANS_DATA_DIR"}


@pytest.mark.parametrize(("name", "value"), [(name, value) for name, values in BAD.items() for value in values])
def test_a_wrong_value_is_refused(name: str, value: str) -> None:
    with pytest.raises(SettingsError) as refused:
        load({"DATABASE_URL": "postgresql://u:p@h/d", name: value})
    ((fault, message),) = refused.value.faults
    assert fault == name
    assert "must" in message


def test_all_wrong_values_are_told_at_once_and_no_secret_with_them() -> None:
    wrong = {name: values[0] for name, values in BAD.items()} | {"DATABASE_URL": "mysql://u:hidden@h/d"}
    with pytest.raises(SettingsError) as refused:
        load(wrong)
    assert [name for name, _ in refused.value.faults] == [setting.name for setting in SETTINGS if setting.name in BAD]
    assert len(str(refused.value).splitlines()) == len(BAD)
    assert "hidden" not in str(refused.value)


def test_an_owner_without_a_database_is_refused() -> None:
    with pytest.raises(SettingsError, match="means nothing without DATABASE_URL"):
        load({"PASYANS_ADMIN_DATABASE_URL": "postgresql://o:q@h/d"})


def test_what_is_shown_has_no_secret_in_it() -> None:
    given = {
        "DATABASE_URL": "postgresql://serve:hidden1@h/d?password=hidden2&x=1",
        "PASYANS_ADMIN_DATABASE_URL": "postgresql://own:hidden3@h/d",
        "PASYANS_SECRET": "hidden4" * 8,
    }
    found = load(given)
    shown = {row.name: row.value for row in settings.show(found)}
    assert shown["DATABASE_URL"] == "postgresql://serve:***@h/d?password=***&x=1"
    assert shown["PASYANS_ADMIN_DATABASE_URL"] == "postgresql://own:***@h/d"
    assert shown["PASYANS_SECRET"] == "***"
    assert list(shown) == [setting.name for setting in SETTINGS]
    for text in (repr(found), str(found), msgspec.json.encode(settings.show(found)).decode(), repr([found])):
        assert "hidden" not in text
        assert "serve" in text
    assert "hidden" not in repr(found.__rich_repr__())


def test_workers_are_told_of_the_database_but_not_of_its_owner(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PASYANS_ADMIN_DATABASE_URL", "postgresql://o:q@h/d")
    monkeypatch.setenv("DATABASE_URL", "postgresql://old@h/d")
    monkeypatch.setenv("PASYANS_PORT", "0")
    monkeypatch.setenv("PASYANS_SHARED_MEMORY", "/old")
    settings.hand_down(port=8123, database_url="postgresql://u:p@h/d", shared="/proc/7/fd/5")
    found = load()
    assert (found.port, found.database_url, found.admin_database_url) == (8123, "postgresql://u:p@h/d", None)
    assert settings.shared_memory() == "/proc/7/fd/5"


@pytest.mark.parametrize(
    ("text", "origins"),
    [
        ("*", ("*",)),
        ("none", ()),
        ("http://local_host:3000", ("http://local_host:3000",)),
        ("http://[::1]:8080,https://127.0.0.1", ("http://[::1]:8080", "https://127.0.0.1")),
        (
            "https://xn--e1afmkfd.xn--p1ai, http://a-b.example:443,",
            ("https://xn--e1afmkfd.xn--p1ai", "http://a-b.example:443"),
        ),
    ],
)
def test_origins(text: str, origins: tuple[str, ...]) -> None:
    assert load({"PASYANS_CORS_ORIGINS": text}).cors_origins == origins


@pytest.mark.parametrize(
    ("text", "bound"),
    [("off", None), ("0.0.0.0:0", ("0.0.0.0", 0)), ("localhost:80", ("127.0.0.1", 80)), ("[::]:65535", ("::", 65535))],  # noqa: S104
)
def test_an_address_to_bind(text: str, bound: tuple[str, int] | None) -> None:
    assert load({"PASYANS_METRICS_BIND": text}).metrics_bind == bound


def test_the_readme_has_every_setting_and_no_other() -> None:
    section = README.read_text().partition("<!-- settings -->")[2].partition("<!-- /settings -->")[0]
    rows = re.findall(r"^\| `([A-Z_]+)` \| (.*?) \| (.*?) \|$", section, flags=re.MULTILINE)
    assert [name for name, _, _ in rows] == [setting.name for setting in SETTINGS]
    for (_, default, description), setting in zip(rows, SETTINGS, strict=True):
        assert description == setting.description[0].upper() + setting.description[1:] + "."
        if isinstance(setting.default, str):
            assert default == (f"`{setting.default}`" if setting.default else "")
