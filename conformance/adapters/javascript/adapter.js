// The melds and the scoring of Biriba in one file of plain JavaScript, and an adapter for them:
// an example that shares no code with the reference.
//
//     biriba conform -- node adapter.js
//
// The game is the upper part; from `class Case` on it is connected to the protocol.
'use strict';

const SUITS = ['H', 'S', 'D', 'C'];
const RANKS = [...'A23456789TJQK'];
const PLACES = [...RANKS, 'A']; // the places 1 to 14 of a run
const PACK = [...SUITS.flatMap(suit => RANKS.map(rank => rank + suit)), 'JK'];
const COPIES = Object.fromEntries(PACK.map(card => [card, card === 'JK' ? 4 : 2]));
const SIDES = { X: ['A', 'C'], Y: ['B', 'D'] };

const isWild = card => card === 'JK' || card[0] === '2';

function value(card) {
  if (card === 'JK') return 20;
  if (card[0] === 'A') return 15;
  return '34567'.includes(card[0]) ? 5 : 10;
}

const sum = numbers => numbers.reduce((total, number) => total + number, 0);

function count(cards) {
  const counts = new Map();
  for (const card of cards) counts.set(card, (counts.get(card) ?? 0) + 1);
  return counts;
}

// ---------------------------------------------------------------- melds

/** A run (key: its suit, low: the place of its first card) or a set (key: its rank, low: null). */
class Meld {
  constructor(template, key, low, cards) {
    this.template = template;
    this.key = key;
    this.low = low;
    this.cards = cards;
  }

  isNatural(index) {
    const card = this.cards[index];
    if (this.template === 'set') return card !== 'JK' && card[0] === this.key;
    return card === PLACES[this.low + index - 1] + this.key;
  }

  get substitutes() {
    return this.cards.filter((_, index) => !this.isNatural(index)).length;
  }

  get clean() {
    return this.substitutes === 0;
  }

  get biriba() {
    return this.cards.length >= 7;
  }

  get lawful() {
    const run = this.template === 'run';
    if (!run && this.template !== 'set') return false;
    const size = this.cards.length;
    if (run && !(this.low >= 1 && this.low + size - 1 <= 14)) return false;
    if (size < 3 || (run && size > 13) || (!run && this.key === '2')) return false;
    if (!this.cards.every((card, index) => this.isNatural(index) || isWild(card))) return false;
    return this.substitutes <= 1 && [...count(this.cards)].every(([card, n]) => n <= COPIES[card]);
  }

  get value() {
    return sum(this.cards.map(value));
  }

  get bonus() {
    if (!this.biriba) return 0;
    if (this.template === 'set') return this.clean ? 300 : 150;
    if (this.cards.length === 13) return this.clean ? 1000 : 500;
    return this.clean ? 200 : 100;
  }
}

/** All lawful melds of just these cards, in whatever order they come. */
function layouts(cards) {
  const found = RANKS.map(rank => setOf(rank, cards));
  for (const suit of SUITS) {
    for (let low = 1; low + cards.length - 1 <= 14; low++) {
      const run = runFrom(suit, low, cards);
      if (run) found.push(run);
    }
  }
  return found.filter(meld => meld.lawful);
}

/** A set has its natural cards first, all in the order of the pack. */
function setOf(rank, cards) {
  const place = card => (card !== 'JK' && card[0] === rank ? 0 : PACK.length) + PACK.indexOf(card);
  return new Meld('set', rank, null, [...cards].sort((a, b) => place(a) - place(b)));
}

/** The run of these cards from a place upward, if at most one card has to stand for another. */
function runFrom(suit, low, cards) {
  const left = [...cards];
  const natural = cards.map((_, index) => PLACES[low + index - 1] + suit);
  const laid = natural.map(card => {
    const index = left.indexOf(card);
    return index < 0 ? null : left.splice(index, 1)[0];
  });
  if (left.length > 1) return null;
  return new Meld('run', suit, low, laid.map(card => card ?? left[0]));
}

// ---------------------------------------------------------------- the score of a deal

function lines(position, side) {
  const { zones, states } = position;
  const melds = zones.melds[side].map(readMeld);
  const runs = melds.filter(meld => meld.template === 'run');
  const bonus = chosen => sum(chosen.map(meld => meld.bonus));
  const inHand = SIDES[side].filter(seat => !states.idle[seat]).flatMap(seat => zones.hand[seat]);
  return {
    'melded cards': sum(melds.map(meld => meld.value)),
    'cards in hand': -sum(inHand.map(value)),
    'run biriba': bonus(runs.filter(meld => meld.cards.length < 13)),
    'set biriba': bonus(melds.filter(meld => meld.template === 'set')),
    'full run': bonus(runs.filter(meld => meld.cards.length === 13)),
    closing: states.closer === side ? 100 : 0,
    'no packet': states.taken[side] ? 0 : -100,
    'idle packet': -100 * SIDES[side].filter(seat => states.idle[seat]).length,
  };
}

// ---------------------------------------------------------------- the protocol

const readMeld = told => new Meld(told.template, told.key, told.low, told.cards);
const tellMeld = ({ template, key, low, cards }) => ({ template, key, low, cards });
const perSide = of => Object.fromEntries(Object.keys(SIDES).map(side => [side, of(side)]));

/** The questions of one message `run`. */
class Case {
  constructor(given) {
    this.position = given?.position;
  }

  answer(question) {
    if ('meld' in question) return this.meld(readMeld(question.meld.json), question.tell);
    if ('layouts' in question) return { melds: layouts(question.layouts).map(tellMeld) };
    if ('value' in question) return { value: sum(question.value.map(value)) };
    if ('tell' in question && this.position) return this.tell(question.tell);
    return { skipped: 'only melds and scores are known here' };
  }

  meld(meld, names) {
    if (!meld.lawful) return { lawful: false };
    const { value, bonus, clean, biriba } = meld;
    const known = { value, bonus, points: value + bonus, clean, biriba };
    return { lawful: true, ...Object.fromEntries(names.map(name => [name, known[name]])) };
  }

  tell(wanted) {
    const told = {};
    for (const [name, details] of Object.entries(wanted)) {
      if (name === 'position') told.position = this.position;
      else if (name === 'score') told.score = perSide(side => sum(Object.values(lines(this.position, side))));
      else if (name === 'lines') told.lines = perSide(side => lines(this.position, side));
      else if (name === 'melds') told.melds = this.melds(details);
      else return { skipped: `'${name}' is not known here` };
    }
    return told;
  }

  melds(wanted) {
    const laid = name => this.position.zones.melds[name[0]][name.slice(1) - 1];
    return Object.fromEntries(Object.entries(wanted).map(([name, names]) => [name, this.meld(readMeld(laid(name)), names)]));
  }
}

const IMPLEMENTATION = {
  name: 'small-biriba-js',
  version: '1.0',
  language: 'JavaScript',
  homepage: '',
  levels: ['melds', 'scoring'],
  rulesets: [{ name: 'biriba' }],
  texts: false,
  reasons: false,
};

function reply(message) {
  if (message.cmd === 'start') return { protocol: 1, implementation: IMPLEMENTATION };
  try {
    const run = new Case(message.case.given);
    return { answers: message.case.questions.map(question => run.answer(question)) };
  } catch (error) {
    return { errored: String(error), context: { stack: error.stack } };
  }
}

const input = require('node:readline').createInterface({ input: process.stdin });
input.on('line', line => {
  const message = JSON.parse(line);
  if (message.cmd === 'stop') process.exit(0);
  process.stdout.write(`${JSON.stringify({ seq: message.seq, ...reply(message) })}\n`);
});
