"""Boards as text: drawn from a layout and piles alone, so that any game of piles or rows can be shown."""
