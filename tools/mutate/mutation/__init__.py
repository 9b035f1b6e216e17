"""Mutation: small faults are put into a copy of the simulator, and the tests must notice each of them."""
