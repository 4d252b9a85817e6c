"""The values that the machine speaks of: ids, plan, evidence, contract, verdict, answer. Frozen; no I/O."""
