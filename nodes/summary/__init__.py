"""`tool_trace_summary`: what the Verifier reads of the rows, bounded whatever they hold (T1-T9).

`groups` decides which calls make one entry, `render` words what a call returned, `facts` ranks it, `excerpts` lifts
what the claims quote, `budget` chooses what fits. All pure: the same rows, question, excerpts and budgets give the
same bytes.
"""

from superbiz.nodes.summary.entries import summarise

__all__ = ["summarise"]
