"""Designer's measures: pure functions from what happened in a game, or in many, to what a designer asks of it.

They know no game. An adapter calls those of one game for its columns; reports call the others on columns.
"""
