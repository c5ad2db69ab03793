"""Sitting at a game: the prompt, the steps typed at it, and the requests they become."""
