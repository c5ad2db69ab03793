"""Where a request comes from, behind proxies too."""

import re
from collections.abc import Sequence
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from typing import Final

Network = IPv4Network | IPv6Network


def client_address(peer: str | None, forwarded_for: str | None, trusted: Sequence[Network]) -> str:
    """Return the address of the client.

    ``forwarded_for`` (X-Forwarded-For) is believed only as far as trusted proxies wrote it: it is read from the right,
    and the first address that is no trusted proxy's is the client's. Some proxies write the port as well. An IPv6
    client is its /64: it has all of it.
    """
    address = _parse(peer or "")
    for hop in reversed((forwarded_for or "").split(",")):
        previous = _parse(hop)
        if previous is None or address is None or not any(address in network for network in trusted):
            break
        address = previous
    if address is None:
        return peer or "unknown"
    return str(IPv6Network((address, 64), strict=False)) if isinstance(address, IPv6Address) else str(address)


_WITH_PORT: Final = re.compile(r"([0-9.]+):[0-9]+|\[([0-9A-Fa-f:.]+)\](?::[0-9]+)?")


def _parse(text: str) -> IPv4Address | IPv6Address | None:
    host = text.strip()
    if (match := _WITH_PORT.fullmatch(host)) is not None:
        host = match[1] or match[2]
    try:
        address = ip_address(host)
    except ValueError:
        return None
    mapped = address.ipv4_mapped if isinstance(address, IPv6Address) else None
    return mapped or address
