"""Logs: bytes to lines, lines to events, events to counted patterns and the few records that matter."""
