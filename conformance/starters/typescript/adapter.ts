// An adapter to begin with: it speaks the protocol, and skips every question. Put your game behind it.
//
//     node adapter.ts --check                  a self-check, without anything else
//     biriba conform --smoke -- node adapter.ts
//     biriba conform -- node adapter.ts
//
// Node runs it as it stands from version 22.18 on; with an older one use `npx tsx adapter.ts`.
import assert from 'node:assert';
import { createInterface } from 'node:readline';

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };
type Stated = { text: string; json?: { [name: string]: Json } };

/** Where a case begins. */
type Given =
  | { text: string; position: { [name: string]: Json } }
  | { dealer: string; deck: string[]; actions?: Stated[] }
  | { totals: { [side: string]: number }; dealer: string; deals: number };

type Question =
  | { act: Stated; seat?: string }
  | { judge: Stated; seat?: string }
  | { meld: Stated; tell: string[] }
  | { layouts: string[] }
  | { value: string[] }
  | { tell: { [what: string]: Json } };

type Message =
  | { cmd: 'start'; seq: number; protocol: number; harness: string }
  | { cmd: 'run'; seq: number; case: { ruleset: { name: string; version: string }; given?: Given; questions: Question[] } }
  | { cmd: 'stop'; seq: number };

type Answer = { [name: string]: Json };

const IMPLEMENTATION: { [name: string]: Json } = {
  name: 'my-biriba',
  version: '0.1',
  language: 'TypeScript',
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
  readonly given: Given | undefined;

  constructor(given: Given | undefined) {
    this.given = given;
  }

  answer(question: Question): Answer {
    if ('act' in question) return { skipped: 'act' }; // play it: {legal: true} or {legal: false}
    if ('judge' in question) return { skipped: 'judge' }; // the same, but do not play it
    if ('meld' in question) return { skipped: 'meld' }; // {lawful: true, clean: true, ...} or {lawful: false}
    if ('layouts' in question) return { skipped: 'layouts' }; // {melds: [{template, key, low, cards}]}
    if ('value' in question) return { skipped: 'value' }; // {value: 75}
    if ('tell' in question) return { skipped: Object.keys(question.tell).join(', ') }; // {position: {…}, score: {…}}
    return { skipped: 'not known' };
  }
}

function reply(message: Message): Answer {
  if (message.cmd !== 'run') return { protocol: 1, implementation: IMPLEMENTATION };
  try {
    const run = new Case(message.case.given);
    return { answers: message.case.questions.map(question => run.answer(question)) };
  } catch (error) {
    return { errored: String(error), context: { stack: error instanceof Error ? (error.stack ?? '') : '' } };
  }
}

/** What the harness would send, without the harness. */
function check(): void {
  const meld = { text: '9H 9S 9D', json: { template: 'set', key: '9', low: null, cards: ['9H', '9S', '9D'] } };
  const levels = IMPLEMENTATION.levels;
  assert(Array.isArray(levels) && levels.length, 'it claims no level');
  const questions: Question[] = [{ meld, tell: ['clean'] }, { value: ['9H'] }];
  const ran = reply({ cmd: 'run', seq: 2, case: { ruleset: { name: 'biriba', version: '1.0.0' }, questions } });
  const answers = ran.answers;
  assert(Array.isArray(answers), JSON.stringify(ran));
  questions.forEach((question, i) => console.log(JSON.stringify(question), '->', JSON.stringify(answers[i])));
  assert.strictEqual(answers.length, questions.length, 'there must be one answer for each question');
  console.log('the self-check has passed');
}

if (process.argv.includes('--check')) {
  check();
} else {
  createInterface({ input: process.stdin }).on('line', line => {
    const message: Message = JSON.parse(line);
    if (message.cmd === 'stop') process.exit(0);
    process.stdout.write(`${JSON.stringify({ seq: message.seq, ...reply(message) })}\n`);
  });
}
