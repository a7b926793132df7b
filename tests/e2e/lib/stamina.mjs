// The runs of the stamina tests, for any size: stamina.test.mjs makes short ones, tests/stamina
// long ones. Each asserts its limits and returns its measurements.

import { strict as assert } from 'node:assert';
import { chmodSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { run } from './child.mjs';
import { Neighbours } from './neighbours.mjs';
import { cpuMs, descriptors, residentBytes } from './proc.mjs';
import { binary } from './settings.mjs';
import { until } from './until.mjs';

const MIB = 1024 * 1024;
const UNTIL_STOPPED = 3600; // seconds
const PAGE = 4096; // the least memory of a reply that waits
const LOOPS = 2; // of the servers that a site starts

/** The environment of a site whose server counts requests but denies none. */
export const unlimited = { STOCKACT_BENCH_UNLIMITED: '1' };

/** Fills a site; returns a key for its runs. */
export async function prepareStamina(site) {
  await site.stockact('demo', '--trades', 5000);
  return site.key({ plan: 'den' });
}

function assertAllAnswered(who, client) {
  assert.equal(client.failed, 0, `${who}: ${JSON.stringify(client)}`);
  assert.equal(client.answered, client.due, `${who}: ${JSON.stringify(client)}`);
}

/** The clients whose connections must end with these statuses only. */
function assertEnded(who, client, statuses) {
  const all = JSON.stringify(client);
  assert.deepEqual(
    Object.keys(client.ended).filter((status) => !statuses.includes(Number(status))),
    [],
    `${who}: ${all}`,
  );
  assert.equal(client.closed + client.reset + client.wrong + client.refused, 0, `${who}: ${all}`);
}

/**
 * After a run the server must have the same descriptors as before, plus one that libuv keeps in
 * each loop from its first connection on.
 */
async function assertDescriptorsBack(server, before) {
  if (before === null) return; // only the superuser may look
  const now = () => descriptors(server.child.pid);
  await until(`no more than ${before} descriptors and one a loop`, () => now() <= before + LOOPS);
}

/** Good clients beside misbehaving ones, until some were timed out. `load`: the options of the driver. */
export async function besideNeighbours(site, key, { load }) {
  const server = await site.serve();
  const before = descriptors(server.child.pid);
  const result = await new Neighbours(server, key, { ...load, untilCut: true }).result();
  const { good, fresh, slow_head, slow_read, slow_body, malformed } = result;
  assertAllAnswered('good clients', good);
  assertAllAnswered('clients with a connection for each request', fresh);
  assertEnded('slow heads', slow_head, [408]);
  assertEnded('slow bodies', slow_body, [408]);
  assertEnded('malformed requests', malformed, [400, 408, 413]);
  assert.equal(slow_read.wrong + slow_read.closed + slow_read.refused, 0, 'slow readers');
  assert.ok(slow_head.ended[408] > 0, 'slow heads are timed out');
  assert.ok(slow_read.reset > 0, 'slow readers are cut');
  if (load.seconds > 30) assert.ok(slow_body.ended[408] > 0, 'slow bodies are timed out');
  await assertDescriptorsBack(server, before);
  const cpu = cpuMs(server.child.pid);
  await server.stop();
  return { ...result, cpu };
}

/** Idle connections beside active ones; returns the server's memory per connection. */
export async function manyIdle(site, key, { idle, good, rate, seconds, bytesEach }) {
  const server = await site.serve();
  const before = residentBytes(server.child.pid);
  const neighbours = new Neighbours(server, key, { idle, good, rate, seconds });
  await neighbours.ready();
  const each = (residentBytes(server.child.pid) - before) / (idle + good);
  const { status } = await server.get('/healthz'); // a new one is served beside them
  const result = await neighbours.result();
  assert.equal(status, 200);
  assertAllAnswered('active clients', result.good);
  assert.equal(result.idle.opened, idle, 'none had to come again');
  assert.equal(result.idle.closed + result.idle.reset + result.idle.refused, 0);
  assert.ok(each <= bytesEach, `${each} bytes for each connection`);
  await server.stop();
  return { ...result, each, before };
}

/** A program that becomes the server with that many descriptors. */
function withDescriptors(site, limit) {
  const file = path.join(site.folder, `serve-${limit}`);
  writeFileSync(file, `#!/bin/sh\nulimit -n ${limit}\nexec '${binary}' "$@"\n`);
  chmodSync(file, 0o755);
  return file;
}

/**
 * While `hungry` more clients try to connect than fit, connected clients are served, nothing spins,
 * and the next client is served as soon as there is room. `seconds`: how long the processor's time
 * is measured.
 */
async function assertCalmWhile(server, key, { inside, hungry, seconds, busy }) {
  const more = { good: 0, idle: hungry, room: 0, seconds: UNTIL_STOPPED };
  const neighbours = new Neighbours(server, key, more);
  await neighbours.ready();
  const began = { cpu: cpuMs(server.child.pid), at: performance.now() };
  await delay(seconds * 1000);
  const share = (cpuMs(server.child.pid) - began.cpu) / (performance.now() - began.at);
  const result = await inside.stop();
  const others = await neighbours.stop();
  assertAllAnswered('readers in flight', result.good);
  const turnedAway = others.idle.closed + others.idle.reset;
  const outside = hungry - Object.values(others.idle.answers).reduce((sum, n) => sum + n, 0);
  assert.ok(turnedAway + outside > 0, 'there were more of them than room');
  assert.ok(share < busy, `${share} of a core`);
  const response = await until('room again', async () => {
    try {
      return await server.get('/healthz', { from: '127.0.9.9' });
    } catch {
      return null; // closed without a word: still full
    }
  });
  assert.equal(response.status, 200);
  return { share, turnedAway, outside, result };
}

/** A server that has `limit` descriptors from its start limits its connections accordingly. */
export async function fewDescriptors(site, key, { limit, hungry, seconds, busy }) {
  const server = await site.serve({ program: withDescriptors(site, limit) });
  const inside = new Neighbours(server, key, { good: 8, rate: 100, seconds: UNTIL_STOPPED });
  await inside.ready();
  const figures = await assertCalmWhile(server, key, { inside, hungry, seconds, busy });
  await server.stop();
  return figures;
}

/** A server that runs out of descriptors below its limit of connections: accept fails. */
export async function noDescriptors(site, key, { hungry, seconds, busy }) {
  const server = await site.serve();
  const { pid } = server.child;
  const inside = new Neighbours(server, key, { good: 8, rate: 100, seconds: UNTIL_STOPPED });
  await inside.ready();
  const limit = (descriptors(pid) ?? 40) + 4;
  const { code, stderr } = await run('prlimit', ['--pid', pid, `--nofile=${limit}:`].map(String));
  assert.equal(code, 0, stderr);
  const figures = await assertCalmWhile(server, key, { inside, hungry, seconds, busy });
  await server.stop();
  return figures;
}

/**
 * Stops one server under load: accepted requests get complete responses, and later connections are
 * refused. Returns the time until it exits.
 */
async function stopOnce(site, key, load) {
  const server = await site.serve();
  const neighbours = new Neighbours(server, key, { ...load, untilRefused: true });
  await neighbours.ready();
  const began = performance.now();
  await server.stop();
  const elapsed = performance.now() - began;
  const result = await neighbours.result();
  for (const client of [result.good, result.fresh]) {
    assert.equal(client.failed, 0, JSON.stringify(result));
    assert.ok(client.refused > 0, `nobody listens any more: ${JSON.stringify(result)}`);
  }
  return { elapsed, answered: result.good.answered + result.fresh.answered };
}

/**
 * SIGTERM under load, that many times; every tenth time with slow clients, which use up the
 * shutdown time.
 */
export async function stopUnderLoad(site, key, { rounds, load, neighbours }) {
  const times = [];
  let answered = 0;
  for (let round = 1; round <= rounds; round++) {
    const slow = neighbours && round % 10 === 0 ? neighbours : {};
    const one = await stopOnce(site, key, { ...load, ...slow });
    times.push(one.elapsed);
    answered += one.answered;
  }
  times.sort((a, b) => a - b);
  return { rounds, answered, medianMs: times[rounds >> 1], maxMs: times[rounds - 1] };
}

const largest = (samples, what) => Math.max(...samples.map((sample) => sample[what]));

/** A long mixed load: memory and descriptors in its last third must equal those in its second. */
export async function longRun(site, key, { load, growthBytes, growthDescriptors, report }) {
  const server = await site.serve();
  const { pid } = server.child;
  const before = descriptors(pid);
  const neighbours = new Neighbours(server, key, load);
  await neighbours.ready();
  const samples = [];
  let over = false;
  const result = neighbours.result().finally(() => {
    over = true;
  });
  while (!over) {
    samples.push({ bytes: residentBytes(pid), descriptors: descriptors(pid) ?? 0 });
    if (samples.length % 60 === 0) report?.(samples.length, samples.at(-1));
    await Promise.race([result, delay(1000)]);
  }
  const { good, fresh } = await result;
  assertAllAnswered('good clients', good);
  assertAllAnswered('clients with a connection for each request', fresh);
  const third = Math.floor(samples.length / 3);
  const [middle, last] = [samples.slice(third, 2 * third), samples.slice(2 * third)];
  const grown = largest(last, 'bytes') - largest(middle, 'bytes');
  const opened = largest(last, 'descriptors') - largest(middle, 'descriptors');
  assert.ok(grown <= growthBytes, `resident memory grew by ${grown} bytes`);
  assert.ok(opened <= growthDescriptors, `${opened} more descriptors`);
  await assertDescriptorsBack(server, before);
  await server.stop();
  return { answered: good.answered + fresh.answered, grown, opened, last: samples.at(-1) };
}

const metric = (text, name) => Number(new RegExp(`^stockact_${name} (\\d+)$`, 'm').exec(text)[1]);

/** The counters of slow readers, and what their replies hold now. */
async function readersOf(server) {
  const { text } = await server.get('/metrics', { unchecked: true });
  return {
    slow: metric(text, 'connections_closed_slow_total'),
    overLimit: metric(text, 'connections_closed_memory_total'),
    waiting: metric(text, 'reply_bytes_waiting'),
  };
}

/** The bounds of memory that a server printed when it started, in bytes. */
async function memoryBounds(server) {
  const [, line] = await until('the log', () => /^.* event=memory (.*)\n/m.exec(server.log));
  const value = (name) => Number(new RegExp(`\\b${name}=(\\d+)`).exec(line)[1]);
  return {
    connections: value('connections_max'),
    replies: value('reply_mib') * MIB,
    own: value('http_mib_max') * MIB,
    sockets: value('socket_mib_max') * MIB,
  };
}

/** Samples the server's resident memory until a load ends: {result, peak}. */
async function withPeak(server, load) {
  let peak = 0;
  let over = false;
  const result = load.result().finally(() => {
    over = true;
  });
  while (!over) {
    peak = Math.max(peak, residentBytes(server.child.pid));
    await Promise.race([result, delay(200)]);
  }
  return { result: await result, peak };
}

/**
 * Waves of clients that pipeline pages of 100 trades and read nothing, beside good clients. After
 * each wave no reply waits any more; after all of them resident memory is back. Waves end with
 * their clients after `seconds`, but not before the server has cut all of them (`untilCut`).
 */
export async function unreadWaves(site, key, sizes) {
  const { waves, clients, asks, seconds, untilCut, growthBytes, report } = sizes;
  const server = await site.serve();
  const good = { good: 16, rate: 200 };
  await new Neighbours(server, key, { ...good, seconds: 2 }).result(); // fills the pools
  const start = residentBytes(server.child.pid);
  const bounds = await memoryBounds(server);
  const after = [];
  let peak = 0;
  for (let wave = 1; wave <= waves; wave++) {
    const load = new Neighbours(server, key, { ...good, unread: clients, asks, seconds, untilCut });
    const one = await withPeak(server, load);
    peak = Math.max(peak, one.peak);
    assertAllAnswered('good clients', one.result.good);
    assert.equal(one.result.unread.opened, clients);
    if (untilCut) assert.equal(one.result.unread.reset, clients, JSON.stringify(one.result.unread));
    await until('no reply waits', async () => (await readersOf(server)).waiting === 0);
    after.push(residentBytes(server.child.pid));
    report?.(wave, after.at(-1), one.result);
  }
  const grown = after.at(-1) - start;
  assert.ok(grown <= growthBytes, `resident memory grew by ${grown} bytes: ${after}`);
  assert.ok(peak - start <= bounds.own, `${peak - start} bytes, more than the log's ${bounds.own}`);
  const readers = await readersOf(server);
  await server.stop();
  return { start, after, peak, readers };
}

/** Clients that read nothing are reset 11 s after they began, however much they requested. */
export async function unreadAreCut(site, key, { clients }) {
  const server = await site.serve();
  const began = performance.now();
  const loads = [1, 2, 16].map((asks) => {
    const options = { good: 0, unread: clients, asks, seconds: 1, untilCut: true };
    return new Neighbours(server, key, options);
  });
  const cut = async () => (await readersOf(server)).slow;
  await until('one is cut', cut);
  const elapsed = performance.now() - began;
  assert.ok(elapsed > 9900, `any speed is allowed for 10 s: ${elapsed} ms`);
  for (const load of loads) {
    const { unread } = await load.result();
    assert.equal(unread.reset, clients, JSON.stringify(unread));
  }
  assert.equal(await cut(), loads.length * clients);
  await server.stop();
}

/**
 * With little memory for replies, clients that read nothing are cut at once, the others are served,
 * and replies never hold more than the limit. How much of a reply waits is the kernel's choice, but
 * at least a page for each client: `share` times as many come as the limit has pages.
 */
export async function unreadOverLimit(site, key, { mib, share }) {
  const server = await site.serve({ env: { STOCKACT_REPLY_MEMORY_MIB: String(mib) } });
  const bounds = await memoryBounds(server);
  assert.equal(bounds.replies, mib * MIB);
  const clients = Math.ceil((share * bounds.replies) / PAGE);
  const options = { good: 32, rate: 200, unread: clients, seconds: 4, untilCut: true };
  const load = new Neighbours(server, key, options);
  let most = 0;
  let over = false;
  const result = load.result().finally(() => {
    over = true;
  });
  while (!over) {
    most = Math.max(most, (await readersOf(server)).waiting);
    await Promise.race([result, delay(50)]);
  }
  const { good, unread } = await result;
  assertAllAnswered('good clients', good);
  const readers = await readersOf(server);
  assert.ok(most > 0 && most <= bounds.replies, `${most} bytes`);
  assert.ok(readers.overLimit > 0, 'connections over the limit are closed');
  assert.equal(unread.reset, clients, JSON.stringify(unread));
  assert.equal(readers.overLimit + readers.slow, clients, JSON.stringify(readers));
  await server.stop();
}

/** The setting limits connections; the log and the metrics say so. */
export async function connectionsOverLimit(site, key, { limit, hungry }) {
  const server = await site.serve({ env: { STOCKACT_CONNECTIONS_MAX: String(limit) } });
  assert.equal((await memoryBounds(server)).connections, limit);
  const options = { good: 0, idle: hungry, room: limit, seconds: UNTIL_STOPPED };
  const idle = new Neighbours(server, key, options);
  await idle.ready(); // each has tried, and that many have an answer
  const { idle: clients } = await idle.stop();
  assert.equal(clients.answers[200], limit, JSON.stringify(clients));
  assert.ok(clients.closed + clients.reset >= hungry - limit, JSON.stringify(clients));
  const response = await until('room again', async () => {
    try {
      return await server.get('/metrics', { unchecked: true });
    } catch {
      return null; // their connections are still open
    }
  });
  assert.match(response.text, /connections_refused_total\{reason="full"\} [1-9]/);
  await server.stop();
}
