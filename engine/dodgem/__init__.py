"""Dodgem: rules (RULES.md), positions, players and the exact solution of its small boards."""
