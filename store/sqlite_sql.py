"""The SQL of the SQLite store, named; always with parameters."""

SESSION = "SELECT * FROM diagnosis_session WHERE id = :session_id"

INSERT_SESSION = """
    INSERT INTO diagnosis_session (id, tenant, title, language, status, record_version, created_at, updated_at)
    VALUES (:id, :tenant, :title, :language, :status, :record_version, :now, :now)
    ON CONFLICT (id) DO NOTHING
"""

INSERT_TURN = """
    INSERT INTO diagnosis_turn (
        session_id, number, question, language, as_of, since, until, evidence, status, rounds, created_at, updated_at
    ) VALUES (
        :session_id, :number, :question, :language, :as_of, :since, :until, :evidence, 'running', 0, :now, :now
    )
    ON CONFLICT (session_id, number) DO NOTHING
"""

_TURNS = """
    SELECT diagnosis_turn.*, record_version FROM diagnosis_turn
    JOIN diagnosis_session ON diagnosis_session.id = session_id
    WHERE session_id = :session_id
"""

TURN = f"{_TURNS} AND number = :number"

TURNS = f"{_TURNS} ORDER BY number"

LATEST_TURN = f"{_TURNS} ORDER BY number DESC LIMIT 1"

SET_TURN_EVALUATION = """
    UPDATE diagnosis_turn SET self_evaluation = :merged, updated_at = :now
    WHERE session_id = :session_id AND number = :number
"""

SET_SESSION_EVALUATION = """
    UPDATE diagnosis_session SET self_evaluation = :merged, updated_at = :now WHERE id = :session_id
"""

END_TURN = """
    UPDATE diagnosis_turn
    SET status = :status, verdict = :verdict, groundedness_score = :groundedness_score, rounds = :rounds,
        answer = :answer, usage = :usage, updated_at = :now
    WHERE session_id = :session_id AND number = :number
"""

INTERRUPT_TURN = """
    UPDATE diagnosis_turn SET status = 'interrupted', updated_at = :now
    WHERE session_id = :session_id AND number = :number AND status = 'running'
"""

BRANCH = """
    SELECT branch FROM diagnosis_branch
    WHERE session_id = :session_id AND turn = :turn AND round = :round AND task_id = :task_id
"""

INSERT_BRANCH = """
    INSERT INTO diagnosis_branch (session_id, turn, round, task_id, branch)
    SELECT :session_id, :turn, :round, :task_id, COALESCE(MAX(branch) + 1, 0) FROM diagnosis_branch
    WHERE session_id = :session_id AND turn = :turn AND round = :round
    RETURNING branch
"""

INVOCATION = """
    SELECT tool_invocation.*, body FROM tool_invocation
    LEFT JOIN tool_output ON tool_output.session_id = tool_invocation.session_id AND invocation_id = id
    WHERE tool_invocation.session_id = :session_id AND id = :id
"""

INSERT_INVOCATION = """
    INSERT INTO tool_invocation (
        session_id, id, turn, round, attempt, branch, tool_name, arguments, evidence_bearing, status, success, error,
        deduped_of, output_sha256, output_bytes, output_cut, source_labels, started_at, duration_ms
    ) VALUES (
        :session_id, :id, :turn, :round, :attempt, :branch, :tool_name, :arguments, :evidence_bearing, :status,
        :success, :error, :deduped_of, :output_sha256, :output_bytes, :output_cut, :source_labels, :started_at,
        :duration_ms
    )
"""

RESTART_INVOCATION = """
    UPDATE tool_invocation SET attempt = :attempt, started_at = :started_at
    WHERE session_id = :session_id AND id = :id AND success IS NULL
"""

FINISH_INVOCATION = """
    UPDATE tool_invocation
    SET status = :status, success = :success, error = :error, deduped_of = :deduped_of,
        output_sha256 = :output_sha256, output_bytes = :output_bytes, output_cut = :output_cut,
        source_labels = :source_labels, duration_ms = :duration_ms
    WHERE session_id = :session_id AND id = :id AND success IS NULL
"""

INSERT_OUTPUT = "INSERT INTO tool_output (session_id, invocation_id, body) VALUES (:session_id, :id, :body)"

TURN_INVOCATIONS = """
    SELECT id FROM tool_invocation WHERE session_id = :session_id AND turn = :turn
    ORDER BY round, branch, rowid
"""
