"""What the lab offers for Dotfight alone."""
