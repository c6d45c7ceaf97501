"""The subcommands of ``lab``, one module each, found by being here (see :mod:`lab.cli`)."""
