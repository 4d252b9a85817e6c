"""Bodies of Prometheus and Alertmanager, read into series and alerts; nothing is guessed, nothing silently lost."""
