// Committees and their members, imported as versions while a server runs. Profiles have today's
// seats when the command returns (decisions 9 and 32).

import { strict as assert } from 'node:assert';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import test, { describe } from 'node:test';
import { committeesJson, membershipJson } from './lib/invented_committees.mjs';
import { HOLLIS, VALE, membersJson } from './lib/invented_members.mjs';
import { noSharedData, sharedData } from './lib/settings.mjs';
import { makeSite, onEachDatabase } from './lib/site.mjs';

const ADLER = {
  id: 'A000903',
  first: 'Noa',
  last: 'Adler',
  chamber: 'house',
  state: 'OH',
  district: 3,
};
const STRANGER = { id: 'S000904', first: 'Sam', last: 'Stranger' };

const FARMS = {
  id: 'HSFA',
  name: 'House Committee on Farms',
  parts: { '07': 'Orchards', '08': 'Task Force on Weevils' },
};
const ENERGY = { id: 'SSEG', name: 'Senate Committee on Energy', type: 'senate' };
const PRINTING = { id: 'JSPR', name: 'Joint Committee on Printing', type: 'joint' };

const FIRST = {
  committees: [FARMS, ENERGY, PRINTING],
  seats: {
    HSFA: [
      { member: VALE, title: 'Chairman' },
      { member: ADLER, title: 'Ranking Member', side: 'minority' },
    ],
    HSFA07: [
      { member: ADLER, title: 'Chairwoman' },
      { member: VALE, title: 'Ex Officio' },
    ],
    SSEG: [{ member: HOLLIS }],
    JSPR: [
      { member: HOLLIS, title: 'Chairman', chamber: 'senate' },
      { member: VALE, title: 'Vice Chairman', chamber: 'house' },
    ],
  },
};

/**
 * A later roster: another chair, without Vale's seat on the subcommittee, whose id has a new name.
 */
const SECOND = {
  committees: [{ ...FARMS, parts: { '07': 'Vineyards and Wine' } }, ENERGY, PRINTING],
  seats: {
    HSFA: [
      { member: ADLER, title: 'Chair' },
      { member: VALE, title: 'Ranking Member', side: 'minority' },
    ],
    HSFA07: [{ member: ADLER, title: 'Chair' }],
    SSEG: [{ member: HOLLIS, title: 'Vice Chair' }],
    JSPR: [{ member: HOLLIS, chamber: 'senate' }],
  },
};

function file(site, name, text) {
  writeFileSync(path.join(site.folder, name), text);
  return path.join(site.folder, name);
}

const importMembers = (site, people) =>
  site.stockact('members', 'import', file(site, 'members.json', membersJson(people)));

function filesOf(site, { committees, seats }) {
  return [
    file(site, 'committees.json', committeesJson(committees)),
    file(site, 'membership.json', membershipJson(seats)),
  ];
}

/** Imports a version and returns the output lines, with the last one separate. */
async function importVersion(site, version, day) {
  const printed = await site.stockact(
    'committees',
    'import',
    ...filesOf(site, version),
    '--as-of',
    day,
  );
  return { report: printed.at(-1), remarks: printed.slice(0, -1) };
}

async function seatsOf(server, member) {
  const slug = `${member.first}-${member.last}`.toLowerCase();
  const { data } = await server.json(`/api/v1/politicians/${slug}`);
  return data.profile.committees;
}

onEachDatabase('committees', (kind) => {
  test('a file of seats over time has its seats, its names and its odd lines', async (t) => {
    const site = await makeSite(t, { database: kind, clock: '2026-07-01T16:00:00Z' });
    await importMembers(site, [VALE, HOLLIS, ADLER]);
    const server = await site.serve();
    const head = 'seen_from,seen_to';
    const seats = file(
      site,
      'seats.csv',
      `committee,bioguide,${head},title
HSFA,V000901,2025-02-01,,Chair
HSFA,A000903,2023-02-01,2025-01-03,Ranking Member
HSFA07,A000903,2026-06-01,,
HSFA07,A903,2025-02-01,,
`,
    );
    const names = file(
      site,
      'names.csv',
      `committee,name,${head}
HSFA,House Committee on Farms,2023-01-03,
HSFA07,Orchards,2023-01-03,2025-01-03
HSFA07,Vineyards and Wine,2025-01-03,
`,
    );
    const importSpans = () =>
      site.stockact('committees', 'import', '--spans', seats, '--names', names);
    const [odd, report] = await importSpans();
    assert.equal(odd.line, 5);
    assert.match(odd.leftOut, /bioguide is not a letter and six digits/);
    assert.deepEqual([report.seats, report.members, report.linesLeftOut], [3, 2, 1]);
    assert.deepEqual(
      [report.from, report.to, report.unchanged],
      ['2023-02-01', '2026-06-01', false],
    );
    const brief = (list) => list.map(({ id, name, role }) => [id, name, role]);
    assert.deepEqual(brief(await seatsOf(server, VALE)), [
      ['HSFA', 'House Committee on Farms', 'chair'],
    ]);
    const adler = brief(await seatsOf(server, ADLER));
    assert.equal(adler.length, 1, 'the seat on the committee ended');
    assert.deepEqual([adler[0][0], adler[0][2]], ['HSFA07', 'member']);
    assert.match(adler[0][1], /Vineyards and Wine/);
    assert.deepEqual(await seatsOf(server, HOLLIS), []);
    assert.equal((await importSpans()).at(-1).unchanged, true);
  });

  test("profiles have the newest roster's seats when the command returns", async (t) => {
    const site = await makeSite(t, { database: kind, clock: '2026-07-01T03:00:00Z' });
    await importMembers(site, [VALE, HOLLIS, ADLER]);
    const server = await site.serve();
    assert.deepEqual(await seatsOf(server, VALE), []);

    // it is still evening in Washington
    const first = await importVersion(site, FIRST, '2026-06-30');
    assert.deepEqual(first, {
      remarks: [],
      report: {
        asOf: '2026-06-30',
        committees: 3,
        subcommittees: 2,
        seats: 7,
        members: 3,
        seatsLeftOut: 0,
        membersUnknown: 0,
        entriesLeftOut: 0,
        titlesUnknown: 0,
        unchanged: false,
      },
    });
    assert.deepEqual(await seatsOf(server, VALE), [
      { id: 'HSFA', name: 'House Committee on Farms', role: 'chair' },
      {
        id: 'HSFA07',
        name: 'Subcommittee on Orchards of the House Committee on Farms',
        role: 'member',
      },
      { id: 'JSPR', name: 'Joint Committee on Printing', role: 'vice_chair' },
    ]);
    assert.deepEqual(await seatsOf(server, HOLLIS), [
      { id: 'JSPR', name: 'Joint Committee on Printing', role: 'chair' },
      { id: 'SSEG', name: 'Senate Committee on Energy', role: 'member' },
    ]);

    await site.clock.advance(40 * 86_400_000);
    const second = await importVersion(site, SECOND, '2026-08-09');
    assert.equal(second.report.seats, 5);
    assert.deepEqual(await seatsOf(server, VALE), [
      { id: 'HSFA', name: 'House Committee on Farms', role: 'ranking_member' },
    ]);
    assert.deepEqual(await seatsOf(server, ADLER), [
      { id: 'HSFA', name: 'House Committee on Farms', role: 'chair' },
      {
        id: 'HSFA07',
        name: 'Subcommittee on Vineyards and Wine of the House Committee on Farms',
        role: 'chair',
      },
    ]);
    assert.deepEqual(await seatsOf(server, HOLLIS), [
      { id: 'JSPR', name: 'Joint Committee on Printing', role: 'member' },
      { id: 'SSEG', name: 'Senate Committee on Energy', role: 'vice_chair' },
    ]);

    // An older roster applies to the past, not to today.
    await importVersion(site, FIRST, '2023-01-20');
    assert.equal((await seatsOf(server, VALE)).length, 1);
    const days = await site.database.query(
      'SELECT count(*) AS seats FROM committee_seat GROUP BY version_no ORDER BY version_no',
    );
    assert.deepEqual(
      days.map((row) => Number(row.seats)),
      [7, 5, 7],
    );
  });

  test('a member who left has no seats today, and those of before end on that day', async (t) => {
    const site = await makeSite(t, { database: kind, clock: '2026-07-01T16:00:00Z' });
    await importMembers(site, [VALE, { ...HOLLIS, end: '2026-07-20' }]);
    const server = await site.serve();
    await importVersion(site, FIRST, '2026-06-30');
    assert.equal((await seatsOf(server, HOLLIS)).length, 2);
    await site.clock.advance(30 * 86_400_000);
    assert.deepEqual(await seatsOf(server, HOLLIS), []);
    assert.notDeepEqual(await seatsOf(server, VALE), []);
    const page = await server.get('/politicians/dana-hollis');
    const [, seats] = page.text.split('aria-label="Table of seats"');
    assert.ok(seats.includes('2026-06-30 to 2026-07-20'), seats);
    assert.ok(!seats.includes('since 2026'), seats);
  });

  test('the same files change nothing, different files for that day replace the roster', async (t) => {
    const site = await makeSite(t, { database: kind, clock: '2026-07-01T17:00:00Z' });
    await importMembers(site, [VALE, HOLLIS, ADLER]);
    const server = await site.serve();
    await importVersion(site, FIRST, '2026-06-30');
    const before = await server.get('/api/v1/politicians/robin-vale');
    assert.equal((await importVersion(site, FIRST, '2026-06-30')).report.unchanged, true);
    const after = await server.get('/api/v1/politicians/robin-vale');
    assert.equal(after.header('etag'), before.header('etag'));
    assert.equal((await importVersion(site, SECOND, '2026-06-30')).report.unchanged, false);
    assert.equal((await seatsOf(server, VALE)).length, 1);
  });

  test('seats of unknown members are reported, and imported together with the members', async (t) => {
    const site = await makeSite(t, { database: kind });
    const version = {
      ...FIRST,
      seats: { HSFA: [{ member: VALE }, { member: STRANGER, title: 'Harvest Queen' }] },
    };
    const day = '2026-06-30';
    const none = await site.run([
      ...['committees', 'import', ...filesOf(site, version)],
      ...['--as-of', day],
    ]);
    assert.equal(none.code, 1);
    assert.match(none.stderr, /run `stockact members import` first/);

    await importMembers(site, [VALE]);
    const { report, remarks } = await importVersion(site, version, day);
    assert.equal(report.seats, 1);
    assert.equal(report.seatsLeftOut, 1);
    assert.equal(report.membersUnknown, 1);
    assert.deepEqual(
      remarks.map(({ member, name, seats }) => [member, name, seats]),
      [
        ['S000904', 'Sam Stranger', 1],
        ['S000904', 'Sam Stranger', 1],
      ],
    );
    assert.match(remarks[0].remark, /left out/);
    assert.equal(remarks[1].committee, 'HSFA');
    assert.match(remarks[1].remark, /unknown title "Harvest Queen"/);

    await importMembers(site, [VALE, { ...STRANGER, chamber: 'house', state: 'OH', district: 1 }]);
    const again = await importVersion(site, version, day);
    assert.equal(again.report.unchanged, false);
    assert.equal(again.report.seats, 2);
    const server = await site.serve();
    assert.equal((await seatsOf(server, STRANGER)).length, 1);
  });
});

// The entries for which real lists were refused: a committee that the index lacks, a seat that is
// listed twice, a joint committee without the member's chamber, an odd subcommittee id.
test('one invalid entry does not reject the rest of the list', async (t) => {
  const site = await makeSite(t, { clock: '2026-07-01T03:00:00Z' });
  await importMembers(site, [VALE, HOLLIS, ADLER]);
  const seats = {
    ...FIRST.seats,
    HSFA: [...FIRST.seats.HSFA, { member: VALE }],
    HSBA20: [{ member: VALE }, { member: ADLER }],
    JSPR: [...FIRST.seats.JSPR, { member: ADLER }],
    HSFA7x: [{ member: ADLER }],
  };
  const { report, remarks } = await importVersion(site, { ...FIRST, seats }, '2026-06-30');
  assert.equal(report.seats, 7);
  assert.equal(report.entriesLeftOut, 4);
  assert.deepEqual(
    remarks.map(({ committee, seats: count }) => [committee, count]),
    [
      ['HSFA', 1],
      ['JSPR', 1],
      ['HSBA20', 2],
      [null, 1],
    ],
  );
  assert.match(remarks[0].remark, /^left out: .*V000901 already has a seat there/);
  assert.match(remarks[1].remark, /"chamber" is missing for a joint committee/);
  assert.match(remarks[2].remark, /committees\.json does not list this committee/);
  assert.match(remarks[3].remark, /the key "HSFA7x" is not a committee id/);
  const server = await site.serve();
  assert.equal((await seatsOf(server, VALE)).length, 3);
});

describe('invalid committee imports', () => {
  test('a wrong file, a wrong order and a future date are rejected with a reason', async (t) => {
    const site = await makeSite(t, { clock: '2024-03-01T03:00:00Z' });
    await importMembers(site, [VALE, HOLLIS, ADLER]);
    const [committees, membership] = filesOf(site, FIRST);
    const members = path.join(site.folder, 'members.json');
    const cases = [
      [
        [membership, committees],
        /membership\.json: line 1: not a list of committees: pass the list/,
      ],
      [[members, membership], /members\.json: .*record 1: "thomas_id" is missing/],
      [[committees, members], /members\.json: line 1: not a JSON object/],
      [[committees, '/nowhere.json'], /\/nowhere\.json/],
      [
        [committees, membership, '--as-of', '2024-03-01'],
        /--as-of "2024-03-01" is in the future in Washington/,
      ],
      [[committees, membership, '--as-of', ''], /--as-of/],
      [[committees, '--as-of', '2024-02-01'], /give two files, COMMITTEES.json and/],
      [['--spans', membership, '--as-of', '2024-02-01'], /--spans takes no other file/],
      [[committees, membership, '--names', committees], /--names goes with --spans/],
      [['--spans', file(site, 'x.csv', 'a,b\n')], /x\.csv: line 1: there is no column "committee"/],
    ];
    const noDay = await site.run(['committees', 'import', committees, membership]);
    assert.equal(noDay.code, 2);
    assert.match(noDay.stderr, /--as-of is missing: give the day on which the list was valid/);
    for (const [args, reason] of cases) {
      const dated =
        args.includes('--as-of') || args.includes('--spans') || args.includes('--names');
      const day = dated ? [] : ['--as-of', '2024-02-01'];
      const done = await site.run(['committees', 'import', ...args, ...day]);
      assert.notEqual(done.code, 0, args.join(' '));
      assert.match(done.stderr, reason);
    }
    const [{ n }] = await site.database.query('SELECT count(*) AS n FROM committee_version');
    assert.equal(Number(n), 0);
  });

  test('a demonstration database rejects real committees', async (t) => {
    const site = await makeSite(t);
    await site.stockact('demo', '--trades', 50);
    const done = await site.run([
      ...['committees', 'import', ...filesOf(site, FIRST)],
      ...['--as-of', '2024-02-01'],
    ]);
    assert.equal(done.code, 1);
    assert.match(done.stderr, /demo|invented/i);
  });
});

const legislators = sharedData('congress-legislators');

test('the real committees', { skip: legislators ? false : noSharedData }, async (t) => {
  const site = await makeSite(t);
  const real = (name) => `${legislators}/${name}`;
  await site.stockact('members', 'import', real('legislators-current.json'));
  const server = await site.serve();
  const [report] = await site.stockact(
    'committees',
    'import',
    real('committees-current.json'),
    real('committee-membership-current.json'),
    '--as-of',
    '2026-04-22',
  );
  assert.equal(report.committees, 49);
  assert.equal(report.subcommittees, 181);
  assert.equal(report.seats, 3879);
  assert.equal(report.seatsLeftOut + report.titlesUnknown, 0);
  const { data } = await server.json('/api/v1/politicians/B001236');
  const chaired = data.profile.committees.filter((seat) => seat.role === 'chair');
  assert.ok(
    chaired.some((seat) => seat.id === 'SSAF' && seat.name.startsWith('Senate Committee on Agri')),
    JSON.stringify(data.profile.committees),
  );
});
