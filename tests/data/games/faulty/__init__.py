"""A coin race with a player who goes wrong on purpose."""
