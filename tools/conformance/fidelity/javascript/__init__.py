"""Random programs that are JavaScript from the start: what they are made of, how they are drawn, written and made small."""
