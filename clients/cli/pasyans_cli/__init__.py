"""The `pasyans` command: solitaire in the terminal, over the HTTP API."""
