"""The pure engine: cards, positions, the families of games, legal moves, play and view."""
