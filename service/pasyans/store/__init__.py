"""The store: players, tokens, games and their append-only log in PostgreSQL; admins, and the audit of what they do.

`base.Store` is the interface, `values` what it takes and gives, `errors` what it raises, `postgres.PostgresStore` the
store there is; what is for admins alone is in `admin_base`, `admin_values` and `postgres_admin`. `migrate` brings a
database up to date. Nothing outside this folder speaks SQL.
"""
