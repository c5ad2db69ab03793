"""Drawing a board as SVG, from its layout and what a player may see of it. Pure.

`board.draw` is the way in: `geometry` says where each pile and card lies, `faces` and `glyphs` what cards look like,
`words` tells the position to those who can't see it.
"""
