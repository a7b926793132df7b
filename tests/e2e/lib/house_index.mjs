// The Clerk's yearly index with invented filers, in its three forms (sources.md 1).

import { zipOf } from './zip_file.mjs';

const FIELDS = [
  'Prefix',
  'Last',
  'First',
  'Suffix',
  'FilingType',
  'StateDst',
  'Year',
  'FilingDate',
  'DocID',
];

const escaped = (text) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');

/** An entry with defaults: a report of the invented member. */
const whole = (entry) => ({
  Prefix: 'Hon.',
  Last: 'Vale',
  First: 'Robin',
  Suffix: '',
  FilingType: 'P',
  StateDst: 'CA07',
  Year: '2025',
  FilingDate: '1/16/2025',
  DocID: '20990001',
  ...entry,
});

/** Entries are objects by the names of the XML's elements. */
export function indexXml(entries) {
  const element = (name, text) => (text ? `<${name}>${escaped(text)}</${name}>` : `<${name} />`);
  const members = entries.map(whole).map((entry) => {
    const lines = FIELDS.map((name) => `    ${element(name, entry[name])}\r\n`);
    return `  <Member>\r\n${lines.join('')}  </Member>\r\n`;
  });
  return (
    '\ufeff<?xml version="1.0" encoding="utf-8"?>\r\n' +
    `<FinancialDisclosure>\r\n${members.join('')}</FinancialDisclosure>\r\n`
  );
}

export function indexText(entries) {
  const rows = entries.map(whole).map((entry) => FIELDS.map((name) => entry[name]));
  return [FIELDS, ...rows].map((cells) => `${cells.join('\t')}\r\n`).join('');
}

/** The zip as published: the text, then the XML. */
export const indexZip = (entries, { year = 2025 } = {}) =>
  zipOf([
    { name: `${year}FD.txt`, bytes: Buffer.from(indexText(entries)) },
    { name: `${year}FD.xml`, bytes: Buffer.from(indexXml(entries)) },
  ]);
