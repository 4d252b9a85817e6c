"""What the machine does: one node a module; `tools` and `verify` hold the parts that need more room."""
