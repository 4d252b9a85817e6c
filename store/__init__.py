"""What the machine remembers: sessions, turns, invocations, self-evaluation, checkpoints."""
