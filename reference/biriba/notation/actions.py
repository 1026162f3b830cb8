"""Actions as text: ``draw``, ``lay 3H 4H 5H``, ``extend X1 with 9H high``, ``discard 7C``.

Reading takes two steps. `parse_action` needs only the rule set and gives an `ActionText`, which
records keep. `resolve` looks at a position, finds the meld that ``X1`` names, and gives the model's
`Action`, lawful or not.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import takewhile

from lark import Token

from biriba.model.position import Action, Growth, LaidMeld, Meld, Position
from biriba.model.pure import Value
from biriba.model.ruleset import ActionParam, Ruleset, ZoneDecl
from biriba.notation.cards import format_card, format_value, read_card, read_value
from biriba.notation.errors import NotationError, fault, quoted
from biriba.notation.growths import GrowthText, Lawful, format_growth, grown, stated_growth
from biriba.notation.melds import MeldText, format_meld_text, read_meld, readings, shapeless, trouble
from biriba.notation.parsing import Node, end, number, offset, parse
from biriba.notation.vocabulary import Vocabulary, vocabulary
from biriba.suggest import did_you_mean


@dataclass(frozen=True, slots=True)
class MeldName:
    """A laid meld by its owner and number: ``X1`` is the first meld of X.

    Attributes:
        slot: of the zone in which it lies.
        owner: the owner's index.
        number: its number, from 1.
    """

    slot: int
    owner: int
    number: int


Argument = MeldText | MeldName | GrowthText | Value


@dataclass(frozen=True, slots=True)
class ActionText:
    """An action as a text or JSON value states it, not yet looked at in a position.

    Attributes:
        name: the action's name.
        args: in the order of its parameters: a `MeldText`, `MeldName`, `GrowthText`, or a value.
        text: what it was read from, empty if it was no text.
        offsets: where in the text each argument begins.
    """

    name: str
    args: tuple[Argument, ...] = ()
    text: str = field(default="", compare=False, repr=False)
    offsets: tuple[int, ...] = field(default=(), compare=False, repr=False)

    def fault(self, argument: int, message: str, hint: str | None = None) -> NotationError:
        """The error for one of the arguments."""
        if not self.text:
            return NotationError(message, hint=hint)
        return fault(self.text, self.offsets[argument], message, hint)


_WANTED = {
    "card": "a card",
    "new_meld": "the cards of a meld",
    "laid_meld": "the name of a laid meld",
    "growth": "'with' and a card",
    "value": "a value",
    "number": "a number",
}


def parse_action(rules: Ruleset, text: str) -> ActionText:
    """The action that a line of text states.

    Raises:
        NotationError: it is none of the rule set, or its arguments are not of the form they should be.
    """
    return read_action(vocabulary(rules), text, parse(text, "action"))


def resolve(rules: Ruleset, position: Position, stated: ActionText, lawful: Lawful | None = None) -> Action:
    """The action that a text means in a position, whether or not it is legal there.

    Cards that fit no template come as a `Meld` with neither key nor place (see `melds.shapeless`), a
    growth that cannot be comes as the growth that was described.

    Args:
        lawful: whether a meld keeps the laws; where a text could mean several melds, it is taken to
            mean the lawful one.

    Raises:
        NotationError: there is no such meld on the table, or the text could mean several things.
    """
    args: list[object] = []
    params = rules.actions[stated.name].params
    for i, (param, arg) in enumerate(zip(params, stated.args, strict=True)):
        match arg:
            case MeldText():
                args.append(_new_meld(rules, stated, i, arg, lawful))
            case MeldName():
                args.append(laid_meld(rules, position, arg, stated, i))
            case GrowthText():
                of = args[next(j for j, other in enumerate(params) if other.name == param.of)]
                try:
                    args.append(grown(rules, _laid(of).meld, arg, lawful))
                except NotationError as error:
                    raise stated.fault(i, error.message, error.hint) from None
            case _:
                args.append(arg)
    return Action(stated.name, tuple(args))


def state(rules: Ruleset, action: Action) -> ActionText:
    """What the canonical text of an action states."""
    args: list[Argument] = []
    params = rules.actions[action.name].params
    for param, arg in zip(params, action.args, strict=True):
        match arg:
            case LaidMeld():
                args.append(MeldName(arg.slot, arg.owner, arg.index + 1))
            case Growth():
                of = action.args[next(j for j, other in enumerate(params) if other.name == param.of)]
                args.append(stated_growth(rules, _laid(of).meld, arg))
            case Meld():
                args.append(MeldText(arg.template or None, arg.key, arg.low, arg.cards))
            case int() | None:
                args.append(arg)
            case _:
                raise TypeError(f"{type(arg).__name__} is no argument of an action")
    return ActionText(action.name, tuple(args))


def format_action(rules: Ruleset, action: Action) -> str:
    """The canonical text of an action."""
    return format_action_text(rules, state(rules, action))


def format_action_text(rules: Ruleset, stated: ActionText) -> str:
    """The text that states just that."""
    params = rules.actions[stated.name].params
    parts = [stated.name]
    for i, (param, arg) in enumerate(zip(params, stated.args, strict=True)):
        text = _format_argument(rules, param, arg)
        parts.append(f"[{text}]" if param.domain == "new_meld" and i < len(params) - 1 else text)
    return " ".join(parts)


def format_meld_name(rules: Ruleset, name: MeldName | LaidMeld) -> str:
    """The name of a laid meld: ``X1``."""
    words = vocabulary(rules)
    owner = words.owners(words.zone_of[name.slot])[name.owner]
    count = name.index + 1 if isinstance(name, LaidMeld) else name.number
    return f"{owner}.{count}" if owner[-1:].isdigit() else f"{owner}{count}"


def parse_meld_name(rules: Ruleset, text: str) -> MeldName:
    """The laid meld that ``X1`` names, in the first zone of melds.

    Raises:
        NotationError: it names none.
    """
    zone = next((zone for zone in rules.zones.values() if zone.kind == "melds"), None)
    if zone is None:
        raise fault(text, 0, "this game has no melds")
    return read_meld_name(vocabulary(rules), text, Token("WORD", text.strip(), len(text) - len(text.lstrip())), zone)


def laid_meld(
    rules: Ruleset, position: Position, name: MeldName, stated: ActionText | None = None, argument: int = 0
) -> LaidMeld:
    """The meld that a name means in a position.

    Raises:
        NotationError: there is none by that name.
    """
    melds = position.zones[name.slot]
    meld = melds[name.number - 1] if 1 <= name.number <= len(melds) else None
    if not isinstance(meld, Meld):
        known = "none is" if not melds else "only 1 is" if len(melds) == 1 else f"only {len(melds)} are"
        message = f"there is no meld {format_meld_name(rules, name)}: {known} laid there"
        raise (stated or ActionText("")).fault(argument, message)
    return LaidMeld(name.slot, name.number - 1, name.owner, meld)


def read_action(words: Vocabulary, text: str, tree: Node) -> ActionText:
    """The action of a syntax tree."""
    name, *items = tree.children
    action = words.rules.actions.get(str(name))
    if action is None:
        hint = did_you_mean(str(name), words.rules.actions) or f"it is one of {', '.join(words.rules.actions)}"
        raise fault(text, offset(name), f"there is no action {quoted(str(name))}", hint)
    args: list[Argument] = []
    offsets: list[int] = []
    after = end(name)
    for param in action.params:
        wanted = f"{action.name} needs {_WANTED[param.domain]}"
        if not items:
            raise fault(text, after, wanted)
        taken = _taken(param, items)
        if not taken:
            raise fault(text, offset(items[0]), wanted)
        args.append(_read_argument(words, text, param, taken))
        offsets.append(offset(taken[0]))
        after = end(taken[-1])
        items = items[len(taken) :]
    if items:
        told = ", ".join(_WANTED[param.domain] for param in action.params) or "nothing"
        raise fault(text, offset(items[0]), f"that is one thing too many: {action.name} needs {told}")
    return ActionText(action.name, tuple(args), text, tuple(offsets))


def read_meld_name(words: Vocabulary, text: str, word: Token, zone: ZoneDecl) -> MeldName:
    """The laid meld that a word names in a zone.

    Raises:
        NotationError: it is no name of a meld.
    """
    owners = words.owners(zone)
    for i, owner in enumerate(owners):
        rest = word.removeprefix(owner)
        if not word.startswith(owner) or (owner[-1:].isdigit() and not rest.startswith(".")):
            continue
        digits = rest.removeprefix(".")
        if digits.isascii() and digits.isdigit() and len(digits) < 6 and digits[0] != "0":
            return MeldName(words.zone_slot(zone.name, i), i, int(digits))
    example = format_meld_name(words.rules, MeldName(words.zone_slot(zone.name), 0, 1))
    raise fault(text, offset(word), f"{quoted(word)} names no laid meld", f"the first meld of all is '{example}'")


def _taken(param: ActionParam, items: Sequence[Node | Token]) -> list[Node | Token]:
    """The parts of the text that are the next argument."""

    def is_tree(item: Node | Token, name: str) -> bool:
        return not isinstance(item, Token) and item.data == name

    if param.domain == "growth":
        return [items[0]] if is_tree(items[0], "growth") else []
    if param.domain == "new_meld":
        if is_tree(items[0], "bracketed"):
            return [items[0]]
        return list(takewhile(lambda i: isinstance(i, Token) or is_tree(i, "shape"), items))
    return [items[0]] if isinstance(items[0], Token) and items[0].type == "WORD" else []


def _read_argument(words: Vocabulary, text: str, param: ActionParam, items: Sequence[Node | Token]) -> Argument:
    first = items[0]
    if not isinstance(first, Token) and first.data == "growth":
        return _read_growth(words, text, first)
    if param.domain == "new_meld":
        if not isinstance(first, Token) and first.data == "bracketed":
            meld = first.children[0]
            items = meld.children if not isinstance(meld, Token) else [meld]
        stated = read_meld(words, text, items, offset(first))
        found = readings(words.rules, stated)
        return MeldText(*found[0]) if len(found) == 1 else stated
    assert isinstance(first, Token)
    match param.domain:
        case "laid_meld":
            assert param.zone is not None
            return read_meld_name(words, text, first, words.rules.zones[param.zone.name])
        case "card":
            return read_card(words, text, first)
        case "number":
            return number(text, first)
        case _:
            return read_value(words, text, first, param.type)


def _read_growth(words: Vocabulary, text: str, tree: Node) -> GrowthText:
    card, *rest = tree.children
    assert isinstance(card, Token)
    at = moving = side = None
    for part in rest:
        assert not isinstance(part, Token)
        word = part.children[0]
        assert isinstance(word, Token)
        match part.data:
            case "at":
                at = number(text, word)
            case "moving":
                moving = read_card(words, text, word)
            case _:
                side = str(word)
    return GrowthText(read_card(words, text, card), at, moving, side)


def _new_meld(rules: Ruleset, stated: ActionText, argument: int, arg: MeldText, lawful: Lawful | None) -> Meld:
    found = readings(rules, arg)
    if not found:
        return shapeless(arg)
    if len(found) > 1 and lawful is not None:
        found = tuple(meld for meld in found if lawful(meld)) or found[:1]
    if len(found) > 1:
        raise stated.fault(argument, *trouble(rules, arg, found))
    return found[0]


def _laid(arg: object) -> LaidMeld:
    if not isinstance(arg, LaidMeld):
        raise TypeError("a growth is of a laid meld")
    return arg


def _format_argument(rules: Ruleset, param: ActionParam, arg: Argument) -> str:
    match arg:
        case MeldText():
            return format_meld_text(rules, arg)
        case MeldName():
            return format_meld_name(rules, arg)
        case GrowthText():
            return format_growth(rules, arg)
        case _ if param.domain == "card" and arg is not None:
            return format_card(rules, arg)
        case _:
            return format_value(rules, param.type, arg)
