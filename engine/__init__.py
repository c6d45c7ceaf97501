"""The games: rules, state, moves, players. Nothing here knows of files, tables, plots or clusters."""
