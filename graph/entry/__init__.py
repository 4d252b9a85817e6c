"""Ways in: shell today; HTTP, LangServe, Studio and embedding later."""
