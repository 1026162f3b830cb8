"""Fake implementations for the tests, one process each: `python fakes.py NAME`.

Each says what it can do, more or less truly, and misbehaves in its own way.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

LEVELS = ["melds", "scoring", "actions", "legal", "games", "views", "match"]


def say(message: Any) -> None:
    print(json.dumps(message), flush=True)


def started(seq: int, levels: list[str] | None = None, **more: Any) -> dict[str, Any]:
    who = {
        "name": sys.argv[1],
        "version": "1",
        "language": "Python",
        "levels": levels or LEVELS,
        "rulesets": [{"name": "biriba"}],
    }
    return {"seq": seq, "protocol": 1, "implementation": {**who, **more}}


def serve(run: Callable[[int, list[dict[str, Any]]], Any], start: Callable[[int], Any] = started) -> None:
    for line in sys.stdin:
        message = json.loads(line)
        match message["cmd"]:
            case "start":
                say(start(message["seq"]))
            case "run":
                answer = run(message["seq"], message["case"]["questions"])
                if answer is not None:
                    say(answer)
            case "stop":
                return


def verdicts(yes: bool) -> Callable[[int, list[dict[str, Any]]], Any]:
    """Answers whatever it can with yes, or with no."""

    def one(question: dict[str, Any]) -> dict[str, Any]:
        if "act" in question or "judge" in question:
            return {"legal": yes}
        if "meld" in question:
            return {"lawful": yes, **dict.fromkeys(question["tell"], 0)}
        if "layouts" in question:
            return {"melds": []}
        if "value" in question:
            return {"value": 0}
        return {"skipped": "it knows nothing"}

    return lambda seq, questions: {"seq": seq, "answers": [one(question) for question in questions]}


def always_yes() -> None:
    """Finds everything legal and lawful."""
    serve(verdicts(True))


def always_no() -> None:
    """Finds nothing legal or lawful."""
    serve(verdicts(False))


def modest() -> None:
    """Claims the melds alone, and skips every question."""
    serve(
        lambda seq, questions: {"seq": seq, "answers": [{"skipped": "too hard"}] * len(questions)},
        lambda seq: started(seq, ["melds"]),
    )


def skips_cases() -> None:
    """Skips whole cases."""
    serve(lambda seq, questions: {"seq": seq, "skipped": "not today"})


def errs() -> None:
    """Says of every case that it has failed."""
    serve(lambda seq, questions: {"seq": seq, "errored": "NullPointerException", "context": {"line": 7}})


def slow() -> None:
    """Never answers in time."""

    def wait(seq: int, questions: Any) -> None:
        time.sleep(60)

    serve(wait)


def crashes() -> None:
    """Crashes at every case, with words on standard error."""

    def crash(seq: int, questions: Any) -> None:
        print("out of cards", file=sys.stderr, flush=True)
        os._exit(3)

    serve(crash)


def crashes_at_second() -> None:
    """Answers one case and crashes at the next."""
    done: list[int] = []

    def run(seq: int, questions: Any) -> Any:
        done.append(seq)
        if len(done) == 2:
            os.kill(os.getpid(), signal.SIGKILL)
        return verdicts(False)(seq, questions)

    serve(run)


def starts_once() -> None:
    """Crashes at its first case, and never starts again."""
    mark = sys.argv[2]
    if os.path.exists(mark):
        sys.exit("I am tired")
    open(mark, "w").close()
    crashes()


def never_starts() -> None:
    """Ends before it has said anything."""
    print("no display", file=sys.stderr)
    sys.exit(7)


def sleeps_at_start() -> None:
    """Does not answer to start."""
    time.sleep(60)


def babbles() -> None:
    """Prints something for people before each answer."""

    def run(seq: int, questions: Any) -> Any:
        print("thinking …", flush=True)
        return verdicts(True)(seq, questions)

    serve(run)


def partial() -> None:
    """Ends in the middle of a line."""

    def run(seq: int, questions: Any) -> None:
        sys.stdout.write('{"seq": 2, "answers": [{"leg')
        sys.stdout.flush()
        os._exit(0)

    serve(run)


def floods() -> None:
    """Writes without end, and never ends a line."""

    def run(seq: int, questions: Any) -> None:
        while True:
            sys.stdout.write("x" * 65536)

    serve(run)


def floods_lines() -> None:
    """Writes lines without end."""

    def run(seq: int, questions: Any) -> None:
        while True:
            sys.stdout.write('{"seq": 0}\n' * 1000)

    serve(run)


def floods_stderr() -> None:
    """Writes megabytes on standard error, and answers."""

    def run(seq: int, questions: Any) -> Any:
        sys.stderr.write("noise\n" * 200_000)
        sys.stderr.flush()
        return {"seq": seq, "errored": "tired"}

    serve(run)


def wrong_seq() -> None:
    """Answers to something else."""
    serve(lambda seq, questions: {"seq": seq + 1, "answers": []})


def too_few() -> None:
    """Answers fewer questions than there were."""
    serve(lambda seq, questions: {"seq": seq, "answers": []})


def bad_form() -> None:
    """Answers with values of the wrong kind."""
    serve(
        lambda seq, questions: {
            "seq": seq,
            "answers": [{"legal": "yes", "lawful": 1, "position": [], "value": "x"}] * len(questions),
        }
    )


def no_object() -> None:
    """Answers with a list."""
    serve(lambda seq, questions: ["hello"])


def lies() -> None:
    """Claims a level that there is not."""
    serve(verdicts(True), lambda seq: started(seq, ["melds", "telepathy"]))


def other_protocol() -> None:
    """Speaks another version of the protocol."""
    serve(verdicts(True), lambda seq: {**started(seq), "protocol": 2})


def other_rules() -> None:
    """Plays by other rules."""
    serve(verdicts(True), lambda seq: started(seq, None, rulesets=[{"name": "biriba", "version": "0.1"}]))


def own_rules() -> None:
    """Finds nothing lawful in a rule set of somebody's own."""
    serve(verdicts(False), lambda seq: started(seq, None, rulesets=[{"name": "own"}]))


def deaf() -> None:
    """Does not end when it is asked to, and has a child that does not either."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    child = subprocess.Popen(
        [sys.executable, "-c", "import signal, time; signal.signal(15, signal.SIG_IGN); time.sleep(120)"]
    )
    with open(sys.argv[2], "w") as file:
        file.write(str(child.pid))

    def wait(seq: int, questions: Any) -> None:
        while True:
            time.sleep(60)

    serve(wait)


def deaf_to_stop() -> None:
    """Does not end when it is told to stop."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    serve(verdicts(True))
    while True:
        time.sleep(60)


def never_reads() -> None:
    """Answers to start, and then reads no more."""
    say(started(json.loads(sys.stdin.readline())["seq"]))
    time.sleep(60)


if __name__ == "__main__":
    globals()[sys.argv[1]]()
