"""The games, as data: one small module a game, with its rules page in English and Russian beside it."""
