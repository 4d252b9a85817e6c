"""The base of every domain value: frozen, closed to unknown fields, without NaN."""

from pydantic import BaseModel, ConfigDict, JsonValue

JsonObject = dict[str, JsonValue]
"""A JSON object: what rows, channels and tool arguments are made of."""


class Frozen(BaseModel):
    """A value: immutable, comparable, safe in a checkpoint."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)
