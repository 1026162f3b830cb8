"""The notation as JSON: melds, actions and positions as objects, with every value checked on reading.

Cards and all other values are written by their names, never by index. `decode` and `encode` go from
and to JSON text; the other functions work on decoded values.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from typing import Any, cast

from biriba.model.position import Action, Meld, Position, Zone
from biriba.model.pure import Value
from biriba.model.ruleset import ActionParam, Ruleset, StateDecl, ZoneDecl
from biriba.model.types import CARD, Type
from biriba.notation.actions import ActionText, Argument, MeldName, state
from biriba.notation.cards import format_card, format_value, unknown
from biriba.notation.fields import too_many
from biriba.notation.growths import HIGH, LOW, GrowthText
from biriba.notation.jsonvalue import Json
from biriba.notation.melds import MeldText, readings, trouble
from biriba.notation.positions import missing_cards, missing_message
from biriba.notation.vocabulary import Vocabulary, vocabulary

# ---------------------------------------------------------------- melds


def meld_to_json(rules: Ruleset, meld: Meld | MeldText) -> dict[str, Any]:
    """``{"template": "run", "key": "H", "low": 3, "cards": ["3H", "4H", "5H"]}``."""
    key_type = vocabulary(rules).key_type(meld.template) if meld.template else None
    return {
        "template": meld.template or None,
        "key": None if key_type is None or meld.key is None else format_value(rules, key_type, meld.key),
        "low": meld.low,
        "cards": [format_card(rules, card) for card in meld.cards],
    }


def meld_from_json(rules: Ruleset, value: Any) -> Meld:
    """The meld of a JSON value; what is null in it must follow from the cards.

    Raises:
        JsonError: it is no meld.
    """
    return read_meld(vocabulary(rules), Json(value))


def read_meld(words: Vocabulary, value: Json) -> Meld:
    stated = read_meld_text(words, value)
    found = readings(words.rules, stated)
    if len(found) != 1:
        raise value.fault(*trouble(words.rules, stated, found))
    return found[0]


def read_meld_text(words: Vocabulary, value: Json) -> MeldText:
    members = value.members("template", "key", "low", "cards")
    template: str | None = None
    key: int | None = None
    if members["template"].value is not None:
        template = members["template"].one_of(words.rules.templates, "kind of meld")
    if members["key"].value is not None:
        key_type = words.key_type(template) if template is not None else None
        if key_type is None:
            raise members["key"].fault("only a meld of a template with a suit or rank has a key")
        key = cast(int, read_value(words, members["key"], key_type))
    low = None if members["low"].value is None else members["low"].integer(1, len(words.rules.cards.places))
    if low is not None and template is not None and not words.shapes.is_sequence(template):
        raise members["low"].fault(f"a {template} has no places")
    cards = tuple(read_card(words, item) for item in members["cards"].items())
    if not cards:
        raise members["cards"].fault("a meld needs cards")
    return MeldText(template, key, low, cards)


# ---------------------------------------------------------------- actions


def action_to_json(rules: Ruleset, action: Action | ActionText) -> dict[str, Any]:
    """``{"action": "discard", "args": {"c": "7C"}}``: the arguments by the names of the action's parameters."""
    stated = state(rules, action) if isinstance(action, Action) else action
    params = rules.actions[stated.name].params
    args = {param.name: _argument_to_json(rules, param, arg) for param, arg in zip(params, stated.args, strict=True)}
    return {"action": stated.name, "args": args}


def action_from_json(rules: Ruleset, value: Any) -> ActionText:
    """The action of a JSON value; `resolve` finds what it means in a position.

    Raises:
        JsonError: it is no action of the rule set, or its arguments are not of the form they should be.
    """
    members = Json(value).members("action", "args")
    return read_action(vocabulary(rules), members["action"], members["args"])


def read_action(words: Vocabulary, name: Json, args: Json) -> ActionText:
    action = words.rules.actions[name.one_of(words.rules.actions, "action")]
    members = args.members(*(param.name for param in action.params))
    return ActionText(action.name, tuple(_read_argument(words, param, members[param.name]) for param in action.params))


def _argument_to_json(rules: Ruleset, param: ActionParam, arg: Argument) -> Any:
    match arg:
        case MeldText():
            return meld_to_json(rules, arg)
        case MeldName():
            words = vocabulary(rules)
            owner = words.owners(words.zone_of[arg.slot])[arg.owner]
            return {"owner": owner or None, "number": arg.number}
        case GrowthText():
            moving = None if arg.moving is None else format_card(rules, arg.moving)
            return {"card": format_card(rules, arg.card), "at": arg.at, "moving": moving, "end": arg.end}
        case _ if param.domain == "card":
            return format_card(rules, cast(int, arg))
        case _:
            return value_to_json(rules, param.type, arg)


def _read_argument(words: Vocabulary, param: ActionParam, value: Json) -> Argument:
    match param.domain:
        case "new_meld":
            stated = read_meld_text(words, value)
            found = readings(words.rules, stated)
            return MeldText(*found[0]) if len(found) == 1 else stated
        case "laid_meld":
            members = value.members("owner", "number")
            zone = words.rules.zones[param.zone.name if param.zone is not None else ""]
            owner = _read_owner(words, zone, members["owner"])
            return MeldName(words.zone_slot(zone.name, owner), owner, members["number"].integer(1, 99_999))
        case "growth":
            members = value.members("card", "at", "moving", "end")
            return GrowthText(
                read_card(words, members["card"]),
                None if members["at"].value is None else members["at"].integer(0, 99_999),
                None if members["moving"].value is None else read_card(words, members["moving"]),
                None if members["end"].value is None else members["end"].one_of((LOW, HIGH), "end"),
            )
        case "card":
            return read_card(words, value)
        case "number":
            return value.integer()
        case _:
            return read_value(words, value, param.type)


def _read_owner(words: Vocabulary, declared: ZoneDecl | StateDecl, value: Json) -> int:
    owners = list(words.owners(declared))
    if declared.owner is None:
        if value.value is not None:
            raise value.fault("these melds belong to nobody, so their owner is null")
        return 0
    return owners.index(value.one_of(owners, "owner"))


# ---------------------------------------------------------------- positions


def position_to_json(rules: Ruleset, position: Position, hidden: Collection[int] = ()) -> dict[str, Any]:
    """A position as an object; of the zones whose slots are hidden only the number of cards is told."""
    words = vocabulary(rules)
    zones = [
        len(zone) if slot in hidden else [_item_to_json(rules, item) for item in zone]
        for slot, zone in enumerate(position.zones)
    ]
    states = [
        value_to_json(rules, declared.type, value)
        for declared, value in zip(words.state_of, position.states, strict=True)
    ]
    return {
        "phase": position.phase,
        "turn": rules.table.seats[position.turn],
        "dealer": rules.table.seats[position.dealer],
        "zones": {zone.name: _by_owner(words, zone, zones, words.layout.zone_base) for zone in rules.zones.values()},
        "states": {s.name: _by_owner(words, s, states, words.layout.state_base) for s in rules.states.values()},
    }


def position_from_json(rules: Ruleset, value: Any) -> Position:
    """The position of a JSON value.

    Raises:
        JsonError: it is no position, or a card is missing or too many.
    """
    words = vocabulary(rules)
    members = Json(value).members("phase", "turn", "dealer", "zones", "states")
    zones: list[Zone] = []
    used: Counter[int] = Counter()
    for declared, item in _slots(words, members["zones"], rules.zones.values()):
        assert isinstance(declared, ZoneDecl)
        zones.append(_read_zone(words, declared, item, used))
    missing = missing_cards(rules, zones)
    if missing:
        raise members["zones"].fault(missing_message(rules, missing))
    states = [read_value(words, item, s.type) for s, item in _slots(words, members["states"], rules.states.values())]
    return Position(
        members["phase"].one_of(words.phases, "phase"),
        words.seats[members["turn"].one_of(words.seats, "seat")],
        words.seats[members["dealer"].one_of(words.seats, "seat")],
        tuple(zones),
        tuple(states),
    )


def _item_to_json(rules: Ruleset, item: int | Meld) -> Any:
    return meld_to_json(rules, item) if isinstance(item, Meld) else format_card(rules, item)


def _by_owner(words: Vocabulary, declared: ZoneDecl | StateDecl, values: list[Any], bases: dict[str, int]) -> Any:
    base = bases[declared.name]
    if declared.owner is None:
        return values[base]
    return {owner: values[base + i] for i, owner in enumerate(words.owners(declared))}


def _slots(words: Vocabulary, value: Json, declared: Collection[Any]) -> list[tuple[Any, Json]]:
    """The JSON values of all zones or states, by slot, with their declarations."""
    found: list[tuple[Any, Json]] = []
    members = value.members(*(d.name for d in declared))
    for d in declared:
        if d.owner is None:
            found.append((d, members[d.name]))
        else:
            owners = members[d.name].members(*words.owners(d))
            found += [(d, owners[owner]) for owner in words.owners(d)]
    return found


def _read_zone(words: Vocabulary, zone: ZoneDecl, value: Json, used: Counter[int]) -> Zone:
    if zone.kind == "melds":
        melds = [(read_meld(words, item), item) for item in value.items()]
        for meld, item in melds:
            for card in meld.cards:
                _use(words, used, card, item)
        return tuple(meld for meld, _ in melds)
    cards: list[int] = []
    for item in value.items():
        cards.append(read_card(words, item))
        _use(words, used, cards[-1], item)
    return tuple(sorted(cards) if zone.kind == "hand" else cards)


def _use(words: Vocabulary, used: Counter[int], card: int, item: Json) -> None:
    used[card] += 1
    if used[card] > words.rules.cards.faces[card].copies:
        raise item.fault(*too_many(words.rules, card))


# ---------------------------------------------------------------- single values


def value_to_json(rules: Ruleset, of: Type, value: Value) -> Any:
    """A number, true or false, or null as such; any other value by its name."""
    if value is None or of.kind in ("bool", "int"):
        return value
    return format_value(rules, of, value)


def read_card(words: Vocabulary, value: Json) -> int:
    symbol = value.string()
    if symbol not in words.faces:
        raise value.fault(*unknown(words, symbol, CARD))
    return words.faces[symbol]


def read_value(words: Vocabulary, value: Json, of: Type) -> Value:
    if value.value is None and of.optional:
        return None
    if of.kind == "bool":
        return value.boolean()
    if of.kind == "int":
        return value.integer(of.low, of.high)
    names = words.names(of.without_none())
    word = value.string()
    if word not in names:
        raise value.fault(*unknown(words, word, of.without_none()))
    return names[word]
