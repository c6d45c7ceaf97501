"""What the lab offers for Dodgem alone, beyond playing it like any other game: its exact solutions."""
