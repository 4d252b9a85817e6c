"""From what the Verifier allowed to the text that people read (C1-C8)."""
