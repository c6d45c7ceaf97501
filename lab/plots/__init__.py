"""Figures, made from result tables only."""
