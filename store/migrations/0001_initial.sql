-- Sessions, their turns, and every call of a tool. Times are ISO 8601 in UTC with microseconds, so that their order as
-- text is their order in time; JSON is text that the code validates.
CREATE TABLE diagnosis_session (
    id TEXT NOT NULL PRIMARY KEY,
    tenant TEXT NOT NULL,
    title TEXT NOT NULL,
    language TEXT NOT NULL,
    status TEXT NOT NULL,
    self_evaluation TEXT,
    record_version INTEGER NOT NULL,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL
);

CREATE TABLE diagnosis_turn (
    session_id TEXT NOT NULL REFERENCES diagnosis_session (id) ON DELETE CASCADE,
    number INTEGER NOT NULL,
    question TEXT NOT NULL,
    language TEXT NOT NULL,
    as_of TEXT NOT NULL,
    since TEXT,
    until TEXT,
    evidence TEXT NOT NULL,
    status TEXT NOT NULL,
    verdict TEXT,
    groundedness_score REAL,
    rounds INTEGER NOT NULL,
    answer TEXT,
    self_evaluation TEXT,
    usage TEXT,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    PRIMARY KEY (session_id, number)
);

-- Which number a graph task has among those that ran the same turn and round: a fork is another task.
CREATE TABLE diagnosis_branch (
    session_id TEXT NOT NULL,
    turn INTEGER NOT NULL,
    round INTEGER NOT NULL,
    task_id TEXT NOT NULL,
    branch INTEGER NOT NULL,
    PRIMARY KEY (session_id, turn, round, task_id),
    UNIQUE (session_id, turn, round, branch),
    FOREIGN KEY (session_id, turn) REFERENCES diagnosis_turn (session_id, number) ON DELETE CASCADE
);

CREATE TABLE tool_invocation (
    session_id TEXT NOT NULL,
    id TEXT NOT NULL,
    turn INTEGER NOT NULL,
    round INTEGER NOT NULL,
    attempt INTEGER NOT NULL,
    branch INTEGER NOT NULL,
    tool_name TEXT NOT NULL,
    arguments TEXT NOT NULL,
    evidence_bearing INTEGER NOT NULL,
    status TEXT,
    -- Null while the call runs.
    success INTEGER,
    error TEXT,
    deduped_of TEXT,
    output_sha256 TEXT,
    output_bytes INTEGER,
    output_cut INTEGER NOT NULL,
    source_labels TEXT NOT NULL,
    started_at TEXT NOT NULL,
    duration_ms INTEGER,
    PRIMARY KEY (session_id, id),
    FOREIGN KEY (session_id, turn) REFERENCES diagnosis_turn (session_id, number) ON DELETE CASCADE
);
CREATE INDEX tool_invocation_turn ON tool_invocation (session_id, turn, round, branch);

-- Outputs apart, so that a scan of rows does not drag megabytes along; zlib-compressed JSON.
CREATE TABLE tool_output (
    session_id TEXT NOT NULL,
    invocation_id TEXT NOT NULL,
    body BLOB NOT NULL,
    PRIMARY KEY (session_id, invocation_id),
    FOREIGN KEY (session_id, invocation_id) REFERENCES tool_invocation (session_id, id) ON DELETE CASCADE
);
