"""Pasyans: solitaire as a service."""
