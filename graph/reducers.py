"""How parallel and repeated writes to one key of the state meet.

`self_evaluation` is the only such key: verifier and evaluator write it side by side, in both rounds, and the composer
adds to it. The same function merges in the database, so a run and its resumption agree (P1, P4).
"""

import json
from collections.abc import Mapping
from hashlib import blake2b

from pydantic import JsonValue

from superbiz.graph.domain.base import JsonObject

STAMPS = "_stamps"
"""Key of a channel that tells, for each field, which write it came from."""


def stamped(turn: int, round: int, stage: int, fields: JsonObject) -> JsonObject:
    """A channel that holds `fields` as one write.

    `stage` orders writes within a round (0 the verdict, 1 the composed answer). The digest of the fields ends the
    stamp: two different writes of the same moment never mix, one of them wins whole.
    """
    digest = _digest(fields)
    stamp = f"{turn:06d}.{round:02d}.{stage:02d}.{digest}"
    return {**fields, STAMPS: dict.fromkeys(fields, stamp)}


def merge_evaluations(left: JsonObject | None, right: JsonObject | None) -> JsonObject:
    """Merge two `self_evaluation` objects: associative, commutative, idempotent; never mutates (P1).

    Per channel and field the later stamp wins. A write of a later turn drops what stamped writes of earlier turns
    left, in every channel. Channels and fields without stamps (of another version of the code) are kept, but for a
    field that is stamped elsewhere: ours wins. The laws hold as long as no field is written both ways.
    """
    merged = {
        name: _merge_channel((left or {}).get(name), (right or {}).get(name))
        for name in sorted({**(left or {}), **(right or {})})
    }
    turn = max((_turn(stamp) for channel in merged.values() for stamp in _stamps(channel).values()), default="")
    kept = {name: _of_turn(value, turn) for name, value in merged.items()}
    return {name: channel for name, channel in kept.items() if channel is not None or merged[name] is None}


def _merge_channel(left: JsonValue, right: JsonValue) -> JsonValue:
    if not isinstance(left, dict) or not isinstance(right, dict):
        return max(left, right, key=_rank)
    ours, theirs = _stamps(left), _stamps(right)
    fields: JsonObject = {}
    stamps: dict[str, JsonValue] = {}
    for name in sorted((left.keys() | right.keys()) - {STAMPS}):
        value, stamp = max(
            ((side[name], marks.get(name, "")) for side, marks in ((left, ours), (right, theirs)) if name in side),
            key=lambda pair: (pair[1], _rank(pair[0])),
        )
        fields[name] = value
        if stamp:
            stamps[name] = stamp
    return {**fields, STAMPS: stamps} if stamps else fields


def _of_turn(channel: JsonValue, turn: str) -> JsonValue | None:
    """The channel without stamped fields of an earlier turn; None when nothing is left of it."""
    stamps = _stamps(channel)
    if not isinstance(channel, dict) or not stamps:
        return channel
    old = {name for name, stamp in stamps.items() if _turn(stamp) < turn}
    kept: JsonObject = {name: value for name, value in channel.items() if name not in old and name != STAMPS}
    if not kept:
        return None
    marks: dict[str, JsonValue] = {name: stamp for name, stamp in stamps.items() if name not in old}
    return {**kept, STAMPS: marks} if marks else kept


def _stamps(channel: JsonValue) -> Mapping[str, str]:
    marks = channel.get(STAMPS) if isinstance(channel, dict) else None
    return {k: v for k, v in marks.items() if isinstance(v, str)} if isinstance(marks, dict) else {}


def _turn(stamp: str) -> str:
    return stamp.partition(".")[0]


def _rank(value: JsonValue) -> str:
    """A total order over JSON values, objects above the rest and null lowest."""
    kind = "0" if value is None else "2" if isinstance(value, dict) else "1"
    return kind + json.dumps(value, sort_keys=True, ensure_ascii=False)


def _digest(fields: JsonObject) -> str:
    return blake2b(json.dumps(fields, sort_keys=True).encode(), digest_size=6).hexdigest()
