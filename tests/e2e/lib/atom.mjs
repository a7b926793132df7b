// Atom feeds: two schemas in RELAX NG, and the rules of RFC 4287 about several elements at once.
// rfc4287.rng has what the standard allows, atom.rng only what this server writes.

import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { XMLParser } from 'fast-xml-parser';

const LISTS = ['entry', 'link', 'category', 'author'];

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  isArray: (name) => LISTS.includes(name),
  parseTagValue: false,
});

/** What the schema has against the text; empty: nothing. */
export function faultsBySchema(text, name) {
  const schema = path.join(path.dirname(fileURLToPath(import.meta.url)), name);
  const done = spawnSync('xmllint', ['--noout', '--relaxng', schema, '-'], {
    input: text,
    encoding: 'utf8',
  });
  return done.status === 0 ? '' : done.stderr;
}

const relOf = (link) => link['@rel'] ?? 'alternate';
const kindOf = (link) => `${relOf(link)} ${link['@type'] ?? ''} ${link['@hreflang'] ?? ''}`;

/** Sections 4.1.1 and 4.1.2: at most one alternate of a type and language. */
function faultsOfLinks(links, where) {
  const kinds = links.filter((link) => relOf(link) === 'alternate').map(kindOf);
  return kinds.length === new Set(kinds).size ? [] : [`${where} has two links: ${kinds}`];
}

function faultsOfEntry(entry, feed) {
  const where = `entry ${entry.id}`;
  const links = entry.link ?? [];
  const faults = faultsOfLinks(links, where);
  const hasAlternate = links.some((link) => relOf(link) === 'alternate');
  if (entry.content === undefined && !hasAlternate)
    faults.push(`${where} has neither content nor a link to its alternate`);
  if (!entry.author && !entry.source?.author && !feed.author) faults.push(`${where} has no author`);
  if (entry.content?.['@src'] && entry.summary === undefined)
    faults.push(`${where} has content elsewhere and no summary`);
  return faults;
}

/** What RFC 4287 demands of a feed and its schema cannot say. */
export function faultsByRules(text) {
  const { feed } = parser.parse(text);
  const entries = feed.entry ?? [];
  const versions = entries.map(({ id, updated }) => `${id} ${updated}`);
  return [
    ...faultsOfLinks(feed.link ?? [], 'the feed'),
    ...(!feed.author && entries.length === 0 ? ['the feed has no author'] : []),
    ...(versions.length === new Set(versions).size ? [] : ['an entry is there twice']),
    ...entries.flatMap((entry) => faultsOfEntry(entry, feed)),
  ];
}

export const parseAtom = (text) => parser.parse(text).feed;
