"""Whose address counts, with proxies and without."""

from ipaddress import ip_network

import pytest
from pasyans.api.addresses import client_address

PROXIES = [ip_network("10.0.0.0/8"), ip_network("::1/128")]


@pytest.mark.parametrize(
    ("peer", "forwarded", "address"),
    [
        ("192.0.2.1", None, "192.0.2.1"),
        ("192.0.2.1", "198.51.100.7", "192.0.2.1"),
        ("10.1.1.1", "198.51.100.7", "198.51.100.7"),
        ("10.1.1.1", "203.0.113.9, 198.51.100.7", "198.51.100.7"),
        ("10.1.1.1", "203.0.113.9, 10.2.2.2", "203.0.113.9"),
        ("10.1.1.1", "rubbish, 10.2.2.2", "10.2.2.2"),
        ("10.1.1.1", "10.3.3.3", "10.3.3.3"),
        ("10.1.1.1", "", "10.1.1.1"),
        ("10.1.1.1", "203.0.113.9:4711, 10.2.2.2:80", "203.0.113.9"),
        ("10.1.1.1", "[2001:db8:1:2:3::4]:4711, [::1]", "2001:db8:1:2::/64"),
        ("10.1.1.1", "203.0.113.9:, 10.2.2.2", "10.2.2.2"),
        ("::1", "2001:db8:1:2:3::4", "2001:db8:1:2::/64"),
        ("2001:db8:1:2:ffff::9", None, "2001:db8:1:2::/64"),
        ("::ffff:192.0.2.1", None, "192.0.2.1"),
        (None, None, "unknown"),
        ("unix", "198.51.100.7", "unix"),
    ],
)
def test_the_address_is_what_a_trusted_proxy_saw(peer: str | None, forwarded: str | None, address: str) -> None:
    assert client_address(peer, forwarded, PROXIES) == address
