// A run of `stockact listen`: its lines, and how it ends.

import { strict as assert } from 'node:assert';
import { Child } from './child.mjs';
import { Delivering } from './delivering.mjs';
import { freePort } from './ports.mjs';
import { answer, Receiver } from './receivers.mjs';
import { binary } from './settings.mjs';
import { until } from './until.mjs';

export class Listener {
  /**
   * Starts it and waits for its first line, unless `ready` is false. `url` and `key` go into its
   * environment; `args` are more arguments.
   */
  static async start(t, { url, key, args = [], env = {}, ready = true }) {
    const listener = new Listener();
    const all = ['listen', '--json', ...args.map(String)];
    const { PATH, ASAN_OPTIONS = '', UBSAN_OPTIONS = '' } = process.env;
    listener.child = new Child(binary, all, {
      env: {
        PATH,
        ASAN_OPTIONS,
        UBSAN_OPTIONS,
        ...(url ? { SVC_API_URL: url } : {}),
        ...(key ? { SVC_API_KEY: key } : {}),
        ...env,
      },
      dieWithParent: 'SIGKILL',
    });
    t.after(async () => {
      await listener.child.stop('SIGKILL');
      assert.deepEqual(listener.child.faults(), []);
    });
    if (ready) listener.start = JSON.parse((await listener.child.waitFor(/^\{"listening".*$/m))[0]);
    return listener;
  }

  get lines() {
    const text = this.child.stdout;
    return text
      .slice(0, text.lastIndexOf('\n') + 1)
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line));
  }

  /** The lines about events. */
  get events() {
    return this.lines.filter((line) => 'deliveryId' in line);
  }

  /** Its last line, if it is the summary. */
  get summary() {
    return this.lines.find((line) => 'accepted' in line);
  }

  untilEvents(n) {
    return until(`${n} events`, async () => this.events.length >= n);
  }

  /** Interrupts it and returns the summary. It must end at once. */
  async interrupt(signal = 'SIGINT') {
    const began = performance.now();
    this.child.signal(signal);
    const how = await this.child.exited;
    assert.deepEqual(how, { code: 0, signal: null }, this.child.stderr);
    this.endedAfter = performance.now() - began;
    return this.summary;
  }

  /** Waits until it ends by itself with an error: {error, hint}, as printed. */
  async failed(status = 1) {
    const { code } = await this.child.exited;
    assert.equal(code, status, this.child.stderr);
    return this.lines.at(-1);
  }
}

/** A server with invented data, a key, and a receiver. */
export async function openListening(t, { plan = 'den', clock, kind = 'sqlite', play } = {}) {
  const hooks = await Delivering.open(t, { database: kind, clock });
  const server = await hooks.serve({ listen: `127.0.0.1:${await freePort()}` }); // tests restart it
  const minted = await hooks.site.mint({ plan });
  const receiver = await Receiver.start(t, play ?? answer(200));
  const listen = (args = ['--to', receiver.url()], more = {}) =>
    Listener.start(t, { url: server.url, key: minted.key, args, ...more });
  return { hooks, site: hooks.site, server, minted, key: minted.key, receiver, listen };
}

/** Waits until the receiver has as many requests. */
export const received = (receiver, n) =>
  until(`${n} requests`, async () => receiver.requests.length >= n);
