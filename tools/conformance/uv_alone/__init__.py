"""libuv alone, compared with the real one: the judge, and random programs."""
