"""Statistics on plain arrays: intervals, paired differences, stopping rules, comparisons, sensitivity.

Nothing here knows of games, files or tables. Every estimate is an :class:`~lab.stats.intervals.Interval`, or
an :class:`~lab.stats.intervals.Undefined` that says why there is none.
"""
