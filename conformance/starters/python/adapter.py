"""An adapter to begin with: it speaks the protocol, and skips every question. Put your game behind it.

python3 adapter.py --check                  a self-check, without anything else
biriba conform --smoke -- python3 adapter.py
biriba conform -- python3 adapter.py
"""

import json
import sys

IMPLEMENTATION = {
    "name": "my-biriba",
    "version": "0.1",
    "language": "Python",
    "homepage": "",
    # Take away the levels that your game cannot do: they are then reported as not covered.
    "levels": ["melds", "scoring", "actions", "legal", "games", "views", "match"],
    "rulesets": [{"name": "biriba"}],
    "texts": False,  # True: actions without a JSON form are asked too
    "reasons": False,  # True: your reasons for a rejection are ids of clauses
    "omits": [],  # zones and states that your game does not have
}


class Case:
    """The questions of one message `run`. Each case begins anew."""

    def __init__(self, given):
        # given: {"position": ...}, {"deck": ..., "dealer": ..., "actions": ...}, {"totals": ...}, or {}
        self.given = given

    def answer(self, question):
        if "act" in question:  # play it if it is legal
            return {"skipped": "act"}  # {"legal": True} or {"legal": False}
        if "judge" in question:  # the same, but do not play it
            return {"skipped": "judge"}
        if "meld" in question:
            return {"skipped": "meld"}  # {"lawful": True, "clean": True, "value": 15, ...} or {"lawful": False}
        if "layouts" in question:
            return {"skipped": "layouts"}  # {"melds": [{"template": "run", "key": "H", "low": 3, "cards": [...]}]}
        if "value" in question:
            return {"skipped": "value"}  # {"value": 75}
        if "tell" in question:
            return {"skipped": ", ".join(question["tell"])}  # {"position": {...}, "score": {"X": 0, "Y": 0}}
        return {"skipped": "not known"}


def reply(message):
    if message["cmd"] == "start":
        return {"protocol": 1, "implementation": IMPLEMENTATION}
    try:
        case = Case(message["case"].get("given", {}))
        return {"answers": [case.answer(question) for question in message["case"]["questions"]]}
    except Exception as error:
        return {"errored": f"{type(error).__name__}: {error}"}


def check():
    """What the harness would send, without the harness."""
    meld = {"text": "9H 9S 9D", "json": {"template": "set", "key": "9", "low": None, "cards": ["9H", "9S", "9D"]}}
    started = reply({"cmd": "start", "seq": 1, "protocol": 1, "harness": "self-check"})
    assert started["implementation"]["levels"], "it claims no level"
    questions = [{"meld": meld, "tell": ["clean"]}, {"value": ["9H"]}]
    ran = reply({"cmd": "run", "seq": 2, "case": {"questions": questions}})
    assert "answers" in ran, ran
    for question, answer in zip(questions, ran["answers"], strict=False):
        print(json.dumps(question), "->", json.dumps(answer))
    assert len(ran["answers"]) == len(questions), "there must be one answer for each question"
    print("the self-check has passed")


def main():
    if "--check" in sys.argv:
        return check()
    for line in sys.stdin:
        message = json.loads(line)
        if message["cmd"] == "stop":
            return None
        print(json.dumps({"seq": message["seq"], **reply(message)}), flush=True)
    return None


if __name__ == "__main__":
    main()
