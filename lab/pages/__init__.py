"""Games as pages one can look at: what is drawn (story), and how (SVG, pixels, a player in HTML, an animation)."""
