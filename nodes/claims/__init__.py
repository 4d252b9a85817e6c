"""The Executor's deterministic role: what an alert, a series or a log shows, stated as claims with bindings."""
