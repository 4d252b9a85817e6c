"""Hypothesis strategies for writes into `self_evaluation`, by this version of the code and by others."""

from hypothesis import strategies as st
from pydantic import JsonValue

from superbiz.graph.domain.base import JsonObject
from superbiz.graph.reducers import stamped

CHANNELS = ["verifier_evaluation", "rule_evaluation", "composer_output"]
FOREIGN = ["human_review", "vendor"]
FIELDS = ["verdict", "score", "facts"]

VALUES: st.SearchStrategy[JsonValue] = st.sampled_from(
    [None, False, 0, 1, -2.5, "", "PASS", "界\ud800", [], [1, None], {}, {"a": 1}, {"a": {"b": []}}, {"b": "x"}]
)


CHANGES = st.dictionaries(st.sampled_from(CHANNELS), st.dictionaries(st.sampled_from(FIELDS), VALUES, min_size=1))
UNKNOWN = st.dictionaries(st.sampled_from(FOREIGN), VALUES.filter(lambda value: value is not None))
MOMENTS = st.tuples(st.integers(1, 2), st.integers(0, 1))


def writes(turns: tuple[int, ...] = (1, 2)) -> st.SearchStrategy[JsonObject]:
    """One write of a node: some channels, all of one moment, and perhaps channels of another version of the code."""
    return st.builds(
        lambda turn, moment, channels, foreign: {
            **{name: stamped(turn, moment[0], moment[1], fields) for name, fields in channels.items()},
            **foreign,
        },
        st.sampled_from(turns),
        MOMENTS,
        CHANGES,
        UNKNOWN,
    )
