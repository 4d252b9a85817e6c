"""The planner's deterministic role: from the words of a question to typed queries."""
