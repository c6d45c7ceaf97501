"""The balance report: what a run or a sweep says of a game, as a page one can look at."""
