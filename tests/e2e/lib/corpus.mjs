// The corpus of HTTP requests (tests/malformed), and its senders: many connections at once, each
// with the bytes of one case.

import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { Connection } from './connection.mjs';
import { parseResponse } from './response.mjs';
import { binary, root } from './settings.mjs';

const AT_ONCE = 300;
const LONG = 2000; // of a longer case only the end is sent byte by byte
const END = 200;

/**
 * The output of a program of tests/malformed, from the same build as the program under test if
 * possible.
 */
function printed(name, args = []) {
  const [beside, usual] = [path.dirname(binary), path.join(root, 'build')].map((folder) =>
    path.join(folder, 'tests/malformed', name),
  );
  return execFileSync(existsSync(beside) ? beside : usual, args, { maxBuffer: 1 << 28 });
}

/** All cases: `name`, `bytes` (Buffer), `outcome` as tests/malformed/corpus.h describes it. */
export function corpus() {
  return parseCases(printed('list-cases'));
}

/** `count` mutants of them, the same for the same seed; `outcome` is the parsers' result. */
export function mutants(seed, count) {
  return parseCases(printed('mutants', ['print', String(seed), String(count)]));
}

/** Parses their output: "outcome TAB size TAB name", then the bytes. */
function parseCases(listed) {
  const cases = [];
  for (let at = 0; at < listed.length;) {
    const end = listed.indexOf(10, at);
    const [outcome, size, name] = listed.toString('utf8', at, end).split('\t');
    at = end + 1 + Number(size);
    cases.push({ name, outcome, bytes: listed.subarray(end + 1, at) });
  }
  return cases;
}

/** Calls `one(item, index)` for each, `atOnce` of them at a time. */
export async function inParallel(items, one, atOnce = AT_ONCE) {
  let next = 0;
  const worker = async () => {
    while (next < items.length) {
      const index = next++;
      await one(items[index], index);
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, worker));
}

const LOOPBACK = 0x7f100000; // 127.16.0.0

/** An address of 127.0.0.0/8 for this index only. */
export function addressOf(index) {
  const number = LOOPBACK + index;
  return [24, 16, 8, 0].map((shift) => (number >>> shift) & 255).join('.');
}

/**
 * Sends a case and returns all received bytes once the other side has closed. `bytewise`: in single
 * bytes; `shut`: shuts down the sending side.
 */
export async function converse(where, bytes, { from, bytewise = false, shut = true } = {}) {
  const connection = await Connection.open(where, { from });
  const atOnce = !bytewise ? bytes.length : bytes.length > LONG ? bytes.length - END : 0;
  if (atOnce > 0) connection.send(bytes.subarray(0, atOnce));
  for (let i = atOnce; i < bytes.length; i++) connection.send(bytes.subarray(i, i + 1));
  if (shut) connection.end();
  await connection.untilClosed();
  connection.destroy();
  return connection.unread;
}

const OUR_REFUSALS = new Set([400, 408, 413, 414, 431, 501]);

/** The result, in the corpus's words; every response passes the strict parser. */
export function outcomeOf(received) {
  const words = [];
  let rest = received;
  for (;;) {
    const found = parseResponse(rest, { ended: true });
    if (found === null) return words.join(' ');
    rest = found.rest;
    const { status, closes } = found.response;
    if (status < 200) continue;
    words.push(`${OUR_REFUSALS.has(status) ? status : 200}${closes ? '!' : ''}`);
  }
}
