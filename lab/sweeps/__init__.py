"""Sweeps: a base experiment and its variants, all played on the same seeds, and what sets them apart."""
