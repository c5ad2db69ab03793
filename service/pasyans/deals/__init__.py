"""From a seed to a shuffled pack, the same on every machine for ever; and the days that daily deals belong to."""
