"""What the machine says to people and models: Markdown templates and phrases, rendered strictly."""
