"""`superbiz diagnose`: a question and evidence in, a verified answer out; resumes what was interrupted."""

import argparse
import asyncio
import json
import signal
import sys
from datetime import datetime
from pathlib import Path
from typing import Any

from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.runtime import RunControl

from superbiz.graph.domain.answer import TurnStatus
from superbiz.graph.domain.ids import SessionId
from superbiz.graph.domain.plan import Language
from superbiz.graph.domain.session import Turn
from superbiz.graph.domain.times import to_utc
from superbiz.graph.entry.console import Progress, complain, remark, say
from superbiz.graph.entry.report import exit_code, report
from superbiz.graph.entry.run import run_turn
from superbiz.graph.entry.world import directory_ports, new_session_id
from superbiz.graph.errors import EvidenceError, NotFoundError, QuestionError, SettingsError
from superbiz.graph.ports import Ports
from superbiz.graph.settings import Settings, load_settings
from superbiz.graph.state import DiagnosisInput
from superbiz.nodes.planner import check_question
from superbiz.prompts.phrases import phrase
from superbiz.store.checkpoints import open_checkpointer
from superbiz.store.open import open_store


def run(options: argparse.Namespace) -> int:
    """Run the command. Raises InputError for what a person can mend."""
    settings = load_settings()
    question = _question(options)
    if options.model or settings.model:
        complain(phrase(_language(options, settings), "notes.no_models", model=options.model or settings.model))
    given = None if question is None else _input(question, options, settings)
    try:
        turn = asyncio.run(_diagnose(options, settings, given))
    except asyncio.CancelledError as error:
        raise KeyboardInterrupt from error
    if options.json:
        say(json.dumps(report(turn), ensure_ascii=False, allow_nan=False))
    elif turn.answer is not None:
        say(turn.answer.text)
    _tell_session(turn)
    return exit_code(turn)


async def _diagnose(options: argparse.Namespace, settings: Settings, given: DiagnosisInput | None) -> Turn:
    url = options.store or settings.store_url
    session = SessionId(options.session or new_session_id())
    async with open_store(url) as store, open_checkpointer(url) as saver:
        last = await store.turn(session)
        if given is None:
            if last is None:
                raise NotFoundError("there is no session {session} to go on with: give a question", session=session)
            if last.status in (TurnStatus.ANSWERED, TurnStatus.CLARIFY):
                return last
        ports = directory_ports(store, _evidence(options, settings, last), _language(options, settings))
        return await _run(ports, saver, session, given)


async def _run(ports: Ports, saver: BaseCheckpointSaver[Any], session: SessionId, given: DiagnosisInput | None) -> Turn:
    """The turn as it ended or was stopped. Raises CancelledError when it was stopped before there was one."""
    progress, control, begun = Progress(ports.language, sys.stderr), RunControl(), asyncio.Event()
    if given is None:
        begun.set()

    def on_step(node: str, ended: bool) -> None:
        if ended:
            begun.set()
        progress.step(node, ended)

    _listen(control, begun)
    try:
        return await run_turn(ports, saver, session, given, on_step=on_step, control=control)
    except asyncio.CancelledError:
        stopped = await ports.store.turn(session)
        if stopped is None or stopped.status is not TurnStatus.INTERRUPTED:
            raise
        return stopped


def _listen(control: RunControl, begun: asyncio.Event) -> None:
    """The first Ctrl-C or SIGTERM stops at the next step, so that the turn can be resumed; the second at once.

    So does one before the turn has begun: a drain would leave the question unopened, and the session's last turn
    would be taken for its answer.
    """
    loop, task = asyncio.get_running_loop(), asyncio.current_task()

    def stop() -> None:
        if task is not None and (control.drain_requested or not begun.is_set()):
            task.cancel()
        control.request_drain("signal")

    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop)


def _question(options: argparse.Namespace) -> str | None:
    """The question, checked; None to resume a session. Raises QuestionError."""
    text: str | None = options.question
    if text is None and options.session:
        return None
    if text is None or text == "-":
        if sys.stdin is None or (text is None and sys.stdin.isatty()):
            raise QuestionError(
                'a question is needed: superbiz diagnose --evidence DIR "…", or give it on standard input'
            )
        text = sys.stdin.buffer.read().decode("utf-8", errors="replace")
    return check_question(text)


def _input(question: str, options: argparse.Namespace, settings: Settings) -> DiagnosisInput:
    since, until = _moment("--since", options.since), _moment("--until", options.until)
    if since is not None and until is not None and since > until:
        raise SettingsError(
            "--since {since} is later than --until {until}: nothing lies between",
            since=options.since,
            until=options.until,
        )
    return {
        "question": question,
        "as_of": _moment("--as-of", options.as_of),
        "since": since,
        "until": until,
        "language": _language(options, settings),
    }


def _moment(option: str, text: str | None) -> datetime | None:
    if text is None:
        return None
    try:
        return to_utc(datetime.fromisoformat(text))
    except (ValueError, OverflowError) as error:
        raise SettingsError(
            "{option} {text!r} is no RFC 3339 time, such as 2026-03-02T08:30:00Z", option=option, text=text
        ) from error


def _language(options: argparse.Namespace, settings: Settings) -> Language:
    return Language(options.lang) if options.lang else settings.lang


def _evidence(options: argparse.Namespace, settings: Settings, last: Turn | None) -> Path:
    """The option, then where the session looked before, then the setting."""
    if options.evidence:
        return Path(options.evidence)
    if last is not None:
        return Path(last.inquiry.evidence)
    if settings.evidence is not None:
        return settings.evidence.expanduser()
    raise EvidenceError("no evidence: give --evidence DIR (with logs/ metrics/ runbooks/), or set SUPERBIZ_EVIDENCE")


def _tell_session(turn: Turn) -> None:
    """On a terminal, how to look deeper or go on; elsewhere the JSON holds the session."""
    if sys.stderr.isatty() or turn.status is TurnStatus.INTERRUPTED:
        key = "notes.interrupted" if turn.status is TurnStatus.INTERRUPTED else "notes.session"
        remark(phrase(turn.inquiry.language, key, session=turn.inquiry.session_id))
