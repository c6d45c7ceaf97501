"""Reports: what a person reads, made from result tables only."""
