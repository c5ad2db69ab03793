"""The store: players, tokens, games and their append-only log in PostgreSQL.

`base.Store` is the interface, `values` what it takes and gives, `errors` what it raises, `postgres.PostgresStore` the
store there is. `migrate` brings a database up to date. Nothing outside this folder speaks SQL.
"""
