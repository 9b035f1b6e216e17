"""Test suites of others, run by loopsim and by real Node.js."""
