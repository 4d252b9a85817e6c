"""The checks of the Verifier: pure functions from facts and records to labels."""
