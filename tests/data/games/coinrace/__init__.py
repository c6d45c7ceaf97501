"""Coin race: the smallest game the lab can play."""
