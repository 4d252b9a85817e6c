"""Wall time and peak memory of `superbiz diagnose`, as ratios of what the bare command costs in the same run.

    .venv/bin/python benchmarks/diagnose.py [DIR QUESTION]...

Without arguments the bundled example is diagnosed. Machines differ and are noisy: compare the ratios, not the seconds.
"""

import os
import sys
import sysconfig
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

COMMAND = str(Path(sysconfig.get_path("scripts")) / "superbiz")
EXAMPLE = Path(__file__).parents[1] / "examples/checkout-incident"
RUNS = 3


class Cost(NamedTuple):
    """The best of `RUNS` runs: least seconds, least peak of resident memory in MB."""

    seconds: float
    megabytes: float


def cost(*arguments: str) -> Cost:
    """Of one command."""
    return Cost(*map(min, zip(*(_run(arguments) for _ in range(RUNS)), strict=True)))


def _run(arguments: tuple[str, ...]) -> Cost:
    with open(os.devnull, "w") as nowhere:
        start = time.perf_counter()
        process = os.posix_spawn(
            COMMAND, [COMMAND, *arguments], os.environ, file_actions=[(os.POSIX_SPAWN_DUP2, nowhere.fileno(), 1)]
        )
        usage = os.wait4(process, 0)[2]
    return Cost(time.perf_counter() - start, usage.ru_maxrss / 1024)


def measure(incidents: list[tuple[str, str]]) -> Iterator[str]:
    """One line an incident."""
    with tempfile.TemporaryDirectory() as home:
        store = f"sqlite:///{home}/benchmark.db"
        bare, ready = cost("--version"), cost("doctor", "--store", store)
        yield f"bare command: {_said(bare)}"
        yield f"ready, with all that a diagnosis imports: {_said(ready)}"
        for directory, question in incidents:
            found = cost("diagnose", question, "--evidence", directory, "--store", store)
            size = sum(path.stat().st_size for path in Path(directory).rglob("*") if path.is_file()) / 2**20
            ratios = (
                f"{found.seconds / ready.seconds:.1f} × the time, {found.megabytes / ready.megabytes:.1f} × the memory"
            )
            yield f"{Path(directory).name}, {size:.1f} MB: {_said(found)}; of ready {ratios}"


def _said(cost: Cost) -> str:
    return f"{cost.seconds:.2f} s, {cost.megabytes:.0f} MB"


if __name__ == "__main__":
    given = sys.argv[1:]
    question = (EXAMPLE / "question.txt").read_text("utf-8").splitlines()[0]
    pairs = list(zip(given[::2], given[1::2], strict=True)) or [(str(EXAMPLE), question)]
    for line in measure(pairs):
        sys.stdout.write(f"{line}\n")
