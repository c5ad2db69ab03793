"""A game as its events: deciding, folding, and the portable text record."""
