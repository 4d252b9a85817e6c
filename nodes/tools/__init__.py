"""Tools that read evidence, and the sources behind them."""
