"""Mutation testing: small faults are put into a copy of the simulator, and the tests must find each of them."""
