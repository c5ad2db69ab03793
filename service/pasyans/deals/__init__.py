"""From a seed to a shuffled pack, the same on every machine for ever."""
