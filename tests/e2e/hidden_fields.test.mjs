// A hidden character in any text of any format: the document waits for a person, or the list is
// refused, with field and character in the reason, and no output has the character as it is.
//
// Each field gets one character, in turn. With STOCKACT_HIDDEN=all it gets every one (soak-hidden).

import { strict as assert } from 'node:assert';
import { describe, test } from 'node:test';
import { HIDDEN, codeOf } from './lib/hidden.mjs';
import { COMMITTEES, DOCUMENTS, FULL_HOUSE_ROW, INDEXES, LISTS } from './lib/hidden_documents.mjs';
import { indexXml } from './lib/house_index.mjs';
import { housePdf } from './lib/house_pdf.mjs';
import { Watched } from './lib/hidden_site.mjs';

const CHARACTERS = Object.values(HIDDEN);

/** The characters for the case with this number. */
function charactersFor(number, takes = () => true) {
  const possible = CHARACTERS.filter(takes);
  return process.env.STOCKACT_HIDDEN === 'all' ? possible : [possible[number % possible.length]];
}

/** [case, character, number] of all. */
const pairs = (cases) =>
  cases
    .flatMap((one, index) => charactersFor(index, one.takes).map((character) => [one, character]))
    .map(([one, character], number) => ({ ...one, character, number }));

const describeCase = ({ format, field, character }) => `${format}: ${field}: ${codeOf(character)}`;

describe('a hidden character in any field', () => {
  test('makes a document wait, and review shows it', async (t) => {
    const watched = await Watched.open(t);
    const cases = pairs(DOCUMENTS);
    const made = cases.map((one) => one.make(one.character, one.number));
    const lines = await watched.ingest(
      Object.fromEntries(made.map(({ name, bytes }) => [name, bytes])),
    );
    await watched.json('review', 'list');
    await watched.run('review', 'list');
    for (const [index, one] of cases.entries()) {
      const line = lines[made[index].name];
      const what = `${describeCase(one)}: ${line.status}: ${line.reason}`;
      assert.equal(line.status, 'needs_manual', what);
      assert.ok(line.reason.includes('no_hidden_characters'), what);
      assert.ok(line.reason.includes(codeOf(one.character)), what);
      if (cases.length > 100 && index % 10) continue; // enough commands for the long run
      await watched.run('review', 'show', line.filingId);
      const [view] = await watched.json('review', 'show', line.filingId);
      const check = view.checks.find(({ name }) => name === 'no_hidden_characters');
      assert.equal(check.passed, false, what);
      const error = await watched.fails('review', 'accept', line.filingId, '--by', 'a@example.org');
      assert.match(error, /review set|no_hidden_characters|set-filer|failed|no row|date/, what);
    }
    t.diagnostic(`${cases.length} documents`);
  });

  test('of an index is named, and its reports wait', async (t) => {
    const watched = await Watched.open(t);
    const cases = pairs(INDEXES);
    for (const one of cases) {
      const made = one.make(one.character, one.number);
      const lines = await watched.ingest({ [made.name]: made.bytes });
      const line = lines[made.name];
      const what = `${describeCase(one)}: ${line.status}: ${line.reason}`;
      assert.equal(line.status, 'indexed', what);
      assert.ok(line.reason.includes(codeOf(one.character)), what);
    }
    await watched.run('coverage');
    const { '20999999.pdf': report } = await watched.ingest({
      '2026FD.xml': indexXml([{ DocID: '20999999', Last: 'Va\u200ble', Year: '2026' }]),
      '20999999.pdf': housePdf({ id: '20999999', rows: [FULL_HOUSE_ROW] }),
    });
    assert.equal(report.status, 'needs_manual');
    assert.match(report.reason, /no_hidden_characters \(filer of the index: U\+200B/);
    t.diagnostic(`${cases.length} indexes`);
  });

  test('makes a list refused', async (t) => {
    const watched = await Watched.open(t);
    const cases = pairs(LISTS);
    for (const one of cases) {
      const file = watched.file('list', one.make(one.character, one.number));
      const args = one.command.map((word) => (word === '{file}' ? file : word));
      const told = [];
      for (const more of [[], ['--json']]) {
        const done = await watched.run(...args, ...more);
        told.push(done.stdout + done.stderr);
        if (!one.refuses) assert.equal(done.code, 1, `${describeCase(one)}: ${done.stdout}`);
      }
      for (const text of told)
        assert.ok(text.includes(codeOf(one.character)), `${describeCase(one)}: ${text}`);
    }
    const count = async (table) =>
      (await watched.site.database.query(`SELECT count(*) AS n FROM ${table}`))[0].n;
    assert.equal(Number(await count('trade')), 0);
    assert.equal(Number(await count('member')), 2);
    t.diagnostic(`${cases.length} lists`);
  });

  test('of a committee refuses the list', async (t) => {
    const watched = await Watched.open(t);
    for (const one of pairs(COMMITTEES)) {
      const files = one
        .make(one.character)
        .map((bytes, index) => watched.file(`committees-${index}.json`, bytes));
      const args = ['committees', 'import', ...files, '--as-of', '2025-01-20'];
      const done = await watched.run(...args);
      const text = done.stdout + done.stderr;
      assert.ok(text.includes(codeOf(one.character)), `${one.field}: ${text}`);
      await watched.run(...args, '--json');
    }
  });
});
