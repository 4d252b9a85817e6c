"""The command `superbiz`: reads the command line, hands over to one module a command, turns errors into exit codes.

Importing this module must stay cheap: commands are imported when they are run.
"""

import argparse
import io
import os
import sys
from collections.abc import Callable, Sequence
from importlib import metadata

from superbiz.graph.errors import InputError, InternalError, SuperBizError

EXIT_USAGE = 2
EXIT_OTHER = 1
EXIT_INTERRUPTED = 130

LATER = {
    "verify": "check anybody's text or claims against evidence",
    "replay": "recompute labels and verdict from the record",
    "db": "migrate, prune and delete what is stored",
    "serve": "serve diagnoses over HTTP",
    "keys": "manage keys of the HTTP service",
    "mcp": "speak MCP",
    "knowledge": "manage and search a knowledge base",
    "sources": "manage evidence sources beside directories",
}
"""Commands of the public interface that this version does not have yet."""

Command = Callable[[argparse.Namespace], int]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; the exit code is DESIGN.md's."""
    _prepare_streams()
    options = _parser().parse_args(_known(sys.argv[1:] if arguments is None else arguments))
    run: Command = options.run
    try:
        code = run(options)
        sys.stdout.flush()
        return code
    except SuperBizError as error:
        _complain(error, getattr(options, "lang", None))
        return EXIT_USAGE if isinstance(error, InputError) else EXIT_OTHER
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED
    except BrokenPipeError:
        _settle_output()
        return EXIT_OTHER
    except Exception as error:
        if os.environ.get("SUPERBIZ_DEBUG"):
            raise
        template = "this is a fault of superbiz ({kind}: {message}); SUPERBIZ_DEBUG=1 shows where"
        message = " ".join(str(error).split())
        _complain(InternalError(template, kind=type(error).__name__, message=message), getattr(options, "lang", None))
        _settle_output()
        return EXIT_OTHER


def _prepare_streams() -> None:
    """Neither a closed stream nor a C or GBK locale may turn a Chinese answer into a traceback (field bug 55)."""
    sys.stdout, sys.stderr = (stream or io.StringIO() for stream in (sys.stdout, sys.stderr))
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="replace")


def _settle_output() -> None:
    """What cannot be written (the reader has gone, the disk is full) is dropped.

    Else the interpreter would try once more when it ends, complain of its own and choose another exit code.
    """
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _complain(error: SuperBizError, lang: str | None) -> None:
    """Say what is wrong in the user's language: the option, else the setting, else Chinese."""
    from superbiz.graph.domain.plan import Language
    from superbiz.graph.entry.console import complain
    from superbiz.prompts.phrases import explain

    wanted = lang or os.environ.get("SUPERBIZ_LANG", "")
    language = Language(wanted) if wanted in set(Language) else Language.ZH
    complain(explain(language, error))


def _utf_8(text: str) -> str:
    """The argument as UTF-8 where the locale could not read it: a C locale leaves surrogates in place of Chinese."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return os.fsencode(text).decode("utf-8", "replace")
    return text


def _known(arguments: Sequence[str]) -> Sequence[str]:
    """The arguments; of a later version's command its name alone, for what follows is not known yet."""
    return arguments[:1] if arguments and arguments[0] in LATER else arguments


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="superbiz",
        description="Answers on-call questions from logs, metrics, alerts and runbooks; says no more than they show.",
        epilog="Exit: 0 PASS, 3 LOW_CONFID, 4 REJECT, 6 clarification asked, 2 bad input, 130 interrupted, 1 else.",
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"superbiz {metadata.version('superbiz')}")
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    _diagnose(commands.add_parser("diagnose", help="answer a question from evidence", allow_abbrev=False))
    _trace(
        commands.add_parser("trace", help="what was asked, found, claimed, checked, changed, said", allow_abbrev=False)
    )
    _doctor(commands.add_parser("doctor", help="what is configured, reachable, and would be used", allow_abbrev=False))
    for name, help_text in LATER.items():
        later = commands.add_parser(name, help=f"{help_text} (not in this version yet)", add_help=False)
        later.set_defaults(run=_not_yet, command=name)
    return parser


def _diagnose(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "question", nargs="?", type=_utf_8, help="the question; `-` or nothing reads it from standard input"
    )
    parser.add_argument("--evidence", metavar="DIR", help="directory with logs/ metrics/ runbooks/ meta.json")
    parser.add_argument("--as-of", metavar="TS", help="the moment to judge ages and alert ends against (RFC 3339)")
    parser.add_argument("--since", metavar="TS", help="look at events from this moment on (RFC 3339)")
    parser.add_argument("--until", metavar="TS", help="look at events up to this moment (RFC 3339)")
    parser.add_argument("--lang", choices=("zh", "en"), help="language of the answer (default zh)")
    parser.add_argument("--model", metavar="NAME", help="model to play the roles (this version plays them by code)")
    parser.add_argument(
        "--session", metavar="ID", type=_utf_8, help="open a new turn in this session; without a question, resume it"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    _store_option(parser)
    parser.set_defaults(run=_run_diagnose)


def _trace(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("session", metavar="SESSION", type=_utf_8)
    parser.add_argument("--turn", type=int, metavar="N", help="the turn to tell (default: the latest)")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    _store_option(parser)
    parser.set_defaults(run=_run_trace)


def _doctor(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--evidence", metavar="DIR", help="also check this evidence directory")
    parser.add_argument("--json", action="store_true", help="print a JSON array of findings")
    _store_option(parser)
    parser.set_defaults(run=_run_doctor)


def _store_option(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--store", metavar="URL", help="where sessions are kept: sqlite:///path or memory:")


def _run_diagnose(options: argparse.Namespace) -> int:
    from superbiz.graph.entry.diagnose import run

    return run(options)


def _run_trace(options: argparse.Namespace) -> int:
    from superbiz.graph.entry.trace import run

    return run(options)


def _run_doctor(options: argparse.Namespace) -> int:
    from superbiz.graph.entry.doctor import run

    return run(options)


def _not_yet(options: argparse.Namespace) -> int:
    raise InputError(
        "`superbiz {command}` is not in this version yet; `superbiz --help` shows what is", command=options.command
    )
