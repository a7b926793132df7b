// Documents and lists of every format with a hidden character in one of their texts.

import { indexText, indexXml, indexZip } from './house_index.mjs';
import { housePdf } from './house_pdf.mjs';
import { committeesJson, membershipJson } from './invented_committees.mjs';
import { HOLLIS, VALE, membersJson } from './invented_members.mjs';
import { HOUSE_ROW, SENATE_ROW } from './invented_rows.mjs';
import { senateId, senatePage } from './senate_page.mjs';
import { UNSEEN } from './unseen.mjs';

export const FULL_HOUSE_ROW = {
  ...HOUSE_ROW,
  subholding_of: 'Family Trust',
  location: 'Oregon, US',
  description: 'Bought for the trust',
  comment: 'None',
};

export const FULL_SENATE_ROW = {
  ...SENATE_ROW,
  owner: 'Spouse',
  assetType: 'Stock',
  type: 'Purchase',
  amount: '$1,001 - $15,000',
  comment: 'None',
  description: 'A tool maker',
};

/** The text with the character in its middle. */
export const within = (text, character) => {
  const middle = Math.ceil(text.length / 2);
  return text.slice(0, middle) + character + text.slice(middle);
};

const changed = (object, field, character) => ({
  ...object,
  [field]: within(object[field], character),
});

const HOUSE_HEAD = { filer: 'Hon. Robin Vale', status: 'Member', district: 'CA07' };
const SENATE_HEAD = { filer: 'The Honorable Dana Hollis', bracket: 'Hollis, Dana' };

/** Characters that can be in XML and, by itself, in a text of HTML. */
const isOfXml = (character) => !/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/u.test(character);

/** What a reviewer must look at: each makes {name, bytes} of a field, a character and a number. */
export const DOCUMENTS = [
  ...['new', 'old'].flatMap((layout) => [
    ...Object.keys(FULL_HOUSE_ROW).map((field) => ({
      format: `House report, ${layout} layout`,
      field,
      takes: (character) => UNSEEN.includes(character),
      make: (character, number) => ({
        name: `${20990000 + number}.pdf`,
        bytes: housePdf({
          id: String(20990000 + number),
          layout,
          rows: [FULL_HOUSE_ROW, changed(FULL_HOUSE_ROW, field, character)],
        }),
      }),
    })),
    ...Object.keys(HOUSE_HEAD).map((field) => ({
      format: `House report, ${layout} layout`,
      field,
      takes: (character) => UNSEEN.includes(character),
      make: (character, number) => ({
        name: `${20990000 + number}.pdf`,
        bytes: housePdf({
          id: String(20990000 + number),
          layout,
          rows: [FULL_HOUSE_ROW],
          ...changed(HOUSE_HEAD, field, character),
        }),
      }),
    })),
  ]),
  ...Object.keys(FULL_SENATE_ROW).map((field) => ({
    format: 'Senate page',
    field,
    takes: isOfXml,
    make: (character, number) => ({
      name: `${senateId(number)}.html`,
      bytes: senatePage({ rows: [FULL_SENATE_ROW, changed(FULL_SENATE_ROW, field, character)] }),
    }),
  })),
  ...Object.keys(FULL_SENATE_ROW).map((field) => ({
    format: 'Senate page, as an entity',
    field,
    takes: () => true,
    make: (character, number) => ({
      name: `${senateId(number)}.html`,
      bytes: senatePage({
        rows: [FULL_SENATE_ROW, changed(FULL_SENATE_ROW, field, '\ue123')],
      }).replaceAll('\ue123', `&#${character.codePointAt(0)};`),
    }),
  })),
  ...Object.keys(SENATE_HEAD).map((field) => ({
    format: 'Senate page',
    field,
    takes: isOfXml,
    make: (character, number) => ({
      name: `${senateId(number)}.html`,
      bytes: senatePage({ rows: [FULL_SENATE_ROW], ...changed(SENATE_HEAD, field, character) }),
    }),
  })),
];

const INDEX_ROW = {
  Prefix: 'Hon.',
  Last: 'Vale',
  First: 'Robin',
  Suffix: 'Jr',
  FilingType: 'P',
  StateDst: 'CA07',
  Year: '2025',
  FilingDate: '1/16/2025',
};

/** Indexes: the character is in one entry, whose report is imported beside it. */
export const INDEXES = Object.keys(INDEX_ROW).flatMap((field) =>
  [
    ['xml', (entries) => Buffer.from(indexXml(entries))],
    ['txt', (entries) => Buffer.from(indexText(entries))],
    ['zip', (entries) => indexZip(entries)],
  ].map(([ending, write]) => ({
    format: `index, ${ending}`,
    field,
    takes: isOfXml,
    make: (character, number) => ({
      name: `index-${number}.${ending}`,
      bytes: write([{ ...changed(INDEX_ROW, field, character), DocID: String(20990000 + number) }]),
    }),
  })),
);

const DUMP_ROW = {
  transaction_date: '01/02/2014',
  owner: 'Self',
  ticker: 'HRBR',
  asset_description: 'Harbor Tools',
  asset_type: 'Stock',
  type: 'Purchase',
  amount: '$1,001 - $15,000',
  comment: '--',
};
const DUMP_HEAD = {
  first_name: 'Dana',
  last_name: 'Hollis',
  office: 'Hollis, Dana (Senator)',
  date_recieved: '01/29/2014',
};

const dump = (head, rows, number) =>
  JSON.stringify([
    {
      ...head,
      ptr_link: `https://efdsearch.senate.gov/search/view/ptr/${senateId(number)}/`,
      transactions: rows,
    },
  ]);

const MEMBER_LIST = (person) => membersJson([VALE, person]);
const CSV_COLUMNS =
  'last_name,first_name,middle_name,suffix,nickname,full_name,birthday,gender,type,state,district,' +
  'senate_class,party,bioguide_id';
const CSV_MEMBER = {
  last_name: 'Marlow',
  first_name: 'Lee',
  middle_name: 'Ann',
  suffix: 'Jr',
  nickname: 'Lou',
  full_name: 'Lee Ann Marlow',
  birthday: '1950-01-02',
  gender: 'F',
  type: 'sen',
  state: 'OR',
  district: '',
  senate_class: '2',
  party: 'Independent',
  bioguide_id: 'M000903',
};
const COMMITTEE = { id: 'HSAG', name: 'House Committee on Orchards', parts: { '07': 'Plums' } };

/** Lists that a command imports: the command fails with the reason. `{file}` is replaced. */
export const LISTS = [
  ...Object.keys(DUMP_HEAD).map((field) => ({
    format: 'Senate dump',
    field,
    command: ['backfill', 'senate-stock-watcher', '{file}', '--by', 'ann@example.org'],
    make: (character, number) => dump(changed(DUMP_HEAD, field, character), [DUMP_ROW], number),
    refuses: 'filing',
  })),
  ...Object.keys(DUMP_ROW).map((field) => ({
    format: 'Senate dump',
    field,
    command: ['backfill', 'senate-stock-watcher', '{file}', '--by', 'ann@example.org'],
    make: (character, number) => dump(DUMP_HEAD, [changed(DUMP_ROW, field, character)], number),
    refuses: 'filing',
  })),
  ...['first', 'last', 'party'].map((field) => ({
    format: 'members, JSON',
    field,
    command: ['members', 'import', '{file}'],
    make: (character) =>
      MEMBER_LIST({
        ...HOLLIS,
        party: 'Independent',
        ...changed({ party: 'Independent', ...HOLLIS }, field, character),
      }),
  })),
  ...['last_name', 'first_name', 'middle_name', 'suffix', 'nickname', 'full_name', 'party'].map(
    (field) => ({
      format: 'members, CSV',
      field,
      command: ['members', 'import', '{file}'],
      make: (character) =>
        `${CSV_COLUMNS}\n${Object.values(changed(CSV_MEMBER, field, character)).join(',')}\n`,
    }),
  ),
  ...['symbol', 'name', 'industry'].map((field) => ({
    format: 'symbols, CSV',
    field,
    command: ['tickers', 'import', '{file}'],
    make: (character) => {
      const row = changed(
        {
          symbol: 'HRBR',
          name: 'Harbor Tools',
          sector: 'Industrials',
          industry: 'Industrial Machinery',
        },
        field,
        character,
      );
      return `Symbol,Security,GICS Sector,GICS Sub-Industry\n${Object.values(row).join(',')}\n`;
    },
    refuses: 'line',
  })),
];

/** Two files, of committees and of their members; the character is in one of them. */
export const COMMITTEES = [
  {
    field: 'name',
    make: (character) => [
      committeesJson([changed(COMMITTEE, 'name', character)]),
      membershipJson({ HSAG: [{ member: VALE }] }),
    ],
  },
  {
    field: 'subcommittee',
    make: (character) => [
      committeesJson([{ ...COMMITTEE, parts: { '07': within('Plums', character) } }]),
      membershipJson({ HSAG: [{ member: VALE }] }),
    ],
  },
  {
    field: 'title',
    make: (character) => [
      committeesJson([COMMITTEE]),
      membershipJson({ HSAG: [{ member: VALE, title: within('Chairman', character) }] }),
    ],
  },
];
