// Reads the vectors with nothing but a JSON parser, and checks what they say of stated melds: 40 lines in all.
//     node consumer.js ../../vectors
const fs = require('node:fs');
const path = require('node:path');
const PLACES = [...'A23456789TJQKA'];
const isWild = card => card === 'JK' || card[0] === '2';
const copies = card => (card === 'JK' ? 4 : 2);
const points = card => ({ J: card === 'JK' ? 20 : 10, A: 15 })[card[0]] ?? ('34567'.includes(card[0]) ? 5 : 10);

function judge({ template, key, low, cards }) {
  const run = template === 'run';
  if (!template || (run && low + cards.length - 1 > 14)) return { lawful: false };
  const natural = (card, i) => (run ? card === PLACES[low + i - 1] + key : card !== 'JK' && card[0] === key);
  const others = cards.filter((card, i) => !natural(card, i));
  const enough = cards.every(card => cards.filter(other => other === card).length <= copies(card));
  const sized = cards.length >= 3 && !(run && cards.length > 13) && !(!run && key === '2');
  const value = cards.reduce((sum, card) => sum + points(card), 0);
  return { lawful: sized && enough && others.length <= 1 && others.every(isWild), clean: !others.length, value };
}

function vectors(folder) {
  return fs.readdirSync(folder, { withFileTypes: true }).flatMap(entry => {
    const file = path.join(folder, entry.name);
    return entry.isDirectory() ? vectors(file) : [JSON.parse(fs.readFileSync(file, 'utf8'))];
  });
}

let checked = 0;
for (const vector of vectors(process.argv[2]).filter(vector => ['melds', 'scoring'].includes(vector.level))) {
  for (const step of vector.steps.filter(step => 'meld' in step)) {
    const found = judge(step.meld.json);
    for (const name of ['lawful', 'clean', 'value'].filter(name => name in step.is && (name === 'lawful' || step.is.lawful))) {
      checked += 1;
      if (found[name] === step.is[name]) continue;
      console.log(`${vector.id}: ${step.meld.text}: expected ${name} ${step.is[name]}, found ${found[name]}`);
      process.exitCode = 1;
    }
  }
}
console.log(`${checked} statements about melds checked`);
