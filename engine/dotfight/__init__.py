"""Dotfight: two pens flick ink across a page of bases full of soldier dots. ``RULES.md`` has its clauses."""
