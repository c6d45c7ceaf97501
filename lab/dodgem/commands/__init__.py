"""The subcommands of ``lab dodgem``, one module each, found by being here as those of ``lab`` are."""
