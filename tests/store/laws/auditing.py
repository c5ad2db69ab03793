"""The audit: newest first, filtered in every way, and an entry by itself."""

from itertools import product
from typing import Any
from uuid import UUID

import pytest
from msgspec import structs
from pasyans.server.clock import new_id
from pasyans.store.admin_values import AuditAction, AuditEntry, AuditFilter, NewAudit
from pasyans.store.errors import BadRow, KeyUsed
from pasyans.store.postgres import PostgresStore
from pasyans.store.values import UsedKey

from tests.store.making import NOON, a_player, an_admin, key, new_player, noted, unique

_ACTIONS: tuple[tuple[AuditAction, ...], ...] = ((), ("voided",), ("banned", "restored"))


class Auditing:
    async def test_an_entry_comes_back_with_the_present_names(self, store: PostgresStore) -> None:
        admin, (player, token) = await an_admin(store), new_player()
        await store.create_player(player, token)
        details = '{"matched": 3, "сколько": "три"}'
        new = NewAudit(
            new_id(NOON),
            NOON,
            admin.token_id,
            "voided",
            token.token_id,
            player.player_id,
            "cheating",
            "Ключ\n«»",
            details,
        )
        await store.note_audit(new)
        fields = structs.asdict(new)
        assert await store.audit_entry(new.entry_id) == AuditEntry(**fields, actor_name=admin.name, player=player.name)
        deleted = unique("deleted-")
        await store.begin_erasure(player.player_id, deleted, NOON)
        await store.revoke_admin_token(admin.name, NOON, noted("token-revoked"))
        assert await store.audit_entry(new.entry_id) == AuditEntry(**fields, actor_name=admin.name, player=deleted)
        assert await store.audit_entry(player.player_id) is None

    async def test_what_an_entry_does_not_have(self, store: PostgresStore) -> None:
        bare = noted("results-voided")
        await store.note_audit(bare)
        assert await store.audit_entry(bare.entry_id) == AuditEntry(
            **structs.asdict(bare), actor_name=None, player=None
        )

    @pytest.mark.parametrize(
        "change",
        [{"action": "promoted"}, {"reason": "spite"}, {"actor": UUID(int=7)}, {"note": "nul \0"}, {"at": 2**62}],
        ids=str,
    )
    async def test_an_entry_that_can_not_be(self, store: PostgresStore, change: dict[str, Any]) -> None:
        new = structs.replace(noted("banned"), **change)
        with pytest.raises(BadRow):
            await store.note_audit(new)
        assert await store.audit_entry(new.entry_id) is None

    async def test_a_key_is_used_with_the_entry_and_once(self, store: PostgresStore) -> None:
        admin = await an_admin(store)
        new, mine = noted("results-voided", NOON + 3, actor=admin.token_id), key("mine", scope=admin.token_id)
        await store.note_audit(new, mine)
        used = await store.used_key(mine.scope, mine.key)
        assert used == UsedKey(mine.request, new.entry_id, 0, NOON + 3)
        second = noted("results-voided", actor=admin.token_id)
        with pytest.raises(KeyUsed):
            await store.note_audit(second, mine)
        assert await store.audit_entry(second.entry_id) is None

    async def test_the_newest_come_first_and_every_page_follows_the_one_before(self, store: PostgresStore) -> None:
        player = await a_player(store)
        entries = [noted("banned", NOON + at // 2, player_id=player) for at in range(11)]
        for entry in entries:
            await store.note_audit(entry)
        expected = [entry.entry_id for entry in sorted(entries, key=lambda entry: entry.entry_id, reverse=True)]
        found: list[UUID] = []
        while page := await store.audit(AuditFilter(player_id=player), found[-1] if found else None, 4):
            assert len(page) <= 4
            found += [entry.entry_id for entry in page]
            # What comes now is newer than all that is still to be listed.
            await store.note_audit(noted("unbanned", NOON + 1000, player_id=player))
        assert found == expected
        times = [entry.at for entry in await store.audit(AuditFilter(player_id=player), None, 100)]
        assert times == sorted(times, reverse=True)
        assert len(times) == 15 - 1

    async def test_every_filter_by_itself_and_with_the_others(self, store: PostgresStore) -> None:
        admins = [await an_admin(store) for _ in range(2)]
        players = [await a_player(store) for _ in range(2)]
        games = [new_id(NOON) for _ in range(2)]
        # Times that no other test has, so that what is listed is ours.
        begin = NOON + 10**12 + int(unique("")) % 10**6 * 10**6
        entries = [
            noted(action, begin + number, actor=actor, player_id=player, game_id=game)  # type: ignore[arg-type]
            for number, (action, actor, player, game) in enumerate(
                product(("voided", "restored", "banned"), (None, *(admin.token_id for admin in admins)), players, games)
            )
        ]
        for entry in entries:
            await store.note_audit(entry)
        names = {admin.token_id: admin.name for admin in admins}
        middle, found = begin + len(entries) // 2, 0
        for name, actions, game, player, since, before in product(
            (None, admins[0].name),
            _ACTIONS,
            (None, games[1]),
            (None, players[0]),
            (begin, middle),
            (middle + 5, begin + 10**6),
        ):
            which = AuditFilter(
                actor_name=name, actions=actions, game_id=game, player_id=player, since=since, before=before
            )
            expected = [
                entry.entry_id
                for entry in reversed(entries)
                if (name is None or (entry.actor is not None and names[entry.actor] == name))
                and (not actions or entry.action in actions)
                and game in (None, entry.game_id)
                and player in (None, entry.player_id)
                and since <= entry.at < before
            ]
            assert [entry.entry_id for entry in await store.audit(which, None, 100)] == expected, which
            found += len(expected)
        assert found > 200
