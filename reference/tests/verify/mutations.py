"""Broken rules: changes of the canonical source, and what the proofs say of each.

`refuted_by` names clauses (or phases, for a dead end) one of which must be refuted with a confirmed
counterexample. Where it is empty, `because` says why no invariant speaks of the change.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Mutation:
    name: str
    old: str
    new: str
    refuted_by: tuple[str, ...] = ()
    because: str = ""


def _m(name: str, old: str, new: str, *refuted_by: str, because: str = "") -> Mutation:
    return Mutation(name, old, new, refuted_by, because)


MUTATIONS = (
    # melds
    _m(
        "a second wild",
        "every meld m: substitutes(m) <= max_wilds\n  inv",
        "every meld m: substitutes(m) <= max_wilds + 1\n  inv",
        "meld.one_wild",
    ),
    _m(
        "any number of wilds",
        "every meld m: substitutes(m) <= max_wilds\n  inv",
        "every meld m: substitutes(m) <= size(m)\n  inv",
        "meld.one_wild",
    ),
    _m("runs of fourteen", "every run m: size(m) <= max_run", "every run m: size(m) <= max_run + 1", "score.full_run"),
    _m("run limit raised", "parameter max_run       = 13", "parameter max_run       = 14", "score.full_run"),
    _m("run limit dropped", "every run m: size(m) <= max_run", "every run m: size(m) <= 20", "score.full_run"),
    _m(
        "melds of two",
        "every meld m: size(m) >= min_meld",
        "every meld m: size(m) >= min_meld - 1",
        "cards.meld_kinds",
    ),
    _m(
        "sets of twos",
        "every set m: sets_of_twos or rank(m) != 2",
        "every set m: sets_of_twos or rank(m) != 3",
        because="the law itself is all that says which ranks make sets",
    ),
    _m(
        "exactly seven",
        "define biriba(m: meld) = size(m) >= biriba_length",
        "define biriba(m: meld) = size(m) = biriba_length",
        "meld.biriba",
        "packet.after_biriba",
    ),
    _m(
        "only clean biribas",
        "some m in melds[p]: biriba(m)\n  inv",
        "some m in melds[p]: biriba(m) and clean(m)\n  inv",
        "meld.biriba",
        "packet.after_biriba",
    ),
    _m(
        "the others' melds",
        "on extend(m) require owner(m) = mine",
        "on extend(m) require owner(m) = mine or size(m) > 3",
        "meld.permanent",
    ),
    _m(
        "laid for the others",
        "lay m from hand[me] to melds[mine]",
        "lay m from hand[me] to melds[side(next(me))]",
        "meld.permanent",
    ),
    _m(
        "suits mixed in runs",
        "natural c at p when suit(c) = s and rank(c) = rank_at(p)",
        "natural c at p when rank(c) = rank_at(p)",
        "cards.meld_kinds",
        "cards.meld_cleanness",
    ),
    # drawing and taking
    _m(
        "a card for the next player",
        "move top of stock to hand[me]",
        "move top of stock to hand[next(me)]",
        "cards.hands_apart",
    ),
    _m("a card onto the pile", "move top of stock to hand[me]", "move top of stock to discard", "turn.can_finish"),
    _m("half of the pile", "move all of discard to hand[me]", "move top of discard to hand[me]", "turn.take"),
    _m(
        "the pile for the next player",
        "move all of discard to hand[me]",
        "move all of discard to hand[next(me)]",
        "cards.hands_apart",
    ),
    _m(
        "the pile into the stock", "move all of discard to hand[me]", "move all of discard to stock", "turn.stock_lasts"
    ),
    _m(
        "taking without a check",
        "on take, lay, extend ensure can_finish",
        "on lay, extend ensure can_finish",
        "turn.can_finish",
    ),
    _m(
        "laying without a check",
        "on take, lay, extend ensure can_finish",
        "on take, extend ensure can_finish",
        "turn.can_finish",
        "turn.hand_not_emptied",
    ),
    _m(
        "extending without a check",
        "on take, lay, extend ensure can_finish",
        "on take, lay ensure can_finish",
        "turn.can_finish",
        "turn.hand_not_emptied",
    ),
    # passing
    _m("pass with stock", "on pass require stock is empty", "on pass require passes < pass_limit", "turn.pass"),
    _m(
        "only two passes",
        "on pass require stock is empty",
        "on pass require stock is empty and passes < 2",
        "phase start",
    ),
    _m(
        "two passes end the deal",
        "when passes = pass_limit: end the deal",
        "when passes >= 2: end the deal",
        "turn.passes_run_out",
    ),
    _m(
        "a pass ends the deal",
        "when passes = pass_limit: end the deal",
        "when passes >= 1: end the deal",
        "turn.passes_run_out",
    ),
    _m(
        "passes add up",
        "on draw, take then passes := 0",
        "on draw then passes := 0",
        because="no invariant remembers the turns in between: that passes follow one another is tested by vectors",
    ),
    _m("passes counted from one", "state passes: 0..pass_limit = 0", "state passes: 0..pass_limit = 1", "turn.pass"),
    # discarding
    _m(
        "onto the stock",
        "move c from hand[me] to discard",
        "move c from hand[me] to stock",
        "turn.stock_lasts",
        "turn.pile_not_empty",
    ),
    _m(
        "to the next player",
        "move c from hand[me] to discard",
        "move c from hand[me] to hand[next(me)]",
        "cards.hands_apart",
        "turn.pile_not_empty",
    ),
    _m(
        "into a packet",
        "move c from hand[me] to discard",
        "move c from hand[me] to packet[1]",
        "turn.pile_not_empty",
        "packet.one_each",
        "deal.packets",
    ),
    _m(
        "nothing held back",
        "parameter held_back     = 1     in 1..3",
        "parameter held_back     = 0     in 0..3",
        "turn.hand_not_emptied",
    ),
    _m(
        "the last card without a biriba",
        "size(hand[me]) > held_back or has_biriba(mine)",
        "size(hand[me]) >= held_back or has_biriba(mine)",
        "turn.hand_not_emptied",
    ),
    _m("the ban goes on", "    barred := none\n    lone_take", "    lone_take", "discard.not_what_you_took"),
    _m(
        "no ban",
        "on discard(c) require c != barred",
        "on discard(c) require c != barred or size(hand[me]) > 0",
        because="the guard itself is all that says which card is barred",
    ),
    _m(
        "the turn does not end",
        "    turn goes to next(me)\n    go to start",
        "    turn goes to next(me)",
        "turn.can_finish",
        "phase play",
    ),
    _m(
        "the turn comes back",
        "    turn goes to next(me)\n",
        "    turn goes to me\n",
        because="no invariant names the order of turns: it is tested by vectors",
    ),
    # closing
    _m("without the packet", "when hand[me] is empty and taken[mine]:", "when hand[me] is empty:", "close.by_discard"),
    _m(
        "with a card left",
        "when hand[me] is empty and taken[mine]:",
        "when size(hand[me]) <= 1 and taken[mine]:",
        "close.by_discard",
    ),
    _m("the others close", "      closer := mine\n", "      closer := side(next(me))\n", "close.by_discard"),
    _m(
        "the deal goes on",
        "      closer := mine\n      end the deal",
        "      closer := mine",
        "turn.hand_not_emptied",
        "close.by_discard",
    ),
    _m("nobody has closed", "      closer := mine\n      end the deal", "      end the deal", "turn.passes_run_out"),
    _m(
        "closing by a meld",
        "  on discard then\n    when hand[me] is empty and taken[mine]:",
        "  on lay, discard then\n    when hand[me] is empty and taken[mine]:",
        because="it cannot happen: with an empty hand no card can be discarded, and the check after laying says so",
    ),
    # packets
    _m(
        "packet twice",
        "define may_take_packet = not taken[mine] and some",
        "define may_take_packet = some",
        "packet.one_each",
    ),
    _m("taken and not noted", "      taken[mine] := yes\n", "      taken[mine] := no\n", "packet.one_each"),
    _m(
        "noted for the others",
        "      taken[mine] := yes\n",
        "      taken[side(next(me))] := yes\n",
        "packet.one_each",
        "packet.after_biriba",
    ),
    _m(
        "without a biriba",
        "and may_take_packet and (has_biriba(mine) or not packet_needs_biriba)",
        "and may_take_packet",
        "packet.after_biriba",
    ),
    _m(
        "for the next player",
        "move all of packet[i] to hand[me]",
        "move all of packet[i] to hand[next(me)]",
        "cards.hands_apart",
        "turn.hand_not_emptied",
    ),
    _m(
        "the stock for a packet",
        "move all of packet[i] to hand[me]",
        "move all of stock to hand[me]",
        "turn.draw",
        "packet.one_each",
    ),
    _m(
        "the packet onto the pile",
        "move all of packet[i] to hand[me]",
        "move all of packet[i] to discard",
        "turn.hand_not_emptied",
        "turn.take",
        "turn.can_finish",
    ),
    _m(
        "the lower packet",
        "with last i in 1..packets where",
        "with first i in 1..packets where",
        because="which packet is the top one is a convention",
    ),
    _m(
        "a packet for one card left",
        "define earns_packet = hand[me] is empty and",
        "define earns_packet = size(hand[me]) <= 1 and",
        because="no invariant ties the packet to the moment at which it is taken",
    ),
    _m(
        "idle for the next player",
        "when earns_packet: idle[me] := yes",
        "when earns_packet: idle[next(me)] := yes",
        because="the same discard brings the next player's packet into play: only the score changes",
    ),
    _m(
        "never in play",
        "on draw, take then idle[me] := no",
        "on draw then idle[me] := no",
        because="what a packet costs that is not in play is a matter of score alone",
    ),
    # the deal
    _m("ten cards each", "deal repeat hand_size times:", "deal repeat hand_size - 1 times:", "deal.rest"),
    _m(
        "one player gets all",
        "for each seat s from right(dealer): move 1 from stock to hand[s]",
        "for each seat s from right(dealer): move 1 from stock to hand[dealer]",
        "turn.hand_not_emptied",
    ),
    _m(
        "small packets",
        "move packet_size from stock to packet[i]",
        "move packet_size - 1 from stock to packet[i]",
        "deal.packets",
        "deal.rest",
    ),
    _m("no upcard", "deal move 1 from stock to discard", "deal move 1 from stock to packet[1]", "turn.pile_not_empty"),
    _m("two upcards", "deal move 1 from stock to discard", "deal move 2 from stock to discard", "deal.rest"),
    _m(
        "packets taken from the start",
        "state taken[side]: yes/no = no",
        "state taken[side]: yes/no = yes",
        "packet.one_each",
    ),
    _m("packets idle from the start", "state idle[seat]: yes/no = no", "state idle[seat]: yes/no = yes", "packet.idle"),
    _m(
        "the dealer first",
        "deal turn goes to right(dealer)",
        "deal turn goes to dealer",
        because="no invariant names the order of turns: it is tested by vectors",
    ),
    # finishing a turn
    _m(
        "no room needed",
        "      and (sum of room(m, c) for each m in melds[mine]) >= size(hand[me])\n",
        "",
        "phase play",
    ),
    _m(
        "cards of several faces",
        "      (every d in hand[me]: d = c)\n      and (sum",
        "      (sum",
        because="it changes nothing: of two faces in hand one can always be discarded",
    ),
    _m(
        "a packet without a biriba in sight",
        "or some m in melds[mine]: some g in grown(m, c, size(hand[me])): biriba(g))",
        "or yes)",
        "phase play",
    ),
    _m(
        "finishing by discard only",
        "may discard(c)) or can_empty",
        "may discard(c))",
        because="it forbids more and breaks nothing; but the proof that the closed form says what it means fails",
    ),
)
