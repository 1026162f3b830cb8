"""Biriba in one file of plain Python, and an adapter for it: an example that shares no code with the reference.

    biriba conform -- python3 adapter.py

The game is the upper part; from `class Case` on it is connected to the protocol.
"""

import json
import sys
from collections import Counter
from itertools import product

SUITS, RANKS = "HSDC", "A23456789TJQK"
PLACES = RANKS + "A"  # the places 1 to 14 of a run
DECK = [rank + suit for suit in SUITS for rank in RANKS] * 2 + ["JK"] * 4
WILDS = ["JK", "2H", "2S", "2D", "2C"]
COPIES = Counter(DECK)
SEATS = "ABCD"
SIDES = {"X": "AC", "Y": "BD"}
TARGET = 5000
MOST_PASSES = 4


def value(card):
    if card == "JK":
        return 20
    if card[0] == "A":
        return 15
    return 5 if card[0] in "34567" else 10


def right(seat):
    return SEATS[(SEATS.index(seat) + 1) % 4]


def left(seat):
    return SEATS[(SEATS.index(seat) - 1) % 4]


def side(seat):
    return "X" if seat in SIDES["X"] else "Y"


# ---------------------------------------------------------------- melds


class Meld:
    """A run (key: its suit, low: the place of its first card) or a set (key: its rank, low: None)."""

    def __init__(self, template, key, low, cards):
        if template == "set":
            order = [*dict.fromkeys(DECK)]
            cards = sorted(cards, key=lambda card: (card == "JK" or card[0] != key, order.index(card)))
        self.template, self.key, self.low, self.cards = template, key, low, tuple(cards)
        self.same = (template, key, low, self.cards)

    def __eq__(self, other):
        return self.same == other.same

    def __hash__(self):
        return hash(self.same)

    def natural(self, index):
        """Whether the card at an index stands for itself."""
        card = self.cards[index]
        if self.template == "set":
            return card != "JK" and card[0] == self.key
        place = self.low + index
        return 1 <= place <= 14 and card == PLACES[place - 1] + self.key

    def substitutes(self):
        return [i for i in range(len(self.cards)) if not self.natural(i)]

    def clean(self):
        return not self.substitutes()

    def biriba(self):
        return len(self.cards) >= 7

    def fits(self):
        """Whether its cards are of one run or set, whatever the numbers are."""
        if self.template == "run" and (self.low is None or self.low < 1 or self.low + len(self.cards) - 1 > 14):
            return False
        return all(self.cards[i] in WILDS for i in self.substitutes())

    def lawful(self):
        if self.template not in ("run", "set") or not self.fits():
            return False
        if len(self.cards) < 3 or len(self.substitutes()) > 1:
            return False
        if self.template == "run" and len(self.cards) > 13:
            return False
        if self.template == "set" and self.key == "2":
            return False
        return all(n <= COPIES[card] for card, n in Counter(self.cards).items())

    def value(self):
        return sum(map(value, self.cards))

    def bonus(self):
        if not self.biriba():
            return 0
        if self.template == "set":
            return 300 if self.clean() else 150
        if len(self.cards) == 13:
            return 1000 if self.clean() else 500
        return 200 if self.clean() else 100

    def growths(self, card):
        """What the meld becomes with one more card: for each end and moved wild the new meld, if it is lawful."""
        found = {}
        if self.template == "set":
            found[None, None] = Meld("set", self.key, None, (*self.cards, card))
        else:
            found["low", None] = Meld("run", self.key, self.low - 1, (card, *self.cards))
            found["high", None] = Meld("run", self.key, self.low, (*self.cards, card))
            for i in self.substitutes():
                if card == PLACES[self.low + i - 1] + self.key:
                    moved = self.cards[i]
                    cards = (*self.cards[:i], card, *self.cards[i + 1 :])
                    found["low", moved] = Meld("run", self.key, self.low - 1, (moved, *cards))
                    found["high", moved] = Meld("run", self.key, self.low, (*cards, moved))
        return {how: meld for how, meld in found.items() if meld.lawful()}

    def grown(self, card, times):
        """All melds that it becomes by one to so many copies of a card, each with their number."""
        now, found = {self}, []
        for n in range(1, times + 1):
            now = {meld for old in now for meld in old.growths(card).values()}
            found += [(n, meld) for meld in now]
        return found


def layouts(cards):
    """All lawful melds of just these cards."""
    found = {Meld("set", rank, None, cards) for rank in RANKS}
    held, n = Counter(cards), len(cards)
    for suit, low in product(SUITS, range(1, 15 - n + 1)):
        natural = [PLACES[low + i - 1] + suit for i in range(n)]
        if Counter(natural) == held:
            found.add(Meld("run", suit, low, natural))
        for i in range(n):
            rest = held - Counter(natural[:i] + natural[i + 1 :])
            if rest.total() == 1:
                (wild,) = rest
                found.add(Meld("run", suit, low, [*natural[:i], wild, *natural[i + 1 :]]))
    return [meld for meld in found if meld.lawful() and Counter(meld.cards) == held]


def melds_from(hand):
    """All lawful melds that can be made of cards of a hand."""
    held, found = Counter(hand), set()
    wilds = [wild for wild in WILDS if held[wild]]
    for suit, low in product(SUITS, range(1, 13)):
        for n in range(3, min(13, 14 - low + 1) + 1):
            natural = [PLACES[low + i - 1] + suit for i in range(n)]
            missing = [i for i in range(n) if not held[natural[i]]]
            if len(missing) > 1:
                break
            for i in missing or [None, *range(n)]:
                if i is None:
                    found.add(Meld("run", suit, low, natural))
                for wild in wilds if i is not None else ():
                    found.add(Meld("run", suit, low, [*natural[:i], wild, *natural[i + 1 :]]))
    for rank in RANKS:
        faces = [rank + suit for suit in SUITS]
        for counts in product(*(range(held[face] + 1) for face in faces)):
            cards = [face for face, n in zip(faces, counts, strict=False) for _ in range(n)]
            for wild in [[], *([w] for w in wilds)]:
                found.add(Meld("set", rank, None, cards + wild))
    return [meld for meld in found if meld.lawful() and not Counter(meld.cards) - held]


# ---------------------------------------------------------------- the game


class Game:
    """A deal under way. An action returns whether it is legal; if it is not, throw the game away."""

    def __init__(self):
        self.phase, self.turn, self.dealer = "start", "A", "D"
        self.stock, self.discard = [], []
        self.hand = {seat: [] for seat in SEATS}
        self.packet = {"1": [], "2": []}
        self.melds = {"X": [], "Y": []}
        self.passes, self.barred, self.closer = 0, None, None
        self.taken = {"X": False, "Y": False}
        self.idle = dict.fromkeys(SEATS, False)

    @staticmethod
    def dealt(deck, dealer):
        game = Game()
        game.dealer, game.turn = dealer, right(dealer)
        game.stock = list(reversed(deck))
        for _ in range(11):
            seat = dealer
            for _ in SEATS:
                seat = right(seat)
                game.hand[seat].append(game.stock.pop())
        for packet in game.packet.values():
            packet += [game.stock.pop() for _ in range(11)]
        game.discard.append(game.stock.pop())
        return game

    @staticmethod
    def read(told):
        game, zones, states = Game(), told["zones"], told["states"]
        game.phase, game.turn, game.dealer = told["phase"], told["turn"], told["dealer"]
        game.stock, game.discard = list(zones["stock"]), list(zones["discard"])
        game.hand = {seat: list(cards) for seat, cards in zones["hand"].items()}
        game.packet = {number: list(cards) for number, cards in zones["packet"].items()}
        game.melds = {owner: [read_meld(meld) for meld in melds] for owner, melds in zones["melds"].items()}
        game.passes, game.barred, game.closer = states["passes"], states["barred"], states["closer"]
        game.taken, game.idle = dict(states["taken"]), dict(states["idle"])
        return game

    def copy(self):
        return Game.read(self.tell())

    def tell(self, hidden=()):
        zones = {
            "stock": list(self.stock),
            "discard": list(self.discard),
            "hand": {seat: list(cards) for seat, cards in self.hand.items()},
            "packet": {number: list(cards) for number, cards in self.packet.items()},
            "melds": {owner: [tell_meld(meld) for meld in melds] for owner, melds in self.melds.items()},
        }
        for name, owner in hidden:
            if owner is None:
                zones[name] = len(zones[name])
            else:
                zones[name][owner] = len(zones[name][owner])
        states = {"passes": self.passes, "barred": self.barred, "closer": self.closer}
        states |= {"taken": dict(self.taken), "idle": dict(self.idle)}
        states |= {"lone_take": False, "stalled": 0}  # they never change under these rules
        return {"phase": self.phase, "turn": self.turn, "dealer": self.dealer, "zones": zones, "states": states}

    def view(self, seat):
        hidden = [("stock", None), ("packet", "1"), ("packet", "2")]
        return self.tell(hidden + [("hand", other) for other in SEATS if other != seat])

    # ------------------------------------------------------------ what the rules ask

    def has_biriba(self, owner):
        return any(meld.biriba() for meld in self.melds[owner])

    def may_discard(self, card):
        mine = side(self.turn)
        return card != self.barred and (len(self.hand[self.turn]) > 1 or self.has_biriba(mine))

    def packet_left(self):
        return not self.taken[side(self.turn)] and any(self.packet.values())

    def earns_packet(self):
        return not self.hand[self.turn] and self.packet_left() and self.has_biriba(side(self.turn))

    def can_empty(self):
        """Whether the hand can be laid to its last card, so that a packet comes."""
        hand, melds = self.hand[self.turn], self.melds[side(self.turn)]
        if not self.packet_left() or len(set(hand)) != 1:
            return False
        card, n = hand[0], len(hand)
        grown = [meld.grown(card, COPIES[card]) for meld in melds]
        room = sum(max((times for times, _ in of), default=0) for of in grown)
        makes = any(times <= n and meld.biriba() for of in grown for times, meld in of)
        return room >= n and (self.has_biriba(side(self.turn)) or makes)

    def can_finish(self):
        return any(self.may_discard(card) for card in self.hand[self.turn]) or self.can_empty()

    # ------------------------------------------------------------ actions

    def act(self, action, args, seat=None):
        """Play an action; false if it is not legal."""
        starting = action in ("draw", "take", "pass")
        if self.phase != ("start" if starting else "play") or seat not in (None, self.turn):
            return False
        return getattr(self, f"act_{action}")(**args)

    def act_draw(self):
        if not self.stock:
            return False
        self.hand[self.turn].append(self.stock.pop())
        self.begin()
        return True

    def act_take(self):
        if not self.discard:
            return False
        self.barred = self.discard[-1] if len(self.discard) == 1 else None
        self.hand[self.turn] += self.discard
        self.discard = []
        self.begin()
        return self.can_finish()

    def begin(self):
        self.phase, self.passes = "play", 0
        self.idle[self.turn] = False

    def act_pass(self):
        if self.stock:
            return False
        self.passes += 1
        if self.passes == MOST_PASSES:
            self.phase = "over"
        else:
            self.end_turn()
        return True

    def act_lay(self, m):
        meld = read_meld(m)
        if not meld.lawful() or not self.use(meld.cards):
            return False
        self.melds[side(self.turn)].append(meld)
        self.take_packet()
        return self.can_finish()

    def act_extend(self, m, g):
        melds = self.melds[m["owner"]]
        if m["owner"] != side(self.turn) or m["number"] > len(melds) or not self.use([g["card"]]):
            return False
        grown = melds[m["number"] - 1].growths(g["card"]).get((g["end"], g["moving"]))
        if grown is None:
            return False
        melds[m["number"] - 1] = grown
        self.take_packet()
        return self.can_finish()

    def act_discard(self, c):
        if not self.may_discard(c) or not self.use([c]):
            return False
        self.discard.append(c)
        mine = side(self.turn)
        if not self.hand[self.turn] and self.taken[mine]:
            self.closer, self.phase = mine, "over"
            return True
        if self.earns_packet():
            self.idle[self.turn] = True
            self.take_packet()
        self.end_turn()
        return True

    def use(self, cards):
        """Take cards out of the hand; false if they are not there."""
        hand = self.hand[self.turn]
        if Counter(cards) - Counter(hand):
            return False
        for card in cards:
            hand.remove(card)
        return True

    def take_packet(self):
        if self.earns_packet():
            self.taken[side(self.turn)] = True
            top = "2" if self.packet["2"] else "1"
            self.hand[self.turn], self.packet[top] = self.packet[top], []

    def end_turn(self):
        self.turn = right(self.turn)
        self.idle[self.turn] = False
        self.barred, self.phase = None, "start"

    def legal(self):
        """All legal actions, each with the game that it leads to."""
        if self.phase == "over":
            return []
        hand, mine = self.hand[self.turn], side(self.turn)
        if self.phase == "start":
            tried = [("draw", {}), ("take", {}), ("pass", {})]
        else:
            tried = [("lay", {"m": tell_meld(meld)}) for meld in melds_from(hand)]
            for number, meld in enumerate(self.melds[mine], 1):
                for card in set(hand):
                    for end, moving in meld.growths(card):
                        growth = {"card": card, "at": None, "moving": moving, "end": end}
                        tried.append(("extend", {"m": {"owner": mine, "number": number}, "g": growth}))
            tried += [("discard", {"c": card}) for card in set(hand)]
        found = []
        for action, args in tried:
            after = self.copy()
            if after.act(action, args):
                found.append((action, args, after))
        return found

    def perft(self, depth):
        if depth == 0:
            return 1
        return sum(after.perft(depth - 1) for _, _, after in self.legal())

    # ------------------------------------------------------------ the score of the deal

    def lines(self, owner):
        melds, seats = self.melds[owner], SIDES[owner]
        full = [meld for meld in melds if meld.template == "run" and len(meld.cards) == 13]
        runs = [meld for meld in melds if meld.template == "run" and meld not in full]
        in_hand = sum(value(card) for seat in seats if not self.idle[seat] for card in self.hand[seat])
        return {
            "melded cards": sum(meld.value() for meld in melds),
            "cards in hand": -in_hand,
            "run biriba": sum(meld.bonus() for meld in runs),
            "set biriba": sum(meld.bonus() for meld in melds if meld.template == "set"),
            "full run": sum(meld.bonus() for meld in full),
            "closing": 100 if self.closer == owner else 0,
            "no packet": 0 if self.taken[owner] else -100,
            "idle packet": -100 * sum(self.idle[seat] for seat in seats),
        }


def match(totals, dealer):
    """Whether a match is over, who has won, and who deals next."""
    best = max(totals.values())
    leaders = [owner for owner, total in totals.items() if total == best]
    over = best > TARGET and len(leaders) == 1
    return {"over": over, "winner": leaders[0] if over else None, "next_dealer": right(dealer)}


# ---------------------------------------------------------------- the protocol


def read_meld(told):
    return Meld(told["template"], told["key"], told["low"], told["cards"])


def tell_meld(meld):
    return {"template": meld.template, "key": meld.key, "low": meld.low, "cards": list(meld.cards)}


class Case:
    """The questions of one message `run`."""

    def __init__(self, given):
        self.given = given
        self.game = None
        if "position" in given:
            self.game = Game.read(given["position"])
        elif "deck" in given:
            self.game = Game.dealt(given["deck"], given["dealer"])
            for act in given.get("actions", []):
                self.game.act(act["json"]["action"], act["json"]["args"])

    def answer(self, question):
        if "act" in question or "judge" in question:
            return self.judge(question)
        if "meld" in question:
            return self.meld(read_meld(question["meld"]["json"]), question["tell"])
        if "layouts" in question:
            return {"melds": [tell_meld(meld) for meld in layouts(question["layouts"])]}
        if "value" in question:
            return {"value": sum(map(value, question["value"]))}
        if "tell" in question:
            return {name: getattr(self, name)(wanted) for name, wanted in question["tell"].items()}
        return {"skipped": "I do not know this question"}

    def judge(self, question):
        act = question.get("act") or question["judge"]
        if "json" not in act:
            return {"skipped": "I read no texts"}
        after = self.game.copy()
        legal = after.act(act["json"]["action"], act["json"]["args"], question.get("seat"))
        if legal and "act" in question:
            self.game = after
        return {"legal": legal}

    def meld(self, meld, names):
        if not meld.lawful():
            return {"lawful": False}
        points = meld.value() + meld.bonus()
        known = {"value": meld.value(), "bonus": meld.bonus(), "points": points, "clean": meld.clean()}
        known["biriba"] = meld.biriba()
        return {"lawful": True, **{name: known[name] for name in names}}

    def position(self, wanted):
        return self.game.tell()

    def melds(self, wanted):
        return {name: self.meld(self.game.melds[name[0]][int(name[1:]) - 1], names) for name, names in wanted.items()}

    def score(self, wanted):
        return {owner: sum(self.game.lines(owner).values()) for owner in SIDES}

    def lines(self, wanted):
        return {owner: self.game.lines(owner) for owner in SIDES}

    def legal(self, wanted):
        return [{"action": action, "args": args} for action, args, _ in self.game.legal()]

    def legal_count(self, wanted):
        return len(self.game.legal())

    def perft(self, depth):
        return [self.game.perft(n) for n in range(1, depth + 1)]

    def views(self, seats):
        return {seat: self.game.view(seat) for seat in seats}

    def match(self, wanted):
        return match(self.given["totals"], self.given["dealer"])

    def deck(self, wanted):
        return {"cards": len(DECK), "value": sum(map(value, DECK)), "copies": dict(COPIES)}

    def table(self, wanted):
        neighbours = {name: {seat: of(seat) for seat in SEATS} for name, of in (("left", left), ("right", right))}
        sides = {owner: list(seats) for owner, seats in SIDES.items()}
        return {"sides": sides, "next": neighbours["right"], **neighbours}


IMPLEMENTATION = {
    "name": "small-biriba",
    "version": "1.0",
    "language": "Python",
    "homepage": "",
    "levels": ["melds", "scoring", "actions", "legal", "games", "views", "match"],
    "rulesets": [{"name": "biriba"}],
    "texts": False,
    "reasons": False,
    "omits": [],
}


def main():
    for line in sys.stdin:
        message = json.loads(line)
        if message["cmd"] == "stop":
            return
        if message["cmd"] == "start":
            answer = {"protocol": 1, "implementation": IMPLEMENTATION}
        else:
            try:
                case = Case(message["case"].get("given", {}))
                answer = {"answers": [case.answer(question) for question in message["case"]["questions"]]}
            except Exception as error:
                answer = {"errored": f"{type(error).__name__}: {error}"}
        print(json.dumps({"seq": message["seq"], **answer}), flush=True)


if __name__ == "__main__":
    main()
