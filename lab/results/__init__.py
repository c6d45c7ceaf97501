"""Run folders: the table of results and its schema, the files it is kept in, who may write them, how they are read."""
