"""The JSON of the API: what it takes and what it gives, with every bound."""
