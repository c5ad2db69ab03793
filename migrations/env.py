"""What alembic runs; `pasyans.store.migrate` hands it the connection."""

from alembic import context

connection = context.config.attributes.get("connection")
if connection is None:
    raise SystemExit("Migrate with `pasyansd migrate`, which knows the database and takes turns with other processes.")

context.configure(connection=connection)
with context.begin_transaction():
    context.run_migrations()
