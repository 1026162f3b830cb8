// An adapter to begin with: it speaks the protocol, and skips every question. Put your game behind it.
//
//     node adapter.js --check                  a self-check, without anything else
//     biriba conform --smoke -- node adapter.js
//     biriba conform -- node adapter.js
'use strict';

const assert = require('node:assert');
const readline = require('node:readline');

const IMPLEMENTATION = {
  name: 'my-biriba',
  version: '0.1',
  language: 'JavaScript',
  homepage: '',
  // Take away the levels that your game cannot do: they are then reported as not covered.
  levels: ['melds', 'scoring', 'actions', 'legal', 'games', 'views', 'match'],
  rulesets: [{ name: 'biriba' }],
  texts: false, // true: actions without a JSON form are asked too
  reasons: false, // true: your reasons for a rejection are ids of clauses
  omits: [], // zones and states that your game does not have
};

/** The questions of one message `run`. Each case begins anew. */
class Case {
  constructor(given) {
    // given: {position}, {deck, dealer, actions}, {totals, dealer, deals}, or undefined
    this.given = given;
  }

  answer(question) {
    if ('act' in question) return { skipped: 'act' }; // play it: {legal: true} or {legal: false}
    if ('judge' in question) return { skipped: 'judge' }; // the same, but do not play it
    if ('meld' in question) return { skipped: 'meld' }; // {lawful: true, clean: true, ...} or {lawful: false}
    if ('layouts' in question) return { skipped: 'layouts' }; // {melds: [{template, key, low, cards}]}
    if ('value' in question) return { skipped: 'value' }; // {value: 75}
    if ('tell' in question) return { skipped: Object.keys(question.tell).join(', ') }; // {position: {…}, score: {…}}
    return { skipped: 'not known' };
  }
}

function reply(message) {
  if (message.cmd === 'start') return { protocol: 1, implementation: IMPLEMENTATION };
  try {
    const run = new Case(message.case.given);
    return { answers: message.case.questions.map(question => run.answer(question)) };
  } catch (error) {
    return { errored: String(error), context: { stack: error.stack } };
  }
}

/** What the harness would send, without the harness. */
function check() {
  const meld = { text: '9H 9S 9D', json: { template: 'set', key: '9', low: null, cards: ['9H', '9S', '9D'] } };
  assert(reply({ cmd: 'start', seq: 1 }).implementation.levels.length, 'it claims no level');
  const questions = [{ meld, tell: ['clean'] }, { value: ['9H'] }];
  const ran = reply({ cmd: 'run', seq: 2, case: { questions } });
  assert(ran.answers, JSON.stringify(ran));
  questions.forEach((question, i) => console.log(JSON.stringify(question), '->', JSON.stringify(ran.answers[i])));
  assert.strictEqual(ran.answers.length, questions.length, 'there must be one answer for each question');
  console.log('the self-check has passed');
}

if (process.argv.includes('--check')) {
  check();
} else {
  readline.createInterface({ input: process.stdin }).on('line', line => {
    const message = JSON.parse(line);
    if (message.cmd === 'stop') process.exit(0);
    process.stdout.write(`${JSON.stringify({ seq: message.seq, ...reply(message) })}\n`);
  });
}
