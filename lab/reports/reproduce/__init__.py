"""The public record of Dotfight and the claims of its rule book, beside the lab's own games of the same rules."""
