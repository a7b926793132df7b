// GET /api/v1/committees and /industries: who sat on a committee on a day, and what it oversaw,
// against invented lists, the files of data/, and the public record of committee seats, which is
// read here without the program.

import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import test, { describe } from 'node:test';
import { parse } from 'csv-parse/sync';
import { OpenApi } from './lib/openapi.mjs';
import { noSharedData, root, sharedData } from './lib/settings.mjs';
import { makeSite, onEachDatabase, useSite } from './lib/site.mjs';

const records = (file) => parse(readFileSync(file, 'utf8'), { columns: true });
const dataFile = (name) => records(path.join(root, 'data', name));
/** A name of a subcommittee without the words that its title begins with. */
const plain = (name) =>
  name.toLowerCase().replace(/^(subcommittee )?((on|for|to) )?((the|an?) )?/, '');
const MAP = dataFile('committee_industries.csv');

onEachDatabase('committees on a day', (kind) => {
  const shared = useSite(
    { database: kind, env: { STOCKACT_BENCH_UNLIMITED: '1' } },
    async (site) => {
      await site.stockact('demo', '--trades', 1500, '--as-of', '2026-03-01');
      const server = await site.serve();
      return { server, key: await site.key({ plan: 'den' }), api: await OpenApi.load(server) };
    },
  );
  async function get(target, status = 200) {
    const response = await shared.server.get(target, { key: shared.key });
    shared.api.check('GET', target.split('?')[0], response);
    assert.equal(response.status, status, `${target}: ${response.text}`);
    return response.json;
  }
  async function all(target) {
    const rows = [];
    for await (const page of shared.server.pages(target, { key: shared.key }))
      rows.push(...page.data);
    return rows;
  }
  const trades = (query) => all(`/api/v1/trades?limit=100&${query}`);

  test('the pages of the list are the list, by id', async () => {
    const few = await all('/api/v1/committees?limit=7');
    assert.deepEqual(few, await all('/api/v1/committees?limit=100'));
    const ids = few.map((committee) => committee.id);
    assert.deepEqual(ids, [...new Set(ids)].sort());
    const senate = await all('/api/v1/committees?chamber=senate&limit=100');
    assert.deepEqual(
      senate,
      few.filter((committee) => committee.chamber === 'senate'),
    );
    assert.ok(senate.length > 10 && senate.length < few.length);
  });

  test('lists by a count, in both orders, with cursors of that order alone', async () => {
    for (const [path, id, count] of [
      ['/api/v1/committees', 'id', 'members'],
      ['/api/v1/industries', 'code', 'committees'],
    ]) {
      const rows = await all(`${path}?limit=100`);
      for (const sort of [count, 'conflicts'])
        for (const order of ['desc', 'asc']) {
          const sign = order === 'asc' ? 1 : -1;
          const ranked = [...rows].sort((a, b) => sign * (a[sort] - b[sort])); // is stable
          assert.deepEqual(await all(`${path}?sort=${sort}&order=${order}&limit=9`), ranked);
        }
      const { nextCursor } = await get(`${path}?sort=conflicts&limit=2`);
      for (const query of ['limit=2', `sort=${id}`, `sort=${count}`, 'sort=conflicts&order=asc'])
        await get(`${path}?${query}&cursor=${nextCursor}`, 400);
      await get(`${path}?sort=zebra`, 400);
    }
  });

  test('members are those whose profiles have the seat, with their roles', async () => {
    const seats = new Map();
    for (const politician of await all('/api/v1/politicians?limit=100'))
      for (const { id, role } of politician.committees)
        seats.set(id, [...(seats.get(id) ?? []), `${politician.slug} ${role}`]);
    const list = await all('/api/v1/committees?limit=100');
    assert.deepEqual(list.map((committee) => committee.id).sort(), [...seats.keys()].sort());
    for (const committee of list.slice(0, 40)) {
      const { data } = await get(`/api/v1/committees/${committee.id.toLowerCase()}`);
      assert.deepEqual(data.committee, committee);
      const members = data.members.map(({ politician, role }) => `${politician.slug} ${role}`);
      assert.deepEqual(members.sort(), seats.get(committee.id).sort());
      assert.equal(members.length, committee.members);
      assert.deepEqual(
        data.subcommittees,
        list.filter((one) => one.parent === committee.id),
      );
      assert.deepEqual(
        data.oversees.map((line) => `${line.industry} ${line.ground} ${line.source}`).sort(),
        MAP.filter(
          (line) =>
            line.committee === committee.id &&
            line.industry !== '-' &&
            (!line.from || line.from <= data.seatsAsOf) &&
            (!line.to || data.seatsAsOf <= line.to) &&
            (committee.parent === null ||
              !line.name ||
              plain(committee.name).startsWith(`${plain(line.name)} of the `)),
        )
          .map((line) => `${line.industry} ${line.ground} ${line.source}`)
          .sort(),
        committee.id,
      );
    }
  });

  test('conflicts are the flagged trades of the list of trades', async () => {
    const list = await all('/api/v1/committees?limit=100');
    const flagged = list.filter((committee) => committee.conflicts);
    assert.ok(flagged.length > 5);
    for (const { id, conflicts } of [...flagged.slice(0, 8), ...list.slice(0, 4)])
      assert.equal((await trades(`committee=${id}`)).length, conflicts, id);
    let any = 0;
    for (const industry of await all('/api/v1/industries?limit=9')) {
      assert.equal((await trades(`industry=${industry.code}`)).length, industry.conflicts);
      any += industry.conflicts;
    }
    assert.equal(any, (await trades('conflict=true')).length);
  });

  test('an industry has every line of the map that names it', async () => {
    for (const { code, name, definition } of await all('/api/v1/industries?limit=100')) {
      const { data } = await get(`/api/v1/industries/${code.toUpperCase()}`);
      const lines = MAP.filter((line) => line.industry === code);
      assert.deepEqual([data.industry.name, data.industry.definition], [name, definition]);
      assert.deepEqual(
        data.overseenBy.map((line) => [
          line.committee.id,
          line.ground,
          line.jurisdiction,
          line.source,
          line.from ?? '',
          line.to ?? '',
        ]),
        lines.map((line) => [
          line.committee,
          line.ground,
          line.jurisdiction,
          line.source,
          line.from,
          line.to,
        ]),
      );
    }
    assert.deepEqual(
      (await all('/api/v1/industries?limit=100')).map((industry) => industry.code),
      dataFile('industries.csv').map((line) => line.industry),
    );
  });

  test('what does not fit gets what fits', async () => {
    const [{ id }] = (await get('/api/v1/committees?limit=1')).data;
    const early = await get(`/api/v1/committees/${id}?on=1999-01-01`, 400);
    assert.match(early.hint, /"on" must be a date from \d{4}-\d\d-\d\d, .* to today/);
    const first = /\d{4}-\d\d-\d\d/.exec(early.hint)[0];
    await get(`/api/v1/committees/${id}?on=${first}`);
    await get(`/api/v1/committees?on=${first}`);
    await get('/api/v1/committees?on=2099-01-01', 400);
    await get(`/api/v1/committees/${id}?on=yesterday`, 400);
    await get(`/api/v1/committees/${id}?at=${first}`, 400);
    for (const unknown of ['HSZZ', 'none', '%20', `${id}999`])
      await get(`/api/v1/committees/${unknown}`, 404);
    for (const unknown of ['tulips', 'none', '%C3%A9'])
      await get(`/api/v1/industries/${unknown}`, 404);
  });
});

/** The same days for the same seed: a linear congruence modulo 2^32. */
function dice(seed) {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const DAY = 86400000;
const day = (ms) => new Date(ms).toISOString().slice(0, 10);
const within = (row, on) => row.seen_from <= on && (!row.seen_to || on < row.seen_to);
const congressBegin = (on) => {
  const year = Number(on.slice(0, 4));
  const begin = `${year % 2 ? year : year - 1}-01-03`;
  return begin <= on ? begin : `${year - 2}-01-03`;
};
const ROLES = [
  [/vice/i, 'vice_chair'],
  [/ranking/i, 'ranking_member'],
  [/^(co)?-?chair/i, 'chair'],
];

const history = sharedData('congress-legislators', 'history');

describe('real committees', { skip: history ? false : noSharedData }, () => {
  const SEED = 20261129;

  test('50 committee-days are those of the public record', async (t) => {
    const seats = Map.groupBy(records(path.join(history, 'seats.csv')), (row) => row.committee);
    const index = Map.groupBy(
      records(path.join(history, 'committees.csv')),
      (row) => row.committee,
    );
    const versions = records(path.join(history, 'versions.csv')).map((row) => row.day);
    const terms = new Map();
    for (const file of ['former-members-since-2012.json', '../legislators-current.json'])
      for (const member of JSON.parse(readFileSync(path.join(history, file), 'utf8')))
        terms.set(member.id.bioguide, member.terms);

    const site = await makeSite(t, { env: { STOCKACT_BENCH_UNLIMITED: '1' } });
    await site.stockact('setup');
    const server = await site.serve();
    const key = await site.key({ plan: 'den' });
    const slugs = new Map();
    for await (const page of server.pages('/api/v1/politicians?limit=100', { key }))
      for (const { id, slug } of page.data) slugs.set(id, slug);

    const below = dice(SEED);
    const ids = [...seats.keys()].sort();
    const first = Date.parse(versions[0]);
    const span = (Date.parse(versions.at(-1)) - first) / DAY;
    let days = 0;
    let members = 0;
    while (days < 50) {
      const id = ids[below(ids.length)];
      const on = day(first + below(span + 1) * DAY);
      const held = seats.get(id).filter((row) => within(row, on));
      // the list is of that Congress: the index has the committee, and a seat begins in it
      const begin = congressBegin(on);
      const renewed = held.some((row) => row.seen_from >= begin);
      if (!renewed || !index.get(id)?.some((row) => within(row, on))) continue;
      days++;
      const response = await server.get(`/api/v1/committees/${id}?on=${on}`, { key });
      assert.equal(response.status, 200, `${id} ${on}: ${response.text}`);
      const { data } = response.json;
      assert.equal(data.basis, 'in_force', `${id} ${on}`);
      assert.equal(
        data.seatsAsOf,
        versions.findLast((version) => version <= on),
      );
      const known = held.filter((row) => slugs.has(row.bioguide));
      assert.equal(data.committee.members, held.length, `${id} ${on}`);
      assert.deepEqual(
        data.members.map(({ politician, role }) => `${politician.slug} ${role}`).sort(),
        known
          .map((row) => {
            const role = ROLES.find(([pattern]) => pattern.test(row.title))?.[1] ?? 'member';
            return `${slugs.get(row.bioguide)} ${role}`;
          })
          .sort(),
        `${id} ${on}`,
      );
      for (const row of known) {
        const term = terms.get(row.bioguide)?.find((one) => one.start <= on && on < one.end);
        if (!term) continue;
        const party =
          term.party_affiliations?.find((one) => one.start <= on && on <= one.end)?.party ??
          term.party;
        const shown = data.members.find(
          ({ politician }) => politician.slug === slugs.get(row.bioguide),
        );
        assert.deepEqual(
          [shown.politician.party, shown.politician.state, shown.politician.chamber],
          [party, term.state, term.type === 'sen' ? 'senate' : 'house'],
          `${row.bioguide} ${on}`,
        );
        members++;
      }
    }
    assert.ok(members > 500);
  });
});
