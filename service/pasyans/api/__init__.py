"""The HTTP contract: the only place that speaks HTTP."""
